import { setTimeout as sleep } from 'node:timers/promises'
import { type IsolationLevel, sql } from 'kysely'
import pg from 'pg'
import { type Db, isDatabaseUnavailable, type Tx } from './connect.ts'

export type TransactionOptions = { isolation?: IsolationLevel }

const maxTries = 5

/** serialization_failure and deadlock_detected: the database rolled back and requests a retry. */
const retryCodes = new Set(['40001', '40P01'])

/**
 * Runs `write` in a transaction and retries it from the start (at most five attempts) if the database rolled it back because of a
 * concurrent transaction. So `write` must not have effects that a rollback doesn't undo. Nothing else retries transactions. Within another
 * transaction, it becomes part of that one, which is retried as a whole, so several features can write all or nothing.
 */
export function inTransaction<Answer>(db: Db, write: (tx: Tx) => Promise<Answer>, options: TransactionOptions = {}): Promise<Answer> {
  if (db.isTransaction) return write(db as Tx)
  const transaction = options.isolation ? db.transaction().setIsolationLevel(options.isolation) : db.transaction()
  return retried(async () => {
    let failure: { error: unknown } | undefined
    try {
      return await transaction.execute((tx) =>
        write(tx).catch((error: unknown) => {
          failure = { error }
          throw error
        }),
      )
    } catch (last) {
      // On a lost connection, the rollback fails too, and its error would hide the cause.
      throw failure ? failure.error : last
    }
  })
}

/** `inTransaction` for a single statement, which is a transaction by itself. */
export const inStatement = <Answer>(db: Db, write: (db: Db) => Promise<Answer>): Promise<Answer> => retried(() => write(db))

async function retried<Answer>(attempt: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (tries >= maxTries || !isRetryable(error)) throw error
      // A random delay, longer each time (up to 10, 20, 40, 80 ms), so the transactions don't collide again.
      await sleep(Math.random() * 10 * 2 ** (tries - 1))
    }
  }
}

/** Longer than a failover, and shorter than a job may take. */
const maxUnavailableMs = 120_000
const unavailableRetryMs = 500

/**
 * Records something that can't be undone, such as a sent email. If the database is unreachable, waits for it, because a job that failed
 * here would repeat what it did. `write` must be safe to repeat.
 */
export async function recordDone(write: () => Promise<unknown>): Promise<void> {
  for (const giveUpAt = performance.now() + maxUnavailableMs; ; ) {
    try {
      await write()
      return
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > giveUpAt) throw error
    }
    await sleep(unavailableRetryMs)
  }
}

/** Runs a part of a transaction. If this part fails, earlier writes remain and the transaction can continue. */
export async function inSavepoint<Answer>(tx: Tx, write: () => Promise<Answer>): Promise<Answer> {
  await sql`savepoint part`.execute(tx)
  try {
    const answer = await write()
    await sql`release savepoint part`.execute(tx)
    return answer
  } catch (error) {
    // If even this fails, the connection is lost, and the first error gives the reason.
    await sql`rollback to savepoint part`.execute(tx).catch(() => {})
    throw error
  }
}

const lostRaces = new WeakSet<object>()

/**
 * Awaits a write whose key was looked up first, such as a client-generated ID. If two transactions find the key free at the same time, the
 * second one retries and finds the row. Violations of other keys fail immediately.
 */
export async function retryOn<Answer>(key: string, write: Promise<Answer>): Promise<Answer> {
  try {
    return await write
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
