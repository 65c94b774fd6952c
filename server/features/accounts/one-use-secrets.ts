import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '#server/db/connect.ts'
import { newId } from '#server/kernel/ids.ts'

/** 256 random bits need no slow hash. */
export const newSecret = (): string => randomBytes(32).toString('base64url')
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

type NewSecret = { identifier: string; value: string; lifetimeMs: number }

/** Stores a value by identifier until it expires and a job purges it. */
export async function storeValue(db: Db, { identifier, value, lifetimeMs }: NewSecret, now: Date): Promise<void> {
  const times = { created_at: now, updated_at: now, expires_at: new Date(now.getTime() + lifetimeMs) }
  await db
    .insertInto('verifications')
    .values({ id: newId(), identifier, value, ...times })
    .execute()
}

/** Creates a secret and stores only its hash, so that a leaked table is useless. */
export async function issueSecret(db: Db, identifier: string, lifetimeMs: number, now: Date): Promise<string> {
  const secret = newSecret()
  await storeValue(db, { identifier, value: hashOf(secret), lifetimeMs }, now)
  return secret
}

export async function isSecretGood(db: Db, identifier: string, secret: string, now: Date): Promise<boolean> {
  const stored = await db
    .selectFrom('verifications')
    .select('id')
    .where('identifier', '=', identifier)
    .where('value', '=', hashOf(secret))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return stored !== undefined
}

/** Spends the secret and every other one of the same identifier. Only one of two concurrent calls returns true. */
export async function spendSecret(db: Db, identifier: string, secret: string, now: Date): Promise<boolean> {
  const used = await db
    .deleteFrom('verifications')
    .where('identifier', '=', identifier)
    .where('value', '=', hashOf(secret))
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst()
  if (!used) return false
  await forgetValues(db, identifier)
  return true
}

/** Deletes and returns the newest value of an identifier. Only one of two concurrent calls gets it. */
export async function takeValue(db: Db, identifier: string, now: Date): Promise<string | null> {
  const taken = await db.deleteFrom('verifications').where('identifier', '=', identifier).returning(['id', 'value', 'expires_at']).execute()
  const last = taken.sort((a, b) => (a.id < b.id ? 1 : -1))[0]
  return last && last.expires_at > now ? last.value : null
}

export async function forgetValues(db: Db, identifier: string): Promise<void> {
  await db.deleteFrom('verifications').where('identifier', '=', identifier).execute()
}
