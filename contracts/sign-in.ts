import * as z from 'zod/mini'
import { AccountType, Email, NewPassword, PasswordAgain } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdParams } from './ids.ts'
import { page } from './pagination.ts'
import { line, withoutNul } from './text.ts'

const tag = 'Sign-in and security'

const Token = z.string().check(z.minLength(1), z.maxLength(200), withoutNul)

export const maxPasskeys = 20

export const Passkey = z.object({
  id: Id,
  name: z.string(),
  /** The passkey provider, if known: "iCloud Keychain". */
  keeper: z.nullable(z.string()),
  /** Synced to the person's other devices by the provider; otherwise it exists on one device. */
  isSynced: z.boolean(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.nullable(z.iso.datetime()),
})
export type Passkey = z.infer<typeof Passkey>

export const SignInState = z.object({
  email: z.string(),
  /** A new address awaiting confirmation by the emailed link. */
  emailChange: z.nullable(z.object({ email: z.string(), requestedAt: z.iso.datetime(), expiresAt: z.iso.datetime() })),
  hasPassword: z.boolean(),
  passwordChangedAt: z.nullable(z.iso.datetime()),
  /** This session has just re-authenticated, so nothing needs to be entered again. */
  isProven: z.boolean(),
  /** For moderators and admins without a confirmed second factor: nothing here can be changed before. */
  mustShowSecondFactor: z.boolean(),
  hasSecondFactor: z.boolean(),
  /** False if the site has no domain name, as on a bare IP address, where browsers don't create passkeys. */
  canHavePasskeys: z.boolean(),
  passkeys: z.array(Passkey),
  /** Null if the site has no OpenID provider. */
  openId: z.nullable(z.object({ name: z.string(), connectedAt: z.nullable(z.iso.datetime()) })),
})
export type SignInState = z.infer<typeof SignInState>

export const getSignIn = endpoint({
  method: 'GET',
  path: '/api/sign-in',
  summary: 'Read how you sign in: email address, password, passkeys, connected account',
  tag,
  access: 'account',
  whileLeaving: true,
  response: SignInState,
})

export const PasswordChange = z.object({
  currentPassword: z
    .string('Enter your current password')
    .check(z.minLength(1, 'Enter your current password'), z.maxLength(128, 'At most 128 characters'), withoutNul),
  password: NewPassword,
})

export const changePassword = endpoint({
  method: 'POST',
  path: '/api/sign-in/password',
  summary: 'Change the password and end every other session of the account',
  tag,
  access: 'account',
  words: 'account',
  rateLimit: 'sign-in',
  body: PasswordChange,
})

export const mailPasswordLink = endpoint({
  method: 'POST',
  path: '/api/sign-in/password-link',
  summary: "Email a link to set a password to the account's address",
  tag,
  access: 'account',
  rateLimit: 'mail',
})

export const EmailChange = z.object({ email: Email, password: PasswordAgain })

export const requestEmailChange = endpoint({
  method: 'POST',
  path: '/api/sign-in/email',
  summary:
    'Request another email address; it takes effect once its emailed link is opened. The response is the same if the address is taken.',
  tag,
  access: 'account',
  words: 'account',
  rateLimit: 'mail',
  body: EmailChange,
})

export const cancelEmailChange = endpoint({
  method: 'DELETE',
  path: '/api/sign-in/email',
  summary: 'Withdraw the unconfirmed email address',
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
  summary: "Restore the account's old email address with the token emailed there; ends every session and emails a link to set a password",
  tag,
  access: 'public',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({ token: Token }),
})

export const SignInSession = z.object({
  id: Id,
  isCurrent: z.boolean(),
  /** "Firefox on Windows"; null if unknown. */
  device: z.nullable(z.string()),
  kind: z.enum(['phone', 'tablet', 'computer', 'unknown']),
  signedInAt: z.iso.datetime(),
  /** Accurate to a few minutes. */
  lastUsedAt: z.iso.datetime(),
})
export type SignInSession = z.infer<typeof SignInSession>

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/sign-in/sessions',
  summary: 'List where the account is signed in, newest first',
  tag,
  access: 'account',
  paginated: true,
  query: z.object({ ...page }),
  response: z.array(SignInSession),
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/sign-in/sessions/:id',
  summary: 'Sign one device out. Idempotent.',
  tag,
  access: 'account',
  params: IdParams,
})

export const endOtherSessions = endpoint({
  method: 'POST',
  path: '/api/sign-in/sessions/end-others',
  summary: 'Sign every other device out',
  tag,
  access: 'account',
  response: z.object({ ended: z.int() }),
})

/** Base64url-encoded bytes, as in WebAuthn's JSON formats. */
const bytes = (max: number) => z.string().check(z.minLength(1), z.maxLength(max), z.regex(/^[\w-]+$/))
const Transports = z.array(z.string().check(z.maxLength(30), withoutNul)).check(z.maxLength(10))
const Known = z.object({ id: z.string(), type: z.literal('public-key'), transports: z.optional(z.array(z.string())) })

/** The used subset of WebAuthn's `PublicKeyCredentialCreationOptionsJSON`. */
export const NewPasskeyOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(Known),
  authenticatorSelection: z.object({ residentKey: z.literal('required'), userVerification: z.literal('required') }),
})
export type NewPasskeyOptions = z.infer<typeof NewPasskeyOptions>

/** The used subset of WebAuthn's `PublicKeyCredentialRequestOptionsJSON`. */
export const PasskeyOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
  allowCredentials: z.array(Known),
})
export type PasskeyOptions = z.infer<typeof PasskeyOptions>

const maxId = 1400

export const NewPasskeyAnswer = z.object({
  id: bytes(maxId),
  rawId: bytes(maxId),
  type: z.literal('public-key'),
  response: z.object({ clientDataJSON: bytes(4000), attestationObject: bytes(40_000), transports: z.optional(Transports) }),
})
export type NewPasskeyAnswer = z.infer<typeof NewPasskeyAnswer>

export const PasskeyAnswer = z.object({
  id: bytes(maxId),
  rawId: bytes(maxId),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes(4000),
    authenticatorData: bytes(8000),
    signature: bytes(4000),
    userHandle: z.optional(z.nullable(z.string().check(z.maxLength(200), withoutNul))),
  }),
})
export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>

export const PasskeyName = line(60, 'Enter a name')

export const beginPasskey = endpoint({
  method: 'POST',
  path: '/api/sign-in/passkeys/options',
  summary: 'Begin to add a passkey; returns the options for the browser',
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

/** A new password doesn't remove passkeys, but an intruder may have added one. */
export const listPasskeysOfReset = endpoint({
  method: 'POST',
  path: '/api/auth/password-resets/passkeys',
  summary: 'List the passkeys of the account that an emailed password link belongs to',
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
  summary: 'Begin to use a passkey instead of the password',
  tag,
  access: 'account',
  whileLeaving: true,
  rateLimit: 'sign-in',
  response: PasskeyOptions,
})

export const prove = endpoint({
  method: 'POST',
  path: '/api/sign-in/proof',
  summary: 'Use a passkey: for ten minutes this session needs no password, and its second factor is passed',
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
  summary: 'Begin to sign in with a passkey',
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
  summary: 'Read where to send the browser to connect an account of the OpenID provider',
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
  summary: 'Disconnect the account of the OpenID provider, unless it is the last way to sign in',
  tag,
  access: 'account',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({ password: PasswordAgain }),
})
