import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/**
 * The secret of a business's payment account, as it is kept: encrypted by a key of the server's own secret (which is not in the
 * database), and bound to the account and its business, so that a row that was copied to another one opens nothing.
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

/** Null when it cannot be opened: it was changed, belongs to another account, or the server's secret is another one by now. */
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
 * The id of an account that is about to be connected: the same one for the same account of a business. Should the server stop after
 * its webhook was made and before it is stored, the next try finds that webhook.
 */
export function accountIdOf(serverSecret: string, businessId: string, clientId: string): string {
  const hash = createHmac('sha256', serverSecret).update(`payment account|${businessId}|${clientId}`).digest('hex')
  // A version 8 UUID (RFC 9562): made in a way of one's own.
  return [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `a${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-')
}
