import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import * as z from 'zod'
import { hasOwnAddress } from '#contracts/brand.ts'

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number)

export const oneOf = <const T extends readonly [string, ...string[]]>(...words: T) => z.enum(words, { error: `must be ${listed(words)}` })

const parsedUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

export const urlOf = (schemes: readonly string[]) =>
  z.string().refine((text) => schemes.includes(parsedUrl(text)?.protocol.slice(0, -1) ?? ''), {
    error: `must be a URL that begins with ${listed(schemes.map((scheme) => `${scheme}://`))}`,
  })

/** URLs separated by commas. A comma in a password must be percent-encoded. */
export const urlsOf = (schemes: readonly string[]) =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((urls) => urls.every((url) => schemes.includes(parsedUrl(url)?.protocol.slice(0, -1) ?? '')), {
      error: `must be URLs that begin with ${listed(schemes.map((scheme) => `${scheme}://`))}, separated by commas`,
    })

export const isHttpUrl = (text: string) => /^https?:$/.test(parsedUrl(text)?.protocol ?? '')

/** Keys and questions are sent to this URL, so plain HTTP is allowed only on this machine. */
export function isSafeUrl(text: string): boolean {
  const url = parsedUrl(text)
  if (!url || url.username || url.password || url.search || url.hash) return false
  return url.protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
}

export function isOrigin(text: string): boolean {
  const url = parsedUrl(text)
  return isHttpUrl(text) && url !== undefined && url.pathname === '/' && !url.search && !url.hash && !url.username
}

export const brandName = z
  .string()
  .max(40, { error: 'must be at most 40 characters long' })
  .refine(hasOwnAddress, { error: 'must contain a letter from A to Z or a digit, and must not match the address of a page, such as Help' })

export const email = z.email({ error: 'must be an email address' })

export const mailSender = z.string().regex(/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/, {
  error: 'must be an email address, or a name and an address such as Sungrove <mail@example.com>',
})

const namedRanges = ['loopback', 'linklocal', 'uniquelocal']

const isAddressRange = (text: string) => namedRanges.includes(text) || ipaddr.isValid(text) || ipaddr.isValidCIDR(text)

export const trustedProxies = z
  .string()
  .transform((text) => (/^\d+$/.test(text) ? Number(text) : text.split(',').map((part) => part.trim())))
  .refine((value) => (typeof value === 'number' ? value <= 32 : value.every(isAddressRange)), {
    error: `must be a number of proxies (0 to 32), or addresses and CIDRs separated by commas (also ${listed(namedRanges)})`,
  })

/** IP addresses with ports, separated by commas, formatted as Node.js prints them. */
export const privateTargets = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((targets) => targets.every(isTarget), {
    error: 'must be IP addresses with ports, separated by commas, such as 127.0.0.1:4000,[::1]:4000',
  })

function isTarget(text: string): boolean {
  const [, address = '', port = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  return Number(port) > 0 && Number(port) <= 65_535 && isIP(address.replace(/^\[(.*)\]$/, '$1')) === (address.startsWith('[') ? 6 : 4)
}

export const stateCodes = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim().toUpperCase()))
  .refine((codes) => codes.every((code) => /^[A-Z]{2}$/.test(code)), {
    error: 'must be postal codes of states, separated by commas, such as NY,CA',
  })

export function listed(words: readonly string[], last: 'or' | 'and' = 'or'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}

/** `name=value,other=value` with percent-encoded values, as OpenTelemetry specifies. Undefined if malformed. */
export function otlpHeaders(text: string): Record<string, string> | undefined {
  const pairs = text.split(',').flatMap((part) => (part.trim() === '' ? [] : [/^([^=]*)=(.*)$/s.exec(part) ?? []]))
  try {
    // `decodeURIComponent` throws on an invalid encoding, and `Headers` on an invalid name or value.
    return Object.fromEntries(new Headers(pairs.map(([, name = '', value = '']) => [name.trim(), decodeURIComponent(value.trim())])))
  } catch {
    return undefined
  }
}

/** For a mail header, quoted so a comma or a dot in a brand doesn't split the address. */
export const quotedName = (name: string) => (/^[\w ]+$/.test(name) ? name : `"${name.replace(/["\\\r\n]/g, '')}"`)
