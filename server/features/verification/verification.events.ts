/** What became of a license. `ended`: it expired, or the register says otherwise now. `unproven`: see `end-unproven.ts`. */
export type LicenseChange = 'verified' | 'rejected' | 'expiring' | 'ended' | 'unproven'

declare module '../../kernel/events.ts' {
  interface EventData {
    'license.changed': { verificationId: string; change: LicenseChange }
  }
}
