/** `ended`: it expired or the register changed. `unproven`: see `end-verification.ts`. */
export type LicenseChange = 'verified' | 'rejected' | 'expiring' | 'ended' | 'unproven'

declare module '#server/kernel/events.ts' {
  interface EventData {
    'license.changed': { verificationId: string; change: LicenseChange }
  }
}
