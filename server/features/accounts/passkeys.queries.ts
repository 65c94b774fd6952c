import type { Selectable } from 'kysely'
import type { DB, Db, Tx } from '#server/db/connect.ts'

export type PasskeyRow = Selectable<DB['passkeys']>

export const passkeysOf = (db: Db, userId: string): Promise<PasskeyRow[]> =>
  db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute()

/** @returns how many of them belonged to the account */
export async function deletePasskeys(tx: Tx, userId: string, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const { numDeletedRows } = await tx.deleteFrom('passkeys').where('user_id', '=', userId).where('id', 'in', ids).executeTakeFirst()
  return Number(numDeletedRows)
}

export const findPasskey = (db: Db, credentialId: string): Promise<PasskeyRow | undefined> =>
  db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()

type Use = { counter: number; isSyncable: boolean; isSynced: boolean }

/**
 * Records a use. A counter that does not increase indicates a cloned passkey; devices without a counter always send 0.
 * @returns false if the passkey was deleted, or if a clone was used first
 */
export async function markUsed(tx: Tx, id: string, { counter, isSyncable, isSynced }: Use, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ counter, is_syncable: isSyncable, is_synced: isSynced, last_used_at: now })
    .where('id', '=', id)
    .where((eb) => (counter === 0 ? eb('counter', '=', 0) : eb('counter', '<', counter)))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** A passkey counts as both factors: possession of the device, and the unlock. */
export async function markShownByPasskey(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await tx.updateTable('sessions').set({ second_factor_at: now, proven_at: now }).where('id', '=', sessionId).execute()
}
