import { uuidv7 } from 'uuidv7'

/** Time-ordered, so that new rows go to the end of an index. Created here instead of in the database, so that a retry writes the same row. */
export const newId = (): string => uuidv7()

/** A UUIDv8 (RFC 9562) from a SHA-256 hash in hexadecimal, for IDs that are derived and therefore the same every time. */
export function hashedId(hex: string): string {
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
