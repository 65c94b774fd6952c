import type { Selectable } from 'kysely'
import type { DB, Db, Tx } from '../../db/connect.ts'

export type PasskeyRow = Selectable<DB['passkeys']>

export const passkeysOf = (db: Db, userId: string): Promise<PasskeyRow[]> =>
  db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute()

/** @returns how many of them were the account's */
export async function deletePasskeys(tx: Tx, userId: string, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const { numDeletedRows } = await tx.deleteFrom('passkeys').where('user_id', '=', userId).where('id', 'in', ids).executeTakeFirst()
  return Number(numDeletedRows)
}

export const findPasskey = (db: Db, credentialId: string): Promise<PasskeyRow | undefined> =>
  db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()

type Use = { counter: number; isSyncable: boolean; isSynced: boolean }

/**
 * Notes that it was used. A counter that does not rise is that of a copy; devices that do not count answer 0 each time.
 * @returns false when it is gone, or when somebody else's use of a copy came first
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

/** A passkey is both factors: the device, and whoever unlocked it. */
export async function markShownByPasskey(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await tx.updateTable('sessions').set({ second_factor_at: now, proven_at: now }).where('id', '=', sessionId).execute()
}
