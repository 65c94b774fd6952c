import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, VerifiedRegistrationResponse } from '@simplewebauthn/server'
import type { NewPasskeyAnswer, NewPasskeyOptions, PasskeyAnswer, PasskeyOptions } from '#contracts/sign-in.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { PasskeyRow } from './accounts.queries.ts'
import { newSecret, storeValue } from './one-use-secrets.ts'

/** WebAuthn ceremonies with @simplewebauthn/server, which is loaded on first use because most processes never need it. */

/** How long a device has to respond before the challenge expires. */
export const ceremonyMs = 300_000

/** Stores a challenge for a device to sign until `takeValue`; only the newest challenge of an identifier is valid. */
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
  if (!canHavePasskeys(ctx)) throw new AppError('conflict', { message: "This site can't use passkeys. They need a domain name and HTTPS." })
}

/** Stored on the device with the passkey and returned with each response. Contains nothing that identifies the person. */
export const userHandleOf = (userId: string): string => Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')

/** EdDSA, ES256, RS256: used by devices and verifiable by every supported Node. */
const algorithms = [-8, -7, -257]

type KnownPasskey = Pick<PasskeyRow, 'credential_id' | 'transports'>

const descriptorOf = ({ credential_id, transports }: KnownPasskey) => ({ id: credential_id, type: 'public-key', transports }) as const

export function newPasskeyOptions(
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

/** Null if the response does not match the challenge. */
export async function checkNewPasskey(ctx: Context, challenge: string, answer: NewPasskeyAnswer): Promise<NewPasskey | null> {
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
 * We request no attestation certificate, and browsers send none. A certificate that arrives anyway is rejected unread, because
 * checking it would fetch revocation lists from addresses chosen by the sender.
 */
async function requireNoCertificate(attestation: string): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestation, 'base64url')))
  const format = decoded.get('fmt')
  const isPlain = format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
  if (!isPlain) throw new Error('it came with a certificate')
}

/** Verifies a device's response to our challenge. Returns null if it fails, otherwise the signature counter and backup state. */
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
