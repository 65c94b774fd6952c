import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'

/** Crockford's Base32: omits I, L, O and U, which are easily misread. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 8

const randomCode = (): string => Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('')

/** Normalizes typed or scanned input: lowercase, spaces, hyphens, O for 0, I and L for 1. Null if it isn't a code. */
export function readPlantCode(text: string): string | null {
  const code = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return /^[0-9A-HJKMNP-TV-Z]{8}$/.test(code) ? code : null
}

/** Unused codes. With 10^12 possible codes, a race is very unlikely, and a unique constraint catches it. */
export async function freshCodes(db: Db, count: number): Promise<string[]> {
  const codes = new Set<string>()
  while (codes.size < count) {
    const made = Array.from({ length: count - codes.size }, randomCode)
    const taken = await db.selectFrom('plants').select('code').where(sql<boolean>`code = any(${made}::text[])`).execute()
    const isTaken = new Set(taken.map(({ code }) => code))
    for (const code of made) if (!isTaken.has(code)) codes.add(code)
  }
  return [...codes]
}
