import dns from 'node:dns'
import https from 'node:https'
import net, { type LookupFunction } from 'node:net'
import { isPublicAddress } from '#server/adapters/outside/public-address.ts'
import type { PushTransport } from './vapid-pusher.ts'

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
