import * as z from 'zod/mini'

/** PostgreSQL's text cannot hold it: every text that comes in has this check, which a test makes sure of. */
export const withoutNul = z.refine<string>((text) => !text.includes('\0'), 'Remove the invisible characters')

/** Text a person typed: trimmed; `max` counts UTF-16 units. An empty one fails with `required` when that is given. */
export function line(max: number, required?: string) {
  return z
    .string(required ?? 'Must be text')
    .check(z.trim(), ...(required ? [z.minLength(1, required)] : []), z.maxLength(max, `At most ${max} characters`), withoutNul)
}

/** An absolute http(s) URL, or an empty string for "none" (the forms of the specification send one). */
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
