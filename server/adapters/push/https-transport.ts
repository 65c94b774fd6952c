import dns from 'node:dns'
import https from 'node:https'
import net, { type LookupFunction } from 'node:net'
import { isPublicAddress } from '../outside/public-address.ts'
import type { PushTransport } from './vapid-pusher.ts'

const timeoutMs = 10_000

/** Looks a name up, and refuses it when any of its addresses is not public; the connection goes to what was checked. */
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
  Object.assign(new Error(`${hostname} is no public address.`), { code: 'EHOSTUNREACH' })

/**
 * HTTPS to the address that a browser named as its push service. It comes from a user, so it may not lead into our own network;
 * redirects are not followed, and of the answer nothing but the status is read.
 */
export const httpsTransport: PushTransport = ({ url, method, headers, body }) =>
  new Promise((resolve, reject) => {
    const { protocol, hostname } = new URL(url)
    // A literal address is not looked up, so it is checked here.
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
