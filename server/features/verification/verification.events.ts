/** What became of a license. `ended`: it expired, or the register says otherwise now. */
export type LicenseChange = 'verified' | 'rejected' | 'expiring' | 'ended'

declare module '../../kernel/events.ts' {
  interface EventData {
    'license.changed': { verificationId: string; change: LicenseChange }
  }
}
