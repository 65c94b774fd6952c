import type { Selectable } from 'kysely'
import type { DB, Db, Tx } from '../../db/connect.ts'
import { newId } from '../../kernel/ids.ts'

const day = 86_400_000
/** How long a new address may be confirmed. */
export const confirmableMs = day
/** How long after it the old address may take the account back. */
export const undoableMs = 7 * day

export type EmailChange = Selectable<DB['email_changes']>

export const findEmailChange = (db: Db, id: string): Promise<EmailChange | undefined> =>
  db.selectFrom('email_changes').selectAll().where('id', '=', id).executeTakeFirst()

export const lockEmailChange = (tx: Tx, id: string): Promise<EmailChange | undefined> =>
  tx.selectFrom('email_changes').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** The new address that waits for its link. */
export const findWaitingChange = (db: Db, userId: string, now: Date): Promise<EmailChange | undefined> =>
  db
    .selectFrom('email_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** @returns whether one was waiting */
export async function dropWaitingChange(tx: Tx, userId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('email_changes')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** @returns its id */
export async function insertEmailChange(
  tx: Tx,
  { userId, from, to }: { userId: string; from: string; to: string },
  now: Date,
): Promise<string> {
  const id = newId()
  await tx
    .insertInto('email_changes')
    .values({
      id,
      user_id: userId,
      old_email: from,
      new_email: to,
      requested_at: now,
      expires_at: new Date(now.getTime() + confirmableMs),
    })
    .execute()
  return id
}

export async function markConfirmed(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable('email_changes').set({ confirmed_at: now }).where('id', '=', id).execute()
}

/** What came after a change that is undone goes with it, and with that the links that were mailed about it. */
export async function deleteChangesSince(tx: Tx, userId: string, since: Date): Promise<void> {
  await tx.deleteFrom('email_changes').where('user_id', '=', userId).where('requested_at', '>=', since).execute()
}

/**
 * An address that somebody gave up stays theirs as long as they may take it back: otherwise whoever stole their account would take the old
 * address, too, and nothing could be undone.
 */
export async function isReserved(db: Db, email: string, now: Date, forUserId: string | null = null): Promise<boolean> {
  const row = await db
    .selectFrom('email_changes')
    .select('id')
    .where('old_email', '=', email)
    .where('confirmed_at', '>', new Date(now.getTime() - undoableMs))
    .$if(forUserId !== null, (query) => query.where('user_id', '<>', forUserId))
    .executeTakeFirst()
  return row !== undefined
}

export async function setEmail(tx: Tx, userId: string, email: string, now: Date): Promise<void> {
  await tx.updateTable('users').set({ email, email_verified: true, updated_at: now }).where('id', '=', userId).execute()
}

/**
 * Ways to sign in that were made since a moment, by whoever made them, and the password whenever it was set: whoever asked for the change
 * has shown that they know it. The second factor stays.
 */
export async function deleteWaysInSince(tx: Tx, userId: string, since: Date): Promise<void> {
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).where('created_at', '>=', since).execute()
  await tx
    .deleteFrom('credentials')
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('password', 'is not', null), eb('created_at', '>=', since)]))
    .execute()
}
