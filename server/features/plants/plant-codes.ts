import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** Crockford's: without I, L, O and U, so that nobody reads one letter for another. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 8

const randomCode = (): string => Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('')

/** As somebody may type or scan it: in lower case, with blanks and hyphens, O for 0, I and L for 1. Null: no code. */
export function readPlantCode(text: string): string | null {
  const code = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return /^[0-9A-HJKMNP-TV-Z]{8}$/.test(code) ? code : null
}

/** New codes that no plant has. Among 10^12, another process takes the same one at this moment about never; the database refuses it. */
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
