import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '../../db/connect.ts'
import { newId } from '../../kernel/ids.ts'

/** 256 random bits: they need no slow hash. */
export const newSecret = (): string => randomBytes(32).toString('base64url')
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

type Kept = { identifier: string; value: string; lifetimeMs: number }

/** Remembers a value under a name until its time is over; a job forgets it then. */
export async function keepValue(db: Db, { identifier, value, lifetimeMs }: Kept, now: Date): Promise<void> {
  const times = { created_at: now, updated_at: now, expires_at: new Date(now.getTime() + lifetimeMs) }
  await db
    .insertInto('verifications')
    .values({ id: newId(), identifier, value, ...times })
    .execute()
}

/** Makes a secret under a name. Only its hash is stored: who reads the table can open nothing. */
export async function issueSecret(db: Db, identifier: string, lifetimeMs: number, now: Date): Promise<string> {
  const secret = newSecret()
  await keepValue(db, { identifier, value: hashOf(secret), lifetimeMs }, now)
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

/** Uses the secret up, and with it every other one of that name. Of two at once, one gets `true`. */
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

/** The value that was kept last under a name, which is forgotten by that: of two who ask at once, one gets it. */
export async function takeValue(db: Db, identifier: string, now: Date): Promise<string | null> {
  const taken = await db.deleteFrom('verifications').where('identifier', '=', identifier).returning(['id', 'value', 'expires_at']).execute()
  const last = taken.sort((a, b) => (a.id < b.id ? 1 : -1))[0]
  return last && last.expires_at > now ? last.value : null
}

export async function forgetValues(db: Db, identifier: string): Promise<void> {
  await db.deleteFrom('verifications').where('identifier', '=', identifier).execute()
}
