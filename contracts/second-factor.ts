import * as z from 'zod/mini'
import { PasswordAgain } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { withoutNul } from './text.ts'

/** How many recovery codes there are when they are fresh. */
export const recoveryCodeCount = 10

export const SecondFactorState = z.object({
  isOn: z.boolean(),
  /** In this session. */
  isShown: z.boolean(),
  recoveryCodesLeft: z.int(),
  /** Moderators and admins need one for what they do. */
  isRequired: z.boolean(),
  /** Whether turning it on asks for the password; who signs in elsewhere has none here. */
  hasPassword: z.boolean(),
})
export type SecondFactorState = z.infer<typeof SecondFactorState>

export const getSecondFactor = endpoint({
  method: 'GET',
  path: '/api/second-factor',
  summary: 'Whether the account has a second factor, and whether this session has shown it',
  tag: 'Second factor',
  access: 'account',
  beforeSecondFactor: true,
  response: SecondFactorState,
})

/** Of an authenticator app (six digits, with or without a space), or one of the recovery codes. */
const Code = z.string('Enter a code').check(z.trim(), z.minLength(1, 'Enter a code'), z.maxLength(40, 'At most 40 characters'), withoutNul)

export const beginSecondFactor = endpoint({
  method: 'POST',
  path: '/api/second-factor/begin',
  summary: 'Begin to set up an authenticator app, the first or another one; nothing changes before its first code is confirmed',
  tag: 'Second factor',
  access: 'member',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({ password: PasswordAgain }),
  response: z.object({
    /** What the QR code says: `otpauth://totp/…`. */
    uri: z.string(),
    /** The same secret to type, in base32. */
    secret: z.string(),
  }),
})

export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

export const confirmSecondFactor = endpoint({
  method: 'POST',
  path: '/api/second-factor/confirm',
  summary: 'Turn the second factor on with the first code of the app; the recovery codes are answered here and never again',
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
  summary: 'Show the second factor in this session: a code of the app, or a recovery code, which is then used up',
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
  summary: 'New recovery codes; the old ones end',
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
  summary: 'Turn the second factor off; moderators and admins cannot',
  tag: 'Second factor',
  access: 'member',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({ password: PasswordAgain, code: Code }),
})
