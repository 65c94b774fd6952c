import { createHash } from 'node:crypto'
import { uuidv7 } from 'uuidv7'

/**
 * Time-ordered, so new rows go to the end of an index. Generated here instead of in the database, so a retry writes the same row.
 *
 * The library appends character by character, which V8 stores as a chain of strings of about 800 bytes. A copy takes about 60.
 */
export const newId = (): string => Buffer.from(uuidv7(), 'latin1').toString('latin1')

/** The version of a value that has no counter: equal for equal values. Includes only what `JSON.stringify` does. */
export const versionOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url')

/** A UUIDv8 (RFC 9562) from a text, for derived IDs that must be the same every time. */
export function hashedId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** No ID sorts before the first or after the last, so reads by ID start there. */
export const firstUuid = '00000000-0000-0000-0000-000000000000'
export const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
