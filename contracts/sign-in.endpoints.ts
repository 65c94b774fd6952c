import { AccountType, PasswordAgain } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { IdParams, page, withoutNul } from './fields.ts'
import {
  EmailChange,
  NewPasskeyAnswer,
  NewPasskeyOptions,
  NewPersonKey,
  Passkey,
  PasskeyAnswer,
  PasskeyName,
  PasskeyOptions,
  PasswordChange,
  PersonKey,
  SignInSession,
  SignInState,
} from './sign-in.ts'
import * as z from './zod.ts'

const tag = 'Sign-in and security'

const Token = z.string().check(z.minLength(1), z.maxLength(200), withoutNul)

export const getSignIn = endpoint({
  method: 'GET',
  path: '/api/sign-in',
  summary: 'Read how you sign in: email address, password, passkeys, connected account',
  tag,
  access: 'account',
  whileLeaving: true,
  response: SignInState,
})

export const changePassword = endpoint({
  method: 'POST',
  path: '/api/sign-in/password',
  summary: 'Change your password and end all your other sessions',
  tag,
  access: 'account',
  words: 'account',
  rateLimit: 'sign-in',
  body: PasswordChange,
})

export const emailPasswordLink = endpoint({
  method: 'POST',
  path: '/api/sign-in/password-link',
  summary: 'Email the account a link to set a password',
  tag,
  access: 'account',
  rateLimit: 'mail',
})

export const requestEmailChange = endpoint({
  method: 'POST',
  path: '/api/sign-in/email',
  summary:
    'Change your email address. The change takes effect when you open the emailed link. The response is the same if the address is taken.',
  tag,
  access: 'account',
  words: 'account',
  rateLimit: 'mail',
  body: EmailChange,
})

export const cancelEmailChange = endpoint({
  method: 'DELETE',
  path: '/api/sign-in/email',
  summary: "Cancel the change to an email address that isn't confirmed yet",
  tag,
  access: 'account',
})

export const confirmEmailChange = endpoint({
  method: 'POST',
  path: '/api/auth/email-changes',
  summary: 'Confirm a new email address with the token emailed to it',
  tag,
  access: 'public',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({ token: Token }),
})

export const undoEmailChange = endpoint({
  method: 'POST',
  path: '/api/auth/email-change-undos',
  summary: "Restore the account's old email address with the token emailed to it. Ends every session and emails a link to set a password.",
  tag,
  access: 'public',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({ token: Token }),
})

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/sign-in/sessions',
  summary: "List the devices where you're signed in, newest first",
  tag,
  access: 'account',
  paginated: true,
  query: z.object({ ...page }),
  response: z.array(SignInSession),
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/sign-in/sessions/:id',
  summary: 'Sign out one device. Idempotent.',
  tag,
  access: 'account',
  params: IdParams,
})

export const endOtherSessions = endpoint({
  method: 'POST',
  path: '/api/sign-in/sessions/end-others',
  summary: 'Sign out every other device',
  tag,
  access: 'account',
  response: z.object({ ended: z.int() }),
})

export const beginPasskey = endpoint({
  method: 'POST',
  path: '/api/sign-in/passkeys/options',
  summary: 'Start adding a passkey. Returns the options for the browser.',
  tag,
  access: 'account',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({ password: PasswordAgain }),
  response: NewPasskeyOptions,
})

export const addPasskey = endpoint({
  method: 'POST',
  path: '/api/sign-in/passkeys',
  summary: 'Add the passkey that the device created',
  tag,
  access: 'account',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({ name: PasskeyName, answer: NewPasskeyAnswer }),
  response: Passkey,
  status: 201,
})

export const renamePasskey = endpoint({
  method: 'PATCH',
  path: '/api/sign-in/passkeys/:id',
  summary: 'Rename a passkey',
  tag,
  access: 'account',
  words: 'account',
  params: IdParams,
  body: z.object({ name: PasskeyName }),
})

export const removePasskey = endpoint({
  method: 'POST',
  path: '/api/sign-in/passkeys/:id/remove',
  summary: 'Remove a passkey, unless it is the last way to sign in',
  tag,
  access: 'account',
  words: 'account',
  rateLimit: 'sign-in',
  params: IdParams,
  body: z.object({ password: PasswordAgain }),
})

