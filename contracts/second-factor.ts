import * as z from './zod.ts'

/** Number of recovery codes in a new set. */
export const recoveryCodeCount = 10

export const SecondFactorState = z.object({
  isOn: z.boolean(),
  /** Confirmed in this session. */
  isShown: z.boolean(),
  recoveryCodesLeft: z.int(),
  /** Required for moderators and admins. */
  isRequired: z.boolean(),
  /** Whether turning it on requires the password; OpenID accounts have none. */
  hasPassword: z.boolean(),
})
export type SecondFactorState = z.infer<typeof SecondFactorState>

export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
