import { sql } from 'kysely'
import { inTransaction } from '#server/db/transaction.ts'
import { syncMediaUses } from '#server/features/media/index.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { wholeName } from '#server/kernel/whole-name.ts'

/** Releases the profile picture and deletes emailed links, which store the account and address as text. */
export const eraseAccountParts: EraseStep = {
  name: 'account-parts',
  async eraseSome({ db }, { id, email }) {
    await inTransaction(db, async (tx) => {
      await tx.updateTable('users').set({ image_id: null }).where('id', '=', id).where('image_id', 'is not', null).execute()
      await syncMediaUses(tx, 'person', [id])
    })
    const { numAffectedRows = 0n } = await sql`
      delete from verifications where identifier || ' ' || value ~ any(${[id, email].map(wholeName)}::text[])`.execute(db)
    return Number(numAffectedRows)
  },
}
