import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** 256 random bits. The prefix lets scanners for leaked secrets recognize what the secret is for. */
export const newSecret = (prefix = ''): string => prefix + randomBytes(32).toString('base64url')

/** The hash to store. Secrets with at least 128 random bits need no slow hash. */
export const hashOfSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/**
 * Secrets that must be used again, such as the password of someone else's server, are encrypted with a key derived from the server's
 * secret, which is not in the database. `about` is authenticated, so a secret copied to another row can't be decrypted.
 */
export type Seal = { serverSecret: string; purpose: string; about: string }

const version = 'v1'
const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

const keyOf = ({ serverSecret, purpose }: Seal) => Buffer.from(hkdfSync('sha256', serverSecret, '', purpose, 32))
const contextOf = ({ about }: Seal) => Buffer.from(`${version}|${about}`)

export function seal(by: Seal, secret: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, keyOf(by), nonce).setAAD(contextOf(by))
  const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${version}.${sealed.toString('base64url')}`
}

/** Null if the secret was altered or belongs to another row, or if the server's secret has changed. */
export function unseal(by: Seal, sealed: string): string | null {
  const [given, text = ''] = sealed.split('.')
  const bytes = Buffer.from(text, 'base64url')
  if (given !== version || bytes.length < nonceBytes + tagBytes) return null
  const decipher = createDecipheriv(algorithm, keyOf(by), bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(contextOf(by))
    .setAuthTag(bytes.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
