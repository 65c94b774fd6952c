import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Encrypts the secret of a business's payment account with a key derived from the server's secret (which is not in the
 * database). The account and business are authenticated, so a row copied to another account can't be opened.
 */

type Bound = { id: string; businessId: string }

const version = 'v1'
const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

const keyOf = (serverSecret: string) => Buffer.from(hkdfSync('sha256', serverSecret, '', 'payment account secrets 1', 32))
const contextOf = ({ id, businessId }: Bound) => Buffer.from(`${version}|${businessId}|${id}`)

export function sealSecret(serverSecret: string, bound: Bound, secret: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, keyOf(serverSecret), nonce).setAAD(contextOf(bound))
  const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${version}.${sealed.toString('base64url')}`
}

/** Null if it was altered, belongs to another account, or the server's secret has changed. */
export function openSecret(serverSecret: string, bound: Bound, sealed: string): string | null {
  const [given, text = ''] = sealed.split('.')
  const bytes = Buffer.from(text, 'base64url')
  if (given !== version || bytes.length < nonceBytes + tagBytes) return null
  const decipher = createDecipheriv(algorithm, keyOf(serverSecret), bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(contextOf(bound))
    .setAuthTag(bytes.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/**
 * Derives the ID of an account to be connected, deterministically per business and client ID. If the server stops after creating
 * the webhook and before storing it, the next try finds that webhook.
 */
export function accountIdOf(serverSecret: string, businessId: string, clientId: string): string {
  const hash = createHmac('sha256', serverSecret).update(`payment account|${businessId}|${clientId}`).digest('hex')
  // A version 8 UUID (RFC 9562): custom format.
  return [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `a${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-')
}
