import { verify, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { Clock } from '#server/kernel/clock.ts'
import type { Headers } from '#server/kernel/payments.ts'

type Settings = {
  webhookId: string
  /** Certificates come from PayPal's hosts and from this one, which differs only for tests and gateways. */
  apiUrl: string
  clock: Clock
  timeoutMs?: number
}

const maxCertificates = 20
const maxCertificateBytes = 64 * 1024
const pathPattern = /^\/v1\/notifications\/certs\/[\w-]{1,100}$/

/**
 * Verifies that PayPal signed these bytes for our webhook, as documented: an RSA signature with SHA-256 over transmission ID, time,
 * webhook ID and the body's CRC-32, with a certificate served by PayPal's own hosts over HTTPS. Returns false if anything is
 * missing or malformed; throws if the certificate couldn't be fetched, so that PayPal delivers the webhook again.
 */
export function createPayPalVerifier({ webhookId, apiUrl, clock, timeoutMs = 5_000 }: Settings) {
  const certificates = new LRUCache<string, X509Certificate>({ max: maxCertificates })

  async function certificateAt(url: string): Promise<X509Certificate | null> {
    const known = certificates.get(url)
    if (known) return known
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    if (response.status === 404) return null
    if (!response.ok) throw new Error(`PayPal's certificate could not be fetched (${response.status}).`)
    const pem = await response.text()
    if (pem.length > maxCertificateBytes) return null
    let certificate: X509Certificate
    try {
      certificate = new X509Certificate(pem)
    } catch {
      return null
    }
    certificates.set(url, certificate)
    return certificate
  }

  return async function isSigned(headers: Headers, rawBody: Buffer): Promise<boolean> {
    const read = (name: string) => {
      const value = headers[name]
      return typeof value === 'string' && value.length > 0 && value.length <= 1000 ? value : null
    }
    const id = read('paypal-transmission-id')
    const time = read('paypal-transmission-time')
    const signature = read('paypal-transmission-sig')
    const certificateUrl = read('paypal-cert-url')
    if (!id || !time || !signature || !certificateUrl || read('paypal-auth-algo') !== 'SHA256withRSA') return false
    if (!isPayPals(certificateUrl, apiUrl)) return false
    const certificate = await certificateAt(certificateUrl)
    const now = clock.now()
    if (!certificate || new Date(certificate.validFrom) > now || new Date(certificate.validTo) < now) return false
    const signed = Buffer.from(`${id}|${time}|${webhookId}|${crc32(rawBody)}`)
    return verify('RSA-SHA256', signed, certificate.publicKey, Buffer.from(signature, 'base64'))
  }
}

/** Otherwise an attacker could name another host and sign with their own key. */
export function isPayPals(certificateUrl: string, apiUrl: string): boolean {
  if (!URL.canParse(certificateUrl)) return false
  const url = new URL(certificateUrl)
  if (!pathPattern.test(url.pathname) || url.search || url.username || url.password) return false
  if (url.origin === new URL(apiUrl).origin) return true
  return url.protocol === 'https:' && url.port === '' && /^([a-z0-9-]+\.)+paypal\.com$/.test(url.hostname)
}
