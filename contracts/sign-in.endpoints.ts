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
  summary: "Email the account's address a link to set a password",
  tag,
  access: 'account',
  rateLimit: 'mail',
})

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
  summary: 'Start adding a passkey; returns the options for the browser',
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
  summary: 'Create an API key for your hunts. Its secret is in this response only; 409 if a key has the same name.',
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
  summary: 'Revoke one of your API keys. It stops working at once. Idempotent.',
  tag,
  access: 'account',
  params: IdParams,
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
  summary: "Disconnect your account at the OpenID provider, unless it's your only way to sign in",
  tag,
  access: 'account',
  words: 'account',
  rateLimit: 'sign-in',
  body: z.object({ password: PasswordAgain }),
})
