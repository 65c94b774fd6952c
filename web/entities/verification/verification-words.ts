import type { LicenseDifference, Verification, WaitingVerification } from '#contracts/verification.ts'
import { longDate } from '#web/entities/businesses/license-words.ts'
import { daysBetween } from '#web/lib/time-words.ts'

export const statusWords: Record<Verification['status'], { text: string; variant: 'leaf' | 'clay' | 'neutral' | 'outline' }> = {
  pending: { text: 'Waiting', variant: 'outline' },
  verified: { text: 'Verified', variant: 'leaf' },
  rejected: { text: 'Not verified', variant: 'clay' },
  withdrawn: { text: 'Withdrawn', variant: 'neutral' },
  superseded: { text: 'Replaced', variant: 'neutral' },
  expired: { text: 'Expired', variant: 'clay' },
  revoked: { text: 'Revoked', variant: 'clay' },
  unproven: { text: 'Needs proof', variant: 'clay' },
}

export function requestedWords({ status, document }: Pick<Verification, 'status' | 'document'>): { title: string; description: string } {
  if (status === 'verified') return { title: 'License verified', description: 'Your page now shows it.' }
  if (document) return { title: 'Sent for review', description: 'Two members of our team will review your document. We’ll email you.' }
  return { title: 'Your license matches the register', description: 'Prove that you control the license to verify it.' }
}

export const differenceSentence: Record<LicenseDifference, string> = {
  number: 'Our copy of the register has no license with this number in this state.',
  name: 'The register has a different name for this license.',
  type: 'The register lists a different business type for this license.',
  listing: 'The directory lists this license under a different business.',
  holder: 'Another business is verified with this license.',
  proof: 'The license matches the register. The business hasn’t proven that it controls the license.',
}

/** "Expires in 43 days, on January 3, 2027". */
export function expirySentence(expiresOn: string | null, today: string): string {
  if (expiresOn === null) return 'No expiration date listed'
  const days = daysBetween(today, expiresOn)
  if (days < 0) return `Expired on ${longDate(expiresOn)}`
  if (days === 0) return 'Expires today'
  if (days === 1) return `Expires tomorrow, on ${longDate(expiresOn)}`
  return days > 365 ? `Expires on ${longDate(expiresOn)}` : `Expires in ${days} days, on ${longDate(expiresOn)}`
}

export type Compared = { name: string; stated: string; register: string | null; differs: boolean }

/** `labels` looks up the names of business types and states. */
export function sideBySide(
  { verification, register }: Pick<WaitingVerification, 'verification' | 'register'>,
  labels: { type: (type: Verification['businessType']) => string; state: (code: string) => string },
): Compared[] {
  const { differences } = verification
  const has = (difference: LicenseDifference) => differences.includes(difference)
  const day = (date: string | null) => (date === null ? null : longDate(date))
  return [
    { name: 'Number', stated: verification.licenseNumber, register: register?.licenseNumber ?? null, differs: has('number') },
    { name: 'State', stated: labels.state(verification.state), register: register && labels.state(register.state), differs: has('number') },
    { name: 'Name', stated: verification.licenseName, register: register?.businessName ?? null, differs: has('name') },
    {
      name: 'Type',
      stated: labels.type(verification.businessType),
      register: register && [labels.type(register.businessType), register.licenseType].filter(Boolean).join(': '),
      differs: has('type'),
    },
    {
      name: 'Expires',
      stated: day(verification.statedExpiresOn) ?? 'Not listed',
      register: register && (day(register.expiresOn) ?? 'Not listed'),
      differs: false,
    },
  ]
}
