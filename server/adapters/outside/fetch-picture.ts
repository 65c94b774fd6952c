import { lookup } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { maxImageBytes } from '#contracts/media.rules.ts'
import { type FetchPicture, OutsideRefused } from '#server/kernel/context.ts'
import { formatOf } from '#server/kernel/media-header.ts'
import { isPublicAddress } from './public-address.ts'

export type OutsideSettings = {
  resolve?: (name: string) => Promise<string[]>
  permit?: (address: string, port: number) => boolean
  timeLimitMs?: number
}

const maxRedirects = 3
/** Web ports only, so that users can't make us connect to other services. */
const webPorts = new Set([80, 443, 8080, 8443])
const pictures = new Set(['jpeg', 'png', 'webp', 'gif', 'avif'])

/** DNS errors for names that don't exist, as opposed to a failing resolver. */
const noSuchName = new Set(['ENOTFOUND', 'ENODATA'])

async function resolveName(name: string): Promise<string[]> {
  try {
    return (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address)
  } catch (error) {
    if (noSuchName.has((error as NodeJS.ErrnoException).code ?? '')) throw new OutsideRefused("This site doesn't exist.", { cause: error })
    throw error
  }
}

/**
 * Fetches pictures from other sites. Connects to exactly the address that was resolved and checked, which prevents DNS rebinding;
 * every redirect is checked again.
 */
export function createPictureFetcher(settings: OutsideSettings = {}): FetchPicture {
  const { resolve = resolveName, timeLimitMs = 10_000 } = settings
  const permit = settings.permit ?? ((address, port) => isPublicAddress(address) && webPorts.has(port))

  return async (address) => {
    const signal = AbortSignal.timeout(timeLimitMs)
    let url = toUrl(address)
    for (let redirects = 0; ; redirects++) {
      const answer = await fetchOnce(url, await permitted(url), signal)
      if (Buffer.isBuffer(answer)) return answer
      if (redirects === maxRedirects) throw new OutsideRefused('The address redirects too often.')
      url = toUrl(answer.location, url)
    }
  }

  /** The address to connect to. A name with any forbidden address is refused. */
  async function permitted(url: URL): Promise<string> {
    const name = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const addresses = isIP(name) ? [name] : await resolve(name)
    const [first] = addresses
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    if (first === undefined || !addresses.every((each) => permit(each, port)))
      throw new OutsideRefused('This address is not on the public web.')
    return first
  }
}

function toUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base) ? new URL(text, base) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new OutsideRefused("This isn't the address of a picture.")
  }
  return url
}

type Answer = Buffer | { location: string }

function fetchOnce(url: URL, address: string, signal: AbortSignal): Promise<Answer> {
  const family = isIP(address)
  const toChecked: LookupFunction = (_name, options, done) =>
    options.all ? done(null, [{ address, family }]) : done(null, address, family)
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      agent: false,
      lookup: toChecked,
      signal,
      headers: { 'user-agent': 'Mozilla/5.0 (compatible; picture fetcher)', accept: 'image/*', 'accept-encoding': 'identity' },
    })
    request.on('error', reject)
    request.on('response', (response) => {
      readAnswer(response)
        .then(resolve, reject)
        .finally(() => request.destroy())
    })
    request.end()
  })
}

async function readAnswer(response: http.IncomingMessage): Promise<Answer> {
  const status = response.statusCode ?? 0
  const { location, 'content-length': length } = response.headers
  if (status >= 300 && status < 400 && location) return { location }
  if (status === 429 || status >= 500) throw new Error(`the other site responded with ${status}`)
  if (status !== 200) throw new OutsideRefused('There is no picture at this address.')
  if (Number(length ?? 0) > maxImageBytes) throw new OutsideRefused('The picture at this address is too large.')
  const parts: Buffer[] = []
  let size = 0
  let isKnown = false
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part)
    size += part.length
    if (size > maxImageBytes) throw new OutsideRefused('The picture at this address is too large.')
    // Stop early for pages and archives.
    if (!isKnown && size >= 64) isKnown = requirePicture(Buffer.concat(parts))
  }
  const bytes = Buffer.concat(parts)
  requirePicture(bytes)
  return bytes
}

function requirePicture(head: Buffer): true {
  const format = formatOf(head)
  if (format === null || !pictures.has(format)) throw new OutsideRefused('There is no picture at this address.')
  return true
}
