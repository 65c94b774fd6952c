import { setTimeout as sleep } from 'node:timers/promises'
import { type IsolationLevel, sql } from 'kysely'
import pg from 'pg'
import type { Db, Tx } from './connect.ts'

export type TransactionOptions = { isolation?: IsolationLevel }

const mostTries = 5

/** serialization_failure and deadlock_detected: the database undid everything, and asks for another try. */
const retryCodes = new Set(['40001', '40P01'])

/**
 * Runs `write` in a transaction, again from the start (at most five times) when the database undid it because of another
 * one. `write` must therefore do nothing that a rollback does not undo. This is the only place that retries.
 */
export async function inTransaction<Answer>(db: Db, write: (tx: Tx) => Promise<Answer>, options: TransactionOptions = {}): Promise<Answer> {
  const transaction = options.isolation ? db.transaction().setIsolationLevel(options.isolation) : db.transaction()
  for (let tries = 1; ; tries++) {
    let failure: { error: unknown } | undefined
    try {
      return await transaction.execute((tx) =>
        write(tx).catch((error: unknown) => {
          failure = { error }
          throw error
        }),
      )
    } catch (last) {
      // On a lost connection the rollback fails too, and its error would hide why.
      const { error } = failure ?? { error: last }
      if (tries >= mostTries || !isRetryable(error)) throw error
      // Whoever collided must not meet again: a random wait, longer from try to try (up to 10, 20, 40, 80 ms).
      await sleep(Math.random() * 10 * 2 ** (tries - 1))
    }
  }
}

/** Part of a transaction: where it fails, what the transaction did before stands, and may go on. */
export async function inSavepoint<Answer>(tx: Tx, write: () => Promise<Answer>): Promise<Answer> {
  await sql`savepoint part`.execute(tx)
  try {
    const answer = await write()
    await sql`release savepoint part`.execute(tx)
    return answer
  } catch (error) {
    // Where even this fails the connection is lost, and the first error says why.
    await sql`rollback to savepoint part`.execute(tx).catch(() => {})
    throw error
  }
}

const lostRaces = new WeakSet<object>()

/**
 * For an insert whose key its transaction has looked up, such as an id made by a client: two may find the key free at the same time. The
 * second one's transaction runs again and finds the row. A violation of any other key fails at once.
 */
export async function retryOn<Answer>(key: string, insert: Promise<Answer>): Promise<Answer> {
  try {
    return await insert
  } catch (error) {
    if (isUniqueViolation(error, key)) lostRaces.add(error as object)
    throw error
  }
}

const isRetryable = (error: unknown): boolean =>
  retryCodes.has(sqlState(error) ?? '') || (typeof error === 'object' && error !== null && lostRaces.has(error))

/** The five characters by which PostgreSQL names an error. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/** Did a unique or primary key (of this name, when one is given) refuse a row? */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && (constraint === undefined || error.constraint === constraint)
}
