import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Config } from '../../config.ts'

/** AES-256-GCM with a key of its own, derived from SESSION_SECRET. The account is sealed in: a row that is copied to another opens nothing. */

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

const keyOf = ({ sessionSecret }: Pick<Config, 'sessionSecret'>) => Buffer.from(hkdfSync('sha256', sessionSecret, '', 'second factor', 32))

export function seal(config: Pick<Config, 'sessionSecret'>, userId: string, secret: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, keyOf(config), nonce).setAAD(Buffer.from(userId))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Null when it was sealed under another SESSION_SECRET, for another account, or has been changed. */
export function unseal(config: Pick<Config, 'sessionSecret'>, userId: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length <= nonceBytes + tagBytes) return null
  const decipher = createDecipheriv(algorithm, keyOf(config), bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(userId))
    .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
