import { Email, NewPassword, PasswordAgain } from './accounts.ts'
import { personKeyScopes } from './choices.ts'
import { Id, line, withoutNul } from './fields.ts'
import { maxKeyDays } from './limits.ts'
import * as z from './zod.ts'

export const Passkey = z.object({
  id: Id,
  name: z.string(),
  /** The passkey provider, if known, such as "iCloud Keychain". */
  keeper: z.nullable(z.string()),
  /** If false, the passkey exists on only one device. */
  isSynced: z.boolean(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.nullable(z.iso.datetime()),
})
export type Passkey = z.infer<typeof Passkey>

export const SignInState = z.object({
  email: z.string(),
  /** A new address that hasn't been confirmed with the emailed link. */
  emailChange: z.nullable(z.object({ email: z.string(), requestedAt: z.iso.datetime(), expiresAt: z.iso.datetime() })),
  hasPassword: z.boolean(),
  passwordChangedAt: z.nullable(z.iso.datetime()),
  /** This session has just re-authenticated, so nothing needs to be entered again. */
  isProven: z.boolean(),
  /** Moderators and admins can't change anything here until they confirm a second factor. */
  mustShowSecondFactor: z.boolean(),
  hasSecondFactor: z.boolean(),
  /** False unless the site has a domain name and HTTPS, because browsers create passkeys only there. */
  canHavePasskeys: z.boolean(),
  passkeys: z.array(Passkey),
  openId: z.nullable(z.object({ name: z.string(), connectedAt: z.nullable(z.iso.datetime()) })),
})
export type SignInState = z.infer<typeof SignInState>

export const PasswordChange = z.object({
  currentPassword: z
    .string('Enter your current password')
    .check(z.minLength(1, 'Enter your current password'), z.maxLength(128, 'At most 128 characters'), withoutNul),
  password: NewPassword,
})

export const EmailChange = z.object({ email: Email, password: PasswordAgain })

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

const PersonKeyScope = z.enum(personKeyScopes)

/** Lets a program act for a person within the key's scopes. */
export const PersonKey = z.object({
  id: Id,
  name: z.string(),
  scopes: z.array(PersonKeyScope),
  /** The secret's last characters, to tell keys apart. */
  secretEnd: z.string(),
  isExpired: z.boolean(),
  createdAt: z.iso.datetime(),
  expiresAt: z.nullable(z.iso.datetime()),
  /** Accurate to a minute. */
  lastUsedAt: z.nullable(z.iso.datetime()),
})
export type PersonKey = z.infer<typeof PersonKey>

export const PersonKeyName = line(60, 'Name the key after the program that will use it')

export const NewPersonKey = z.object({
  name: PersonKeyName,
  scopes: z.array(PersonKeyScope).check(z.minLength(1, 'Choose what the key may do'), z.maxLength(personKeyScopes.length)),
  expiresInDays: z._default(
    z.nullable(z.int('Must be a whole number of days').check(z.minimum(1, 'At least one day'), z.maximum(maxKeyDays, 'At most two years'))),
    null,
  ),
  password: PasswordAgain,
})

/** Base64url-encoded bytes, as in WebAuthn's JSON formats. */
const bytes = (max: number) => z.string().check(z.minLength(1), z.maxLength(max), z.regex(/^[\w-]+$/))
const Transports = z.array(z.string().check(z.maxLength(30), withoutNul)).check(z.maxLength(10))
const Known = z.object({ id: z.string(), type: z.literal('public-key'), transports: z.optional(z.array(z.string())) })

/** The fields of WebAuthn's `PublicKeyCredentialCreationOptionsJSON` that this site sends. */
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

/** The fields of WebAuthn's `PublicKeyCredentialRequestOptionsJSON` that this site sends. */
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
