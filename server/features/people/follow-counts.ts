import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'

/**
 * Locks these people in the order of their ids, so that two transactions about the same two never wait for each other. Taken after
 * the lock on a business, never before. Answers who of them exists.
 */
export async function lockPeople(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return new Set(rows.map((row) => row.id))
}

/** How many people and businesses somebody follows, which it answers. It changes in the transaction of what it counts. */
export async function changeFollowingCount(tx: Tx, userId: string, by: number): Promise<number> {
  const { following_count } = await tx
    .updateTable('users')
    .set((eb) => ({ following_count: eb('following_count', '+', by) }))
    .where('id', '=', userId)
    .returning('following_count')
    .executeTakeFirstOrThrow()
  return following_count
}

/** How many people follow somebody. */
export const changeFollowersCount = (tx: Tx, userId: string, by: number) =>
  tx
    .updateTable('users')
    .set((eb) => ({ followers_count: eb('followers_count', '+', by) }))
    .where('id', '=', userId)
    .execute()
