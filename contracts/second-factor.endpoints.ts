import { PasswordAgain } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { withoutNul } from './fields.ts'
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

const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

export const getSecondFactor = endpoint({
  method: 'GET',
  path: '/api/second-factor',
  summary: 'Read whether the account has a second factor, and whether this session has passed it',
  tag: 'Second factor',
  access: 'account',
  beforeSecondFactor: true,
  response: SecondFactorState,
})

/** A code from an authenticator app (six digits, with or without a space), or a recovery code. */
const Code = z.string('Enter a code').check(z.trim(), z.minLength(1, 'Enter a code'), z.maxLength(40, 'At most 40 characters'), withoutNul)

export const beginSecondFactor = endpoint({
  method: 'POST',
  path: '/api/second-factor/begin',
  summary: 'Begin to set up an authenticator app, the first or another one; nothing changes until its first code is confirmed',
  tag: 'Second factor',
  access: 'member',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({ password: PasswordAgain }),
  response: z.object({
    /** Content of the QR code: `otpauth://totp/…`. */
    uri: z.string(),
    /** The same secret for manual entry, in base32. */
    secret: z.string(),
  }),
})

export const confirmSecondFactor = endpoint({
  method: 'POST',
  path: '/api/second-factor/confirm',
  summary: "Turn the second factor on with the app's first code; only this response shows the recovery codes",
  tag: 'Second factor',
  access: 'member',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({ code: Code }),
  response: RecoveryCodes,
})

export const showSecondFactor = endpoint({
  method: 'POST',
  path: '/api/second-factor/show',
  summary: 'Pass the second factor in this session with a code from the app or a recovery code, which works once',
  tag: 'Second factor',
  access: 'account',
  words: 'account',
  beforeSecondFactor: true,
  rateLimit: 'sign-in',
  body: z.object({ code: Code }),
})

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/second-factor/recovery-codes',
  summary: 'Create new recovery codes; the old ones stop working',
  tag: 'Second factor',
  access: 'member',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({ code: Code }),
  response: RecoveryCodes,
})

export const turnOffSecondFactor = endpoint({
  method: 'POST',
  path: '/api/second-factor/turn-off',
  summary: "Turn the second factor off; moderators and admins can't",
  tag: 'Second factor',
  access: 'member',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({ password: PasswordAgain, code: Code }),
})
