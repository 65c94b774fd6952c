import { sql } from 'kysely'
import { inTransaction } from '#server/db/transaction.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'

const batch = 100

/**
 * Erases reports by and about a person, and findings about them. The public log keeps that an action was taken, when and why, without the
 * person or the subject.
 */
export const eraseCases: EraseStep = {
  name: 'cases',
  eraseSome: ({ db }, { id: userId }) =>
    inTransaction(db, async (tx) => {
      const own = await sql<{ case_id: string | null; resolved_at: Date | null }>`
        delete from reports where id in (select id from reports where reporter_id = ${userId}::uuid limit ${batch}::int)
        returning case_id, resolved_at`.execute(tx)
      for (const report of own.rows) {
        if (report.case_id === null) continue
        await sql`
          update moderation_cases set reports_count = reports_count - 1 where id = ${report.case_id}::uuid and reports_count > 0`.execute(
          tx,
        )
      }
      const about = await sql<{ id: string }>`
        select id from moderation_cases where user_id = ${userId}::uuid or (subject = 'person' and subject_id = ${userId}::uuid)
        limit ${batch}::int for update`.execute(tx)
      const cases = about.rows.map(({ id }) => id)
      const reports = await sql`
        delete from reports where case_id = any(${cases}::uuid[]) or (subject = 'person' and subject_id = ${userId}::uuid)`.execute(tx)
      const actions = await sql<{ id: string }>`
        select id from moderation_actions where user_id = ${userId}::uuid or (subject = 'person' and subject_id = ${userId}::uuid)
        limit ${batch}::int for update`.execute(tx)
      const ids = actions.rows.map(({ id }) => id)
      await sql`delete from moderation_effects where action_id = any(${ids}::uuid[])`.execute(tx)
      await sql`delete from moderation_appeals where action_id = any(${ids}::uuid[]) and user_id = ${userId}::uuid`.execute(tx)
      await sql`
        update moderation_actions set explanation = '', note = '', undo_reason = '', user_id = null, case_id = null, subject_id = id
        where id = any(${ids}::uuid[])`.execute(tx)
      await sql`delete from moderation_cases where id = any(${cases}::uuid[])`.execute(tx)
      const decided = await sql`update moderation_appeals set moderator_id = null where moderator_id = ${userId}::uuid`.execute(tx)
      const counts = [reports, decided].map(({ numAffectedRows = 0n }) => Number(numAffectedRows))
      return own.rows.length + cases.length + ids.length + counts.reduce((sum, count) => sum + count, 0)
    }),
}
