import { lookup } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { maxImageBytes } from '#contracts/media.rules.ts'
import { type FetchPicture, type Outside, type OutsideAnswer, OutsideRefused, type OutsideRequest } from '#server/kernel/context.ts'
import { formatOf } from '#server/kernel/media-header.ts'

export type OutsideSettings = {
  resolve?: (name: string) => Promise<string[]>
  /** Replaces the default rule, which permits public addresses on web ports. */
  permit?: (address: string, port: number) => boolean
  /** `address:port` pairs on this machine or a private network that the operator allows, even over plain HTTP. */
  alsoAllowed?: readonly string[]
}

/** Keeps people from making the server connect to services other than websites. */
const webPorts = new Set([80, 443, 8080, 8443])

const isPublicTarget = (address: string, port: number) => isPublicAddress(address) && webPorts.has(port)

/** DNS errors for a name that doesn't exist. Other errors mean that the resolver failed. */
const noSuchName = new Set(['ENOTFOUND', 'ENODATA'])

async function resolveName(name: string): Promise<string[]> {
  try {
    return (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address)
  } catch (error) {
    if (noSuchName.has((error as NodeJS.ErrnoException).code ?? '')) throw new OutsideRefused('This site doesn’t exist.', { cause: error })
    throw error
  }
}

const checkLimitMs = 5000

type Target = { url: URL; address: string }

/**
 * Calls URLs that people entered. Connects to exactly the address that was resolved and checked, which prevents DNS rebinding. Checks every
 * redirect again, and sends credentials to no other origin.
 */
export function createOutside({ resolve = resolveName, permit = isPublicTarget, alsoAllowed = [] }: OutsideSettings = {}): Outside {
  const allowed = new Set(alsoAllowed)

  return {
    async check(url) {
      await targetOf(url, {}, AbortSignal.timeout(checkLimitMs))
    },
    call,
  }

  async function call(request: OutsideRequest): Promise<OutsideAnswer> {
    const signal = AbortSignal.timeout(request.timeLimitMs)
    let target = await targetOf(request.url, request, signal)
    let { headers = {} } = request
    for (let redirects = 0; ; redirects++) {
      const answer = await callOnce(target, { ...request, headers }, signal)
      const { location } = answer.headers
      const isRedirect = answer.status >= 300 && answer.status < 400 && location !== undefined
      if (!isRedirect || !request.maxRedirects) return answer
      if (redirects === request.maxRedirects) throw new OutsideRefused('The address redirects too many times.')
      const next = await targetOf(location, request, signal, target.url)
      if (next.url.origin !== target.url.origin) headers = withoutCredentials(headers, request.secretHeader)
      target = next
    }
  }

  /** One forbidden address is enough to refuse a name. */
  async function targetOf(
    text: string,
    { isHttpAllowed = false }: Pick<OutsideRequest, 'isHttpAllowed'>,
    signal: AbortSignal,
    base?: URL,
  ): Promise<Target> {
    const url = toUrl(text, base)
    const name = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const addresses = isIP(name) ? [name] : await orAbort(resolve(name), signal)
    const [address] = addresses
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    const isByOperator = addresses.every((each) => allowed.has(`${isIP(each) === 6 ? `[${each}]` : each}:${port}`))
    if (address === undefined || !(isByOperator || addresses.every((each) => permit(each, port))))
      throw new OutsideRefused('This address is not on the public web.')
    if (url.protocol === 'http:' && !isHttpAllowed && !isByOperator) throw new OutsideRefused('The address must start with https://.')
    return { url, address }
  }
}

function toUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base) ? new URL(text, base) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new OutsideRefused('This isn’t a web address.')
  }
  return url
}

function withoutCredentials(headers: OutsideRequest['headers'], secretHeader = 'authorization'): Record<string, string> {
  return Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => name.toLowerCase() !== secretHeader.toLowerCase()))
}

/** Stops waiting when the signal aborts, because name resolution can't be canceled. */
function orAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

function callOnce({ url, address }: Target, request: OutsideRequest, signal: AbortSignal): Promise<OutsideAnswer> {
  const family = isIP(address)
  const toChecked: LookupFunction = (_name, options, done) =>
    options.all ? done(null, [{ address, family }]) : done(null, address, family)
  return new Promise((resolve, reject) => {
    const call = (url.protocol === 'https:' ? https : http).request(url, {
      method: request.method ?? 'GET',
      agent: false,
      lookup: toChecked,
      signal,
      headers: { 'accept-encoding': 'identity', ...request.headers },
    })
    call.on('error', reject)
    call.on('response', (response) => {
      readAnswer(response, request)
        .then(resolve, reject)
        .finally(() => call.destroy())
    })
    call.end(request.body)
  })
}

/** Doesn't read the bodies of refusals and redirects. */
async function readAnswer(response: http.IncomingMessage, { maxBytes, checkStart }: OutsideRequest): Promise<OutsideAnswer> {
  const answer = { status: response.statusCode ?? 0, headers: response.headers }
  if (maxBytes === 0 || answer.status !== 200) return { ...answer, body: Buffer.alloc(0) }
  const tooLarge = () => new OutsideRefused('The file at this address is too large.')
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
  const parts: Buffer[] = []
  let size = 0
  let isChecked = false
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part)
    size += part.length
    if (size > maxBytes) throw tooLarge()
    if (!isChecked && checkStart && size >= startBytes) {
      checkStart(Buffer.concat(parts))
      isChecked = true
    }
  }
  return { ...answer, body: Buffer.concat(parts) }
}

const startBytes = 64

const pictures = new Set(['jpeg', 'png', 'webp', 'gif', 'avif'])

export function createPictureFetcher(outside: Pick<Outside, 'call'>, timeLimitMs = 10_000): FetchPicture {
  return async (url) => {
    const { status, body } = await outside.call({
      url,
      isHttpAllowed: true,
      headers: { 'user-agent': 'Mozilla/5.0 (compatible; picture fetcher)', accept: 'image/*' },
      maxBytes: maxImageBytes,
      timeLimitMs,
      maxRedirects: 3,
      // Stops early for anything but a picture, such as a page or an archive.
      checkStart: requirePicture,
    })
    if (status === 429 || status >= 500) throw new Error(`the other site responded with ${status}`)
    if (status !== 200) throw new OutsideRefused('There is no picture at this address.')
    requirePicture(body)
    return body
  }
}

function requirePicture(start: Buffer): void {
  const format = formatOf(start)
  if (format === null || !pictures.has(format)) throw new OutsideRefused('There is no picture at this address.')
}

/**
 * Whether the address is on the public internet. Refuses loopback, private and carrier networks, link-local addresses (cloud metadata
 * services), multicast, and every IPv6 form that embeds an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  // Assigned IPv6 space starts with 001 (2000::/3). No public machine is outside it.
  return parsed.kind() === 'ipv4' || parsed.match(ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number])
}
