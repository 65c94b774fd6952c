import ipaddr from 'ipaddr.js'
import * as z from 'zod'

/** Parsers and error messages for environment variables. */

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number)

export const oneOf = <const T extends readonly [string, ...string[]]>(...words: T) => z.enum(words, { error: `must be ${listed(words)}` })

export const parsedUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

export const urlOf = (schemes: readonly string[]) =>
  z.string().refine((text) => schemes.includes(parsedUrl(text)?.protocol.slice(0, -1) ?? ''), {
    error: `must be a URL that begins with ${listed(schemes.map((scheme) => `${scheme}://`))}`,
  })

export const email = z.email({ error: 'must be an email address' })

const namedRanges = ['loopback', 'linklocal', 'uniquelocal']

const isAddressRange = (text: string) => namedRanges.includes(text) || ipaddr.isValid(text) || ipaddr.isValidCIDR(text)

export const trustedProxies = z
  .string()
  .transform((text) => (/^\d+$/.test(text) ? Number(text) : text.split(',').map((part) => part.trim())))
  .refine((value) => (typeof value === 'number' ? value <= 32 : value.every(isAddressRange)), {
    error: `must be a number of proxies (0 to 32), or addresses and CIDRs with commas between them (also ${listed(namedRanges)})`,
  })

export function listed(words: readonly string[], last: 'or' | 'and' = 'or'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}
