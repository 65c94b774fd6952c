import { sql } from 'kysely'
import type { EraseStep } from '#server/kernel/own-data.ts'

const batch = 200

/** Decisions in other people's hunts stay, without the person's words and name. */
export const eraseDecisions: EraseStep = {
  name: 'decisions',
  async eraseSome({ db }, { id: userId }) {
    const { numAffectedRows = 0n } = await sql`
      update decisions set reason = '', decided_by = null
      where id in (select id from decisions where decided_by = ${userId}::uuid limit ${batch}::int)`.execute(db)
    return Number(numAffectedRows)
  },
}
