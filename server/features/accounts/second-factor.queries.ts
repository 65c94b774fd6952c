import type { Db, Tx } from '#server/db/connect.ts'
import { passwordProvider } from './accounts.queries.ts'

const columns = ['secret', 'next_secret', 'confirmed_at', 'last_step', 'wrong_count', 'wrong_since'] as const

/** Locking the row serializes an account's guesses. */
export const lockFactor = (tx: Tx, userId: string) =>
  tx.selectFrom('second_factors').select(columns).where('user_id', '=', userId).forUpdate().executeTakeFirst()

export type Factor = NonNullable<Awaited<ReturnType<typeof lockFactor>>>

/** Stores the secret of the app being set up, alongside any active one. */
export async function storeNextSecret(tx: Tx, userId: string, sealed: string, now: Date): Promise<void> {
  await tx
    .insertInto('second_factors')
    .values({ user_id: userId, secret: sealed, next_secret: sealed, created_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ next_secret: sealed }))
    .execute()
}

export async function takeNextSecret(tx: Tx, userId: string, factor: { secret: string; step: number }, now: Date): Promise<void> {
  await tx
    .updateTable('second_factors')
    .set({
      secret: factor.secret,
      next_secret: null,
      confirmed_at: now,
      last_step: factor.step,
      wrong_count: 0,
      wrong_since: null,
    })
    .where('user_id', '=', userId)
    .execute()
}

export async function markCodeRight(tx: Tx, userId: string, lastStep: number): Promise<void> {
  await tx
    .updateTable('second_factors')
    .set({ last_step: lastStep, wrong_count: 0, wrong_since: null })
    .where('user_id', '=', userId)
    .execute()
}

export async function markCodeWrong(tx: Tx, userId: string, wrong: { count: number; since: Date }): Promise<void> {
  await tx.updateTable('second_factors').set({ wrong_count: wrong.count, wrong_since: wrong.since }).where('user_id', '=', userId).execute()
}

/** Also deletes the recovery codes. @returns whether a confirmed factor was deleted */
export async function deleteFactor(tx: Tx, userId: string): Promise<boolean> {
  const gone = await tx.deleteFrom('second_factors').where('user_id', '=', userId).returning('confirmed_at').executeTakeFirst()
  return gone !== undefined && gone.confirmed_at !== null
}

export async function hasFactor(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('second_factors')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

export async function markSecondFactorVerified(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await tx.updateTable('sessions').set({ second_factor_at: now }).where('id', '=', sessionId).execute()
}

export async function clearSecondFactorVerified(tx: Tx, userId: string, exceptSessionId: string | null): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ second_factor_at: null })
    .where('user_id', '=', userId)
    .$if(exceptSessionId !== null, (query) => query.where('id', '<>', exceptSessionId))
    .execute()
}

export const findProof = (db: Db, userId: string, sessionId: string) =>
  db
    .selectFrom('users as u')
    .leftJoin('credentials as c', (join) => join.onRef('c.user_id', '=', 'u.id').on('c.provider_id', '=', passwordProvider))
    .leftJoin('sessions as s', (join) => join.onRef('s.user_id', '=', 'u.id').on('s.id', '=', sessionId))
    .select(['u.email', 'c.password as password_hash', 's.created_at as session_began_at', 's.proven_at as session_proven_at'])
    .where('u.id', '=', userId)
    .executeTakeFirst()
