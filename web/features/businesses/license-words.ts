import type { Business, BusinessSummary, License, LicenseStanding } from '../../../contracts/businesses.ts'
import { dateFormat } from '../../lib/format.ts'
import { stateName } from './state-names.ts'

type Badge = { text: string; variant: 'verified' | 'leaf' | 'outline' | 'clay' }
type Badged = Pick<BusinessSummary, 'licenseStanding' | 'isLicenseVerified' | 'hasVerifiedBadge'>

/** Gold is for a verified license and a plan that has the badge, both together: money alone never buys it. */
export function licenseBadge({ licenseStanding, isLicenseVerified, hasVerifiedBadge }: Badged): Badge | null {
  if (hasVerifiedBadge) return { text: 'Verified', variant: 'verified' }
  if (isLicenseVerified) return { text: 'License verified', variant: 'leaf' }
  if (licenseStanding === 'listed') return { text: 'In the register', variant: 'outline' }
  if (licenseStanding === 'inactive') return { text: 'License not active', variant: 'clay' }
  if (licenseStanding === 'missing') return { text: 'Left the register', variant: 'clay' }
  return null
}

type Shown = Business['verification']

export function verificationTitle({ status, expiresOn }: Pick<Shown, 'status' | 'expiresOn'>): string {
  if (status === 'expired') return expiresOn ? `License expired on ${longDate(expiresOn)}` : 'License expired'
  return { none: 'Not verified', verified: 'License verified', revoked: 'No longer verified' }[status]
}

/** "January 31, 2027, according to the register". */
export function expiryText({ expiresOn, expirySource }: Pick<Shown, 'expiresOn' | 'expirySource'>): string {
  if (!expiresOn) return 'No expiry date listed'
  return `${longDate(expiresOn)}, according to the ${expirySource === 'register' ? 'register' : 'business'}`
}

const basisSentence = {
  register: '',
  code: 'The business entered a code sent to the contact in the register.',
  document: 'Two members of our team reviewed the document.',
} as const

/** What proved it, and how old the register is. */
export function checkedBy({ basis, state, source, sourceDate }: Pick<Shown, 'basis' | 'state' | 'source' | 'sourceDate'>): string {
  const register = state && source ? registerSentence({ state, sourceDate }) : ''
  return [basis && basisSentence[basis], register].filter(Boolean).join(' ')
}

/** The whole sentence behind the badge. */
export const standingSentence: Record<LicenseStanding, string> = {
  listed: 'Listed in the register',
  inactive: 'In the register, but not as active',
  missing: 'In an older register, and no longer in a newer one',
  none: 'No registered license linked yet',
}

/** `2023-09-01` → "September 1, 2023". The day is the register's own, so no time zone may move it. */
export const longDate = (day: string): string => longDay.format(new Date(`${day}T00:00:00Z`))

const longDay = dateFormat({ dateStyle: 'long', timeZone: 'UTC' })

/** "From Colorado's register as read on September 1, 2023." */
export function registerSentence({ state, sourceDate }: Pick<License, 'state' | 'sourceDate'>): string {
  const register = `From ${possessive(stateName(state))} register`
  return sourceDate ? `${register} as read on ${longDate(sourceDate)}.` : `${register}; the day it was read on is not known.`
}

const possessive = (name: string) => (name.endsWith('s') ? `${name}’` : `${name}’s`)

/** A register older than this may well be wrong by now. */
const freshDays = 120

/** What must be said beside an old entry; null while it is fresh. `today` is a calendar date. */
export function ageWarning(sourceDate: string | null, today: string): string | null {
  const advice = 'The license may have changed since; the authority knows how it stands today.'
  if (!sourceDate) return `This may be out of date. ${advice}`
  const days = Math.round((Date.parse(today) - Date.parse(sourceDate)) / 86_400_000)
  return days > freshDays ? `That is ${inWords(days)} ago. ${advice}` : null
}

function inWords(days: number): string {
  const months = Math.round(days / 30.44)
  if (months < 12) return `${months} months`
  const years = Math.floor(months / 12)
  return `more than ${years === 1 ? 'a year' : `${years} years`}`
}
