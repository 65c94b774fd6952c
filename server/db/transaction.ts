import { setTimeout as sleep } from 'node:timers/promises'
import { type IsolationLevel, sql } from 'kysely'
import pg from 'pg'
import type { Db, Tx } from './connect.ts'

export type TransactionOptions = { isolation?: IsolationLevel }

const maxTries = 5

/** serialization_failure and deadlock_detected: the database rolled back and asks for a retry. */
const retryCodes = new Set(['40001', '40P01'])

/**
 * Runs `write` in a transaction, and retries from the start (at most five attempts) if the database rolled it back because of a
 * concurrent one. So `write` must not have effects that a rollback doesn't undo. This is the only place that retries.
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
      // On a lost connection the rollback fails too, and its error would hide the cause.
      const { error } = failure ?? { error: last }
      if (tries >= maxTries || !isRetryable(error)) throw error
      // A random delay, longer each time (up to 10, 20, 40, 80 ms), so that the transactions don't collide again.
      await sleep(Math.random() * 10 * 2 ** (tries - 1))
    }
  }
}

/** Runs part of a transaction. If it fails, earlier writes remain and the transaction may continue. */
export async function inSavepoint<Answer>(tx: Tx, write: () => Promise<Answer>): Promise<Answer> {
  await sql`savepoint part`.execute(tx)
  try {
    const answer = await write()
    await sql`release savepoint part`.execute(tx)
    return answer
  } catch (error) {
    // If even this fails, the connection is lost, and the first error says why.
    await sql`rollback to savepoint part`.execute(tx).catch(() => {})
    throw error
  }
}

const lostRaces = new WeakSet<object>()

/**
 * Use for an insert after looking up its key, such as an ID created by a client. If two transactions find the key free at the same time,
 * the second retries and finds the row. Violations of other keys fail immediately.
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

export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/** With `constraint`, checks only that unique or primary key. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && (constraint === undefined || error.constraint === constraint)
}