export const listPersonKeys = endpoint({
  method: 'GET',
  path: '/api/sign-in/keys',
  summary: 'List your own API keys, newest first',
  tag,
  access: 'account',
  paginated: true,
  query: z.object(page),
  response: z.array(PersonKey),
})

export const createPersonKey = endpoint({
  method: 'POST',
  path: '/api/sign-in/keys',
  summary: 'Create an API key for your hunts. Only this response contains its secret. Returns 409 if a key has the same name.',
  tag,
  access: 'member',
  words: 'account',
  rateLimit: 'sign-in',
  body: NewPersonKey,
  response: z.object({ key: PersonKey, secret: z.string() }),
  status: 201,
})

export const revokePersonKey = endpoint({
  method: 'DELETE',
  path: '/api/sign-in/keys/:id',
  summary: 'Revoke one of your API keys. It stops working immediately. Idempotent.',
  tag,
  access: 'account',
  params: IdParams,
})

/** Called during a reset, because a new password doesn't remove passkeys and an intruder may have added one. */
export const listPasskeysOfReset = endpoint({
  method: 'POST',
  path: '/api/auth/password-resets/passkeys',
  summary: 'List the passkeys of the account that an emailed password link is for',
  tag,
  access: 'public',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({ token: Token }),
  response: z.array(Passkey),
})

export const beginProof = endpoint({
  method: 'POST',
  path: '/api/sign-in/proof/options',
  summary: 'Start confirming with a passkey instead of the password',
  tag,
  access: 'account',
  whileLeaving: true,
  rateLimit: 'sign-in',
  response: PasskeyOptions,
})

export const prove = endpoint({
  method: 'POST',
  path: '/api/sign-in/proof',
  summary: "Confirm with a passkey, which also counts as the second factor. For ten minutes, this session doesn't require the password.",
  tag,
  access: 'account',
  words: 'account',
  whileLeaving: true,
  rateLimit: 'sign-in',
  body: z.object({ answer: PasskeyAnswer }),
})

export const beginPasskeySignIn = endpoint({
  method: 'POST',
  path: '/api/auth/passkey/options',
  summary: 'Start signing in with a passkey',
  tag,
  access: 'public',
  rateLimit: 'sign-in',
  response: PasskeyOptions,
})

export const signInWithPasskey = endpoint({
  method: 'POST',
  path: '/api/auth/passkey',
  summary: 'Sign in with a passkey; it counts as the second factor',
  tag,
  access: 'public',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({ answer: PasskeyAnswer }),
  response: z.object({ accountType: AccountType, hasCompletedOnboarding: z.boolean() }),
})

export const connectOpenId = endpoint({
  method: 'POST',
  path: '/api/sign-in/openid/connect',
  summary: 'Read the URL for connecting an account at the OpenID provider',
  tag,
  access: 'account',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({ password: PasswordAgain }),
  response: z.object({ location: z.string() }),
})

export const disconnectOpenId = endpoint({
  method: 'POST',
  path: '/api/sign-in/openid/disconnect',
  summary: "Disconnect your account at the OpenID provider, unless it's your only way to sign in",
  tag,
  access: 'account',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({ password: PasswordAgain }),
})

export const recoveryCodeCount = 10

export const SecondFactorState = z.object({
  isOn: z.boolean(),
  isShown: z.boolean(),
  recoveryCodesLeft: z.int(),
  isRequired: z.boolean(),
  /** If true, turning on the second factor requires the password. */
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
  summary: 'Start setting up or replacing the authenticator app; nothing changes until its first code is confirmed',
  tag: 'Second factor',
  access: 'member',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({ password: PasswordAgain }),
  response: z.object({
    /** Content of the QR code: `otpauth://totp/…`. */
    uri: z.string(),
    /** The secret in `uri`, in base32, for manual entry. */
    secret: z.string(),
  }),
})

export const confirmSecondFactor = endpoint({
  method: 'POST',
  path: '/api/second-factor/confirm',
  summary: 'Turn on the second factor with a code from the authenticator app; only this response shows the recovery codes',
  tag: 'Second factor',
  access: 'member',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({ code: Code }),
  response: RecoveryCodes,
})

export const passSecondFactor = endpoint({
  method: 'POST',
  path: '/api/second-factor/show',
  summary: 'Confirm the second factor in this session with a code from the app or a recovery code, which works once',
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
