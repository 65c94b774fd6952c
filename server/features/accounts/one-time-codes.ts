import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createOTP } from '@better-auth/utils/otp'

/** Codes of an authenticator app: RFC 6238 with what every app understands, six digits of SHA-1 every thirty seconds. */

const stepMs = 30_000
/** A device's clock may be off by half a minute either way. */
const toleratedSteps = [0, -1, 1]

export const stepAt = (now: Date): number => Math.floor(now.getTime() / stepMs)

/** 144 bits (RFC 4226 asks for 128), as text whose bytes are the key. */
export const newSecret = (): string => randomBytes(18).toString('base64url')

export const codeAt = (secret: string, step: number): Promise<string> => createOTP(secret).hotp(step)

/** What an app reads from the QR code, and the same secret in base32 to type. */
export function invitationTo(secret: string, issuer: string, account: string): { uri: string; secret: string } {
  const uri = createOTP(secret).url(issuer, account)
  return { uri, secret: new URL(uri).searchParams.get('secret') as string }
}

/**
 * The time step whose code this is, or null. A step that is not after `lastStep` is spent: whoever looked over a shoulder has nothing.
 * All tolerated steps are compared, in a time that tells nothing.
 */
export async function stepOf(secret: string, code: string, now: Date, lastStep: number): Promise<number | null> {
  const given = Buffer.from(code.padEnd(6).slice(0, 6), 'latin1')
  let found: number | null = null
  for (const offset of toleratedSteps) {
    const step = stepAt(now) + offset
    const isRight = timingSafeEqual(given, Buffer.from(await codeAt(secret, step), 'latin1'))
    if (isRight && code.length === 6 && step > lastStep) found ??= step
  }
  return found
}
