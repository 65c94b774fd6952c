import { sql } from 'kysely'
import type { EraseStep } from '../../kernel/own-data.ts'

const batch = 200

/** What somebody decided in hunts of others: the decision stays, its words and name do not. */
export const eraseDecisions: EraseStep = {
  name: 'decisions',
  async eraseSome({ db }, { id: userId }) {
    const { numAffectedRows = 0n } = await sql`
      update decisions set reason = '', decided_by = null
      where id in (select id from decisions where decided_by = ${userId}::uuid limit ${batch}::int)`.execute(db)
    return Number(numAffectedRows)
  },
}
