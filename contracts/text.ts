import * as z from './zod.ts'

/** PostgreSQL text can't contain NUL. A test checks that all incoming text uses this. */
export const withoutNul = z.refine<string>((text) => !text.includes('\0'), 'Remove the invisible characters')

/** Trimmed user text; `max` counts UTF-16 code units. If `required` is given, empty text fails with that message. */
export function line(max: number, required?: string) {
  return z
    .string(required ?? 'Must be text')
    .check(z.trim(), ...(required ? [z.minLength(1, required)] : []), z.maxLength(max, `At most ${max} characters`), withoutNul)
}

/** An absolute http(s) URL, or an empty string for none, as the specification's forms send it. */
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
