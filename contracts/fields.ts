import { phoneExtension } from './addresses.ts'
import { businessTypes } from './business-types.ts'
import { maxPageSize } from './limits.ts'
import * as z from './zod.ts'

/** Lowercase, because file, group and cache keys contain it. */
export const Id = z.uuid('Must be an ID').check(z.toLowerCase())

export const IdOrSlug = z.string().check(z.minLength(1), z.maxLength(120), z.regex(/^[a-z0-9-]+$/, 'Must be an ID or a slug'))

export const IdParams = z.object({ id: Id })
export const IdOrSlugParams = z.object({ id: IdOrSlug })

/** PostgreSQL text can't contain NUL. A test checks that all incoming text uses this. */
export const withoutNul = z.refine<string>((text) => !text.includes('\0'), 'Remove the invisible characters')

/** The version of a record that an edit is based on. An outdated edit is refused, so that it doesn't undo a newer one. */
export const Version = z.string().check(z.maxLength(64), withoutNul)

/** "20,000", for messages. */
export const figure = (count: number): string => count.toLocaleString('en-US')

/** Trimmed text; `max` counts UTF-16 code units. If `required` is set, empty text fails with that message. */
export function line(max: number, required?: string) {
  return z
    .string(required ?? 'Must be text')
    .check(z.trim(), ...(required ? [z.minLength(1, required)] : []), z.maxLength(max, `At most ${figure(max)} characters`), withoutNul)
}

/** "Denver, CO", a ZIP code, a state, or `latitude,longitude`. */
export const nearPlace = z.optional(z.string().check(z.trim(), z.maxLength(120), withoutNul))

/** An absolute http(s) URL. The specification's forms send an empty string if there is none. */
export const WebAddressOrEmpty = z
  .string()
  .check(
    z.trim(),
    z.maxLength(500, 'At most 500 characters'),
    withoutNul,
    z.refine(isWebAddressOrEmpty, 'Enter a full address that starts with https://'),
  )

function isWebAddressOrEmpty(text: string): boolean {
  if (text === '') return true
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && (url.protocol === 'https:' || url.protocol === 'http:') && url.username === ''
}

/** A phone number as people write it, possibly with an extension. An empty string means that there is none. */
export const PhoneOrEmpty = line(40).check(z.refine(isPhoneOrEmpty, 'Enter a phone number such as (303) 555-0100'))

/** E.164 allows at most 15 digits; local numbers have at least 7. */
function isPhoneOrEmpty(text: string): boolean {
  const number = text.replace(phoneExtension, '')
  const digits = number.replace(/\D/g, '').length
  return text === '' || (/^[\d\s+()./\u2010-\u2013-]+$/.test(number) && digits >= 7 && digits <= 15)
}

export const defaultPageSize = 20

export const numeric = (check: z.ZodMiniNumber) => z.pipe(z.transform(toNumber), check)
function toNumber(value: unknown): unknown {
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : value
}

export const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  numeric(
    z
      .int('Must be a whole number')
      .check(z.minimum(min, `Must be at least ${figure(min)}`), z.maximum(max, `Must be at most ${figure(max)}`)),
  )

export const flag = () =>
  z.pipe(
    z.transform((value: unknown) => (value === 'true' ? true : value === 'false' ? false : value)),
    z.boolean(),
  )

/** Query fields of every list: `z.object({ ...page, … })`. Clients must treat the cursor as opaque. */
export const page = {
  limit: z._default(wholeNumber(1, maxPageSize), defaultPageSize),
  cursor: z.optional(z.string().check(z.maxLength(500), withoutNul)),
}

export const Currency = z.enum(['USD', 'CAD', 'EUR'])
export type Currency = z.infer<typeof Currency>

/** As typed: "12.5" or "12.50", with at most two decimals and no sign. */
export const Price = z.string('Price is required').check(z.trim(), z.regex(/^\d{1,6}(\.\d{1,2})?$/, 'Enter a price such as 12.50'))

export const BusinessTypeSchema = z.enum(businessTypes, 'Choose a business type')
