import dns from 'node:dns'
import https from 'node:https'
import net, { type LookupFunction } from 'node:net'
import webPush from 'web-push'
import { isPublicAddress } from '#server/adapters/outside/public-address.ts'
import type { Pusher } from '#server/kernel/context.ts'

export type PushRequest = { url: string; method: string; headers: Record<string, string>; body: Buffer }
/** Sends one request to a URL named by a browser and returns the status. @throws if there is no response */
export type PushTransport = (request: PushRequest) => Promise<number>

type Settings = {
  keys: { publicKey: string; privateKey: string }
  /** How push services can contact us. */
  contact: string
  transport: PushTransport
}

/** How long push services keep undelivered messages. */
const daySeconds = 86_400

/**
 * Web push, encrypted for the browser (RFC 8291) and signed by us (VAPID, RFC 8292). Messages for an offline browser replace each
 * other, because each includes the current count.
 */
export function createPusher({ keys, contact, transport }: Settings): Pusher {
  return {
    publicKey: keys.publicKey,
    async send({ endpoint, p256dh, auth }, message) {
      const details = requestDetails(endpoint, { p256dh, auth }, JSON.stringify(message))
      // Invalid keys can't come from a browser, so nothing can ever be sent there.
      if (!details) return 'gone'
      const status = await transport({
        url: endpoint,
        method: details.method,
        headers: Object.fromEntries(Object.entries(details.headers).map(([name, value]) => [name, String(value)])),
        body: details.body,
      })
      if (status === 404 || status === 410) return 'gone'
      if (status >= 200 && status < 300) return 'sent'
      throw new Error(`The push service responded with ${status}.`)
    },
  }

  function requestDetails(endpoint: string, subscriptionKeys: { p256dh: string; auth: string }, payload: string) {
    try {
      return webPush.generateRequestDetails({ endpoint, keys: subscriptionKeys }, payload, {
        vapidDetails: { subject: `mailto:${contact}`, ...keys },
        TTL: daySeconds,
        contentEncoding: 'aes128gcm',
        urgency: 'normal',
        topic: 'notifications',
      })
    } catch {
      return null
    }
  }
}

const timeoutMs = 10_000

/** Resolves a name and refuses it if any of its addresses isn't public. Connects only to checked addresses. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    const fault = error ?? (first && addresses.every(({ address }) => isPublicAddress(address)) ? null : refused(hostname))
    if (fault || !first) return callback(fault ?? refused(hostname), '')
    if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  })
}

const refused = (hostname: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${hostname} is not a public address.`), { code: 'EHOSTUNREACH' })

/**
 * HTTPS to the URL that a browser named as its push service. It is user input, so it must not lead into our own network; redirects
 * aren't followed, and only the status of the response is read.
 */
export const httpsTransport: PushTransport = ({ url, method, headers, body }) =>
  new Promise((resolve, reject) => {
    const { protocol, hostname } = new URL(url)
    // IP literals aren't looked up, so check them here.
    const literal = hostname.replace(/^\[|\]$/g, '')
    if (protocol !== 'https:' || (net.isIP(literal) !== 0 && !isPublicAddress(literal))) return reject(refused(hostname))
    const request = https.request(
      url,
      { method, headers, lookup: publicLookup, agent: false, signal: AbortSignal.timeout(timeoutMs) },
      (response) => {
        resolve(response.statusCode ?? 0)
        response.destroy()
      },
    )
    request.on('error', reject)
    request.end(body)
  })
