import type { Selectable } from 'kysely'
import { dayMs } from '#contracts/time.ts'
import type { DB, Db, Tx } from '#server/db/connect.ts'
import { newId } from '#server/kernel/ids.ts'

/** How long a new address may be confirmed, in ms. */
export const confirmableMs = dayMs
/** How long after confirmation the old address may undo the change, in ms. */
export const undoableMs = 7 * dayMs

export type EmailChange = Selectable<DB['email_changes']>

export const findEmailChange = (db: Db, id: string): Promise<EmailChange | undefined> =>
  db.selectFrom('email_changes').selectAll().where('id', '=', id).executeTakeFirst()

export const lockEmailChange = (tx: Tx, id: string): Promise<EmailChange | undefined> =>
  tx.selectFrom('email_changes').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const findPendingEmailChange = (db: Db, userId: string, now: Date): Promise<EmailChange | undefined> =>
  db
    .selectFrom('email_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()

export async function deletePendingEmailChange(tx: Tx, userId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('email_changes')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

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

/** Also invalidates the links emailed about these changes. */
export async function deleteChangesSince(tx: Tx, userId: string, since: Date): Promise<void> {
  await tx.deleteFrom('email_changes').where('user_id', '=', userId).where('requested_at', '>=', since).execute()
}

/**
 * A former address stays reserved for as long as its owner can undo the change. Otherwise a person who hijacked the account
 * could also register the old address and block the undo.
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

/** When a former address can be used for a new account; null if it isn't reserved. */
export async function reservedUntil(db: Db, email: string, now: Date): Promise<Date | null> {
  const row = await db
    .selectFrom('email_changes')
    .select('confirmed_at')
    .where('old_email', '=', email)
    .where('confirmed_at', '>', new Date(now.getTime() - undoableMs))
    .orderBy('confirmed_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.confirmed_at ? new Date(row.confirmed_at.getTime() + undoableMs) : null
}

export async function setEmail(tx: Tx, userId: string, email: string, now: Date): Promise<void> {
  await tx.updateTable('users').set({ email, email_verified: true, updated_at: now }).where('id', '=', userId).execute()
}

/**
 * Deletes sign-in methods and API keys added since a given time, and the password regardless of its age, because the person who requested
 * the change may know it. Leaves the second factor on.
 */
export async function deleteSignInMethodsSince(tx: Tx, userId: string, since: Date): Promise<void> {
  await tx.deleteFrom('person_keys').where('user_id', '=', userId).where('created_at', '>=', since).execute()
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).where('created_at', '>=', since).execute()
  await tx
    .deleteFrom('credentials')
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('password', 'is not', null), eb('created_at', '>=', since)]))
    .execute()
}
