import { hash, randomBytes } from 'node:crypto'
import { recoveryCodeCount } from '#contracts/second-factor.endpoints.ts'
import type { Db, Tx } from '#server/db/connect.ts'

/** Crockford's base32, without letters that look like digits. 16 characters carry 80 bits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const signs = 16

/** For example `7K3M-9XQ2-H4TN-BW8D`. */
function newCode(): string {
  const code = [...randomBytes(signs)].map((byte) => alphabet[byte % alphabet.length]).join('')
  return (code.match(/.{4}/g) as string[]).join('-')
}

/** Normalizes typed input: hyphens, lower case, O for 0, I or L for 1. Null if it is not a recovery code. */
export function readRecoveryCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return code.length === signs && [...code].every((sign) => alphabet.includes(sign)) ? code : null
}

/** 80 random bits need no slow hash. */
const hashOf = (code: string) => hash('sha256', code, 'base64url')

/** Replaces the account's codes and returns the new ones; only hashes are stored. */
export async function renewCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newCode)
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await tx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashOf(code.replaceAll('-', '')) })))
    .execute()
  return codes
}

/** `code` is normalized by `readRecoveryCode`. Only one of two concurrent calls returns true. */
export async function spendRecoveryCode(tx: Tx, userId: string, code: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashOf(code))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
