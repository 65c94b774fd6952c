import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, VerifiedRegistrationResponse } from '@simplewebauthn/server'
import { maxPasskeys } from '#contracts/limits.ts'
import type { NewPasskeyAnswer, NewPasskeyOptions, Passkey, PasskeyAnswer, PasskeyOptions } from '#contracts/sign-in.ts'
import { inTransaction, isUniqueViolation } from '#server/db/transaction.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { newSecret } from '#server/kernel/secrets.ts'
import { type PasskeyRow, passkeysOf } from './accounts.queries.ts'
import type { Auth } from './auth.ts'
import { storeValue, takeValue } from './one-use-secrets.ts'
import { auditOwn, lockOwnAccount, requireActiveRole, requireProof, requireSignInMethod, sendSignInNotice } from './proof.ts'

export const toPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  keeper: passkeyProviderOf(row.aaguid),
  isSynced: row.is_synced,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})

const challengeName = ({ sessionId }: Actor) => `passkey-new:${sessionId}`

/**
 * Creates the options that the browser passes to the device.
 * @throws AppError second_factor_required, anything `requireProof` throws, conflict (limit of 20 reached, or unsupported here)
 */
export async function beginPasskey(ctx: Context, auth: Auth, actor: Actor, password: string): Promise<NewPasskeyOptions> {
  requirePasskeys(ctx)
  requireActiveRole(actor)
  const { email } = await requireProof(ctx, auth, actor, password)
  const known = await passkeysOf(ctx.db, actor.id)
  requireRoom(known.length)
  const challenge = await issueChallenge(ctx, challengeName(actor))
  return newPasskeyOptions(ctx, { challenge, userId: actor.id, email, known })
}

function requireRoom(count: number): void {
  if (count >= maxPasskeys) {
    throw new AppError('conflict', { message: `You have ${maxPasskeys} passkeys. First remove one that you no longer use.` })
  }
}

type Given = { name: string; answer: NewPasskeyAnswer }

/**
 * @throws AppError signed_out, second_factor_required, invalid_token (wrong response, or too late), conflict (already registered, or
 * limit of 20)
 */
export async function addPasskey(ctx: Context, actor: Actor, { name, answer }: Given): Promise<Passkey> {
  requireActiveRole(actor)
  const now = ctx.clock.now()
  const challenge = await takeValue(ctx.db, challengeName(actor), now)
  const made = challenge === null ? null : await checkNewPasskey(ctx, challenge, answer)
  if (!made)
    throw new AppError('invalid_token', {
      message: 'We couldn’t add the passkey: it took too long, or was made for another site. Try again.',
    })
  const row: PasskeyRow = {
    id: newId(),
    user_id: actor.id,
    credential_id: made.credential.id,
    public_key: Buffer.from(made.credential.publicKey).toString('base64url'),
    counter: made.credential.counter,
    transports: answer.response.transports ?? [],
    aaguid: made.aaguid,
    is_syncable: made.credentialDeviceType === 'multiDevice',
    is_synced: made.credentialBackedUp,
    name,
    created_at: now,
    last_used_at: null,
  }
  try {
    await inTransaction(ctx.db, async (tx) => {
      await lockOwnAccount(tx, actor)
      requireRoom((await passkeysOf(tx, actor.id)).length)
      await tx.insertInto('passkeys').values(row).execute()
      await sendSignInNotice(ctx, tx, actor.id, 'passkey-added')
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'passkeys_credential_id_key')) throw error
    throw new AppError('conflict', { message: 'This passkey is already added.' })
  }
  return toPasskey(row)
}

/** @throws AppError not_found */
export async function renamePasskey(ctx: Context, actor: Actor, id: string, name: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('passkeys')
      .set({ name })
      .where('id', '=', id)
      .where('user_id', '=', actor.id)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw notFound('This passkey no longer exists.')
    await auditOwn(ctx, tx, actor.id, 'passkey.renamed')
  })
}

/** @throws AppError second_factor_required, anything `requireProof` throws, not_found, conflict (the last sign-in method) */
export async function removePasskey(
  ctx: Context,
  auth: Auth,
  actor: Actor,
  { id, password }: { id: string; password: string },
): Promise<void> {
  requireActiveRole(actor)
  await requireProof(ctx, auth, actor, password)
  await inTransaction(ctx.db, async (tx) => {
    await lockOwnAccount(tx, actor)
    const { numDeletedRows } = await tx.deleteFrom('passkeys').where('id', '=', id).where('user_id', '=', actor.id).executeTakeFirst()
    if (numDeletedRows === 0n) throw notFound('This passkey no longer exists.')
    await requireSignInMethod(tx, ctx.config, actor.id)
    await sendSignInNotice(ctx, tx, actor.id, 'passkey-removed')
  })
}

