import type { Business, BusinessSummary, License, LicenseStanding } from '#contracts/businesses.ts'
import { dateFormat } from '#web/lib/format.ts'
import { stateName } from '#web/lib/state-names.ts'
import { daysBetween } from '#web/lib/time-words.ts'

type Badge = { text: string; variant: 'verified' | 'leaf' | 'outline' | 'clay' }
type Badged = Pick<BusinessSummary, 'licenseStanding' | 'isLicenseVerified' | 'hasVerifiedBadge'>

/** Gold requires both a verified license and a plan with the badge. It can't be bought without a license. */
export function licenseBadge({ licenseStanding, isLicenseVerified, hasVerifiedBadge }: Badged): Badge | null {
  if (hasVerifiedBadge) return { text: 'Verified', variant: 'verified' }
  if (isLicenseVerified) return { text: 'License verified', variant: 'leaf' }
  if (licenseStanding === 'listed') return { text: 'Licensed (state record)', variant: 'outline' }
  if (licenseStanding === 'inactive') return { text: 'License not active', variant: 'clay' }
  if (licenseStanding === 'missing') return { text: 'No longer in the register', variant: 'clay' }
  return null
}

type Shown = Business['verification']

export function verificationTitle({ status, expiresOn }: Pick<Shown, 'status' | 'expiresOn'>): string {
  if (status === 'expired') return expiresOn ? `License expired on ${longDate(expiresOn)}` : 'License expired'
  return { none: 'Not verified', verified: 'License verified', revoked: 'No longer verified' }[status]
}

/** "January 31, 2027, according to the register". */
export function expiryText({ expiresOn, expirySource }: Pick<Shown, 'expiresOn' | 'expirySource'>): string {
  if (!expiresOn) return 'No expiration date listed'
  return `${longDate(expiresOn)}, according to the ${expirySource === 'register' ? 'register' : 'business'}`
}

const basisSentence = {
  register: '',
  code: 'The business entered a code sent to the contact in the register.',
  document: 'Two members of our team checked the license document.',
} as const

export function checkedBy({ basis, state, source, sourceDate }: Pick<Shown, 'basis' | 'state' | 'source' | 'sourceDate'>): string {
  const register = state && source ? registerSentence({ state, sourceDate }) : ''
  return [basis && basisSentence[basis], register].filter(Boolean).join(' ')
}

export const standingSentence: Record<LicenseStanding, string> = {
  listed: 'Listed in the register',
  inactive: 'In the register, but not active',
  missing: 'In an older version of the register, but not the latest',
  none: 'No registered license linked yet',
}

/** `2023-09-01` → "September 1, 2023". A calendar date, so it's formatted in UTC. */
export const longDate = (day: string): string => longDay.format(new Date(`${day}T00:00:00Z`))

const longDay = dateFormat({ dateStyle: 'long', timeZone: 'UTC' })

/** "Source: Colorado register, September 1, 2023." */
export function registerSentence({ state, sourceDate }: Pick<License, 'state' | 'sourceDate'>): string {
  return `Source: ${stateName(state)} register, ${sourceDate ? longDate(sourceDate) : 'date unknown'}.`
}

/** In days. Older registers are likely out of date. */
const freshDays = 180

export function ageWarning(sourceDate: string | null, today: string): string | null {
  const advice = 'Check with the state for the current status.'
  if (!sourceDate) return `This may be out of date. ${advice}`
  const days = daysBetween(sourceDate, today)
  return days > freshDays ? `That was ${inWords(days)} ago. ${advice}` : null
}

function inWords(days: number): string {
  const years = Math.floor(days / 365.25)
  if (years < 1) return `${Math.min(11, Math.round(days / 30.44))} months`
  return `more than ${years === 1 ? 'a year' : `${years} years`}`
}
