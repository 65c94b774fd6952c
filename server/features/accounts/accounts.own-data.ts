import { sql } from 'kysely'
import { inTransaction } from '../../db/transaction.ts'
import type { EraseStep } from '../../kernel/own-data.ts'
import { wholeName } from '../../kernel/whole-name.ts'
import { syncMediaUses } from '../media/index.ts'

/** The picture is given free; links that were mailed name their account and address in a text. */
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