/** Common passkey providers by AAGUID. Shown only as a hint, since the AAGUID can't be trusted. */
const passkeyProviders: Record<string, string> = {
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd': 'Apple Passwords',
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4': 'Google Password Manager',
  'adce0002-35bc-c60a-648b-0b25f1f05503': 'Chrome on macOS',
  '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello',
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9': 'Windows Hello',
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2': 'Windows Hello',
  '53414d53-554e-4700-0000-000000000000': 'Samsung Pass',
  'bada5566-a7aa-401f-bd96-45619a55120d': '1Password',
  'd548826e-79b4-db40-a3d8-11116f7e8349': 'Bitwarden',
  '531126d6-e717-415c-9320-3d9aa6981239': 'Dashlane',
}

const passkeyProviderOf = (aaguid: string): string | null => passkeyProviders[aaguid] ?? null

// WebAuthn ceremonies with @simplewebauthn/server, which is loaded on first use because most processes never need it.

/** How long a device has to respond before the challenge expires. */
export const ceremonyMs = 300_000

/** Only the newest challenge of an identifier is valid. */
export async function issueChallenge({ db, clock }: Pick<Context, 'db' | 'clock'>, identifier: string): Promise<string> {
  const challenge = newSecret()
  await storeValue(db, { identifier, value: challenge, lifetimeMs: ceremonyMs }, clock.now())
  return challenge
}

type Site = Pick<Context, 'config' | 'brand'>

type Served = { config: Pick<Context['config'], 'publicUrl'> }

const siteOf = ({ config }: Served) => {
  const { hostname, origin, protocol } = new URL(config.publicUrl)
  return { id: hostname, origin, isSecure: protocol === 'https:' || hostname === 'localhost' }
}

/** Browsers create passkeys only for domain names and over secure connections. */
export function canHavePasskeys(ctx: Served): boolean {
  const { id, isSecure } = siteOf(ctx)
  return isSecure && isIP(id.replace(/^\[|\]$/g, '')) === 0
}

/** @throws AppError conflict if this site can't have passkeys */
export function requirePasskeys(ctx: Served): void {
  if (!canHavePasskeys(ctx)) throw new AppError('conflict', { message: 'This site can’t use passkeys. They need a domain name and HTTPS.' })
}

/** The account's ID in binary. The device stores it with the passkey and may return it with each response. */
export const userHandleOf = (userId: string): string => Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')

/** EdDSA, ES256, RS256: used by devices and verifiable by every supported Node version. */
const algorithms = [-8, -7, -257]

type KnownPasskey = Pick<PasskeyRow, 'credential_id' | 'transports'>

const descriptorOf = ({ credential_id, transports }: KnownPasskey) => ({ id: credential_id, type: 'public-key', transports }) as const

function newPasskeyOptions(
  ctx: Site,
  { challenge, userId, email, known }: { challenge: string; userId: string; email: string; known: KnownPasskey[] },
): NewPasskeyOptions {
  return {
    challenge,
    rp: { id: siteOf(ctx).id, name: ctx.brand.name },
    user: { id: userHandleOf(userId), name: email, displayName: email },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: ceremonyMs,
    attestation: 'none',
    excludeCredentials: known.map(descriptorOf),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  }
}

export const passkeyOptions = (ctx: Served, challenge: string, known: KnownPasskey[]): PasskeyOptions => ({
  challenge,
  rpId: siteOf(ctx).id,
  timeout: ceremonyMs,
  userVerification: 'required',
  allowCredentials: known.map(descriptorOf),
})

type NewPasskey = Extract<VerifiedRegistrationResponse, { verified: true }>['registrationInfo']

async function checkNewPasskey(ctx: Context, challenge: string, answer: NewPasskeyAnswer): Promise<NewPasskey | null> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { origin, id } = siteOf(ctx)
  try {
    await requireNoCertificate(answer.response.attestationObject)
    const { clientDataJSON, attestationObject } = answer.response
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...answer, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    return verified ? registrationInfo : null
  } catch (error) {
    ctx.log.info({ reason: (error as Error).message }, 'a new passkey was refused')
    return null
  }
}

/**
 * No attestation certificate is requested, and browsers send none. A certificate that arrives anyway is rejected unread, because
 * checking it would fetch revocation lists from addresses chosen by the sender.
 */
async function requireNoCertificate(attestation: string): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestation, 'base64url')))
  const format = decoded.get('fmt')
  const isPlain = format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
  if (!isPlain) throw new Error('it came with a certificate')
}

/** @returns null if verification fails, otherwise the signature counter and backup state */
export async function checkPasskey(
  ctx: Context,
  { challenge, answer, passkey }: { challenge: string; answer: PasskeyAnswer; passkey: PasskeyRow },
): Promise<{ counter: number; isSyncable: boolean; isSynced: boolean } | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { origin, id } = siteOf(ctx)
  const { userHandle, ...signed } = answer.response
  if (userHandle != null && userHandle !== userHandleOf(passkey.user_id)) return null
  const response: AuthenticationResponseJSON = { ...answer, response: signed, clientExtensionResults: {} }
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
      },
    })
    if (!verified) return null
    const { newCounter, credentialDeviceType, credentialBackedUp } = authenticationInfo
    return { counter: newCounter, isSyncable: credentialDeviceType === 'multiDevice', isSynced: credentialBackedUp }
  } catch (error) {
    ctx.log.info({ reason: (error as Error).message }, 'a passkey was refused')
    return null
  }
}
