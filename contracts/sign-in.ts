import * as z from 'zod/mini'
import { AccountType, Email, NewPassword, PasswordAgain } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdParams } from './ids.ts'
import { page } from './pagination.ts'
import { line, withoutNul } from './text.ts'

const tag = 'Sign-in and security'

const Token = z.string().check(z.minLength(1), z.maxLength(200), withoutNul)

export const mostPasskeys = 20

export const Passkey = z.object({
  id: Id,
  name: z.string(),
  /** Where it is kept, when that is known: "iCloud Keychain". */
  keeper: z.nullable(z.string()),
  /** It is copied to the person's other devices by whoever keeps it; otherwise it lives on one device alone. */
  isSynced: z.boolean(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.nullable(z.iso.datetime()),
})
export type Passkey = z.infer<typeof Passkey>

export const SignInState = z.object({
  email: z.string(),
  /** A new address that waits for the link in its mailbox. */
  emailChange: z.nullable(z.object({ email: z.string(), requestedAt: z.iso.datetime(), expiresAt: z.iso.datetime() })),
  hasPassword: z.boolean(),
  passwordChangedAt: z.nullable(z.iso.datetime()),
  /** This session has shown who it is a moment ago: nothing is asked for again. */
  isProven: z.boolean(),
  /** A moderator or admin whose session has not shown the second factor: nothing here can be changed before. */
  mustShowSecondFactor: z.boolean(),
  hasSecondFactor: z.boolean(),
  /** False where the site has no name of its own, as on a bare IP address: browsers make no passkeys there. */
  canHavePasskeys: z.boolean(),
  passkeys: z.array(Passkey),
  /** Null when the site has no OpenID provider. */
  openId: z.nullable(z.object({ name: z.string(), connectedAt: z.nullable(z.iso.datetime()) })),
})
export type SignInState = z.infer<typeof SignInState>

export const getSignIn = endpoint({
  method: 'GET',
  path: '/api/sign-in',
  summary: 'How the account signs in: address, password, passkeys, connected account',
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
  summary: 'Change the password; ends every other session of the account',
  tag,
  access: 'account',
  words: 'account',
  rateLimit: 'sign-in',
  body: PasswordChange,
})

export const mailPasswordLink = endpoint({
  method: 'POST',
  path: '/api/sign-in/password-link',
  summary: 'Mail a link to set a password to the address of the account',
  tag,
  access: 'account',
  rateLimit: 'mail',
})

export const EmailChange = z.object({ email: Email, password: PasswordAgain })

export const requestEmailChange = endpoint({
  method: 'POST',
  path: '/api/sign-in/email',
  summary: 'Ask for another address; it counts once its mailed link is opened. The answer is the same when the address is taken',
  tag,
  access: 'account',
  words: 'account',
  rateLimit: 'mail',
  body: EmailChange,
})

export const cancelEmailChange = endpoint({
  method: 'DELETE',
  path: '/api/sign-in/email',
  summary: 'Give up the address that is not confirmed yet',
  tag,
  access: 'account',
})

export const confirmEmailChange = endpoint({
  method: 'POST',
  path: '/api/auth/email-changes',
  summary: 'Confirm a new address with the token of the link that was mailed to it',
  tag,
  access: 'public',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({ token: Token }),
})

export const undoEmailChange = endpoint({
  method: 'POST',
  path: '/api/auth/email-change-undos',
  summary:
    'Give the account its old address back with the token that was mailed there; ends every session and mails a link to set a password',
  tag,
  access: 'public',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({ token: Token }),
})

export const SignInSession = z.object({
  id: Id,
  isCurrent: z.boolean(),
  /** "Firefox on Windows"; null where the browser said nothing that is known. */
  device: z.nullable(z.string()),
  kind: z.enum(['phone', 'tablet', 'computer', 'unknown']),
  signedInAt: z.iso.datetime(),
  /** Within minutes. */
  lastUsedAt: z.iso.datetime(),
})
export type SignInSession = z.infer<typeof SignInSession>

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/sign-in/sessions',
  summary: 'Where the account is signed in, the newest first',
  tag,
  access: 'account',
  paginated: true,
  query: z.object({ ...page }),
  response: z.array(SignInSession),
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/sign-in/sessions/:id',
  summary: 'Sign one device out; again is no error',
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

/** Bytes in base64url, as WebAuthn's JSON forms have them. */
const bytes = (most: number) => z.string().check(z.minLength(1), z.maxLength(most), z.regex(/^[\w-]+$/))
const Transports = z.array(z.string().check(z.maxLength(30), withoutNul)).check(z.maxLength(10))
const Known = z.object({ id: z.string(), type: z.literal('public-key'), transports: z.optional(z.array(z.string())) })

/** WebAuthn's `PublicKeyCredentialCreationOptionsJSON`, as far as it is used. */
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

/** WebAuthn's `PublicKeyCredentialRequestOptionsJSON`, as far as it is used. */
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

export const PasskeyName = line(60, 'Give it a name')

export const beginPasskey = endpoint({
  method: 'POST',
  path: '/api/sign-in/passkeys/options',
  summary: 'Begin to add a passkey: what the browser asks the device for',
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
  summary: 'Add the passkey that the device has made',
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
  summary: 'Give a passkey another name',
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

/** A new password alone doesn't end them: a stranger who was in may have added one. */
export const listPasskeysOfReset = endpoint({
  method: 'POST',
  path: '/api/auth/password-resets/passkeys',
  summary: 'List the passkeys of the account that a mailed password link belongs to',
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
  summary: 'Begin to show a passkey in the place of the password',
  tag,
  access: 'account',
  whileLeaving: true,
  rateLimit: 'sign-in',
  response: PasskeyOptions,
})

export const prove = endpoint({
  method: 'POST',
  path: '/api/sign-in/proof',
  summary: 'Show a passkey: for ten minutes this session is asked for no password, and its second factor is shown',
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
  summary: 'Where to send the browser to connect an account of the OpenID provider',
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
