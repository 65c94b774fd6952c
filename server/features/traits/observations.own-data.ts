import { sql } from 'kysely'
import { inTransaction } from '#server/db/transaction.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'

const batch = 200

/** In other people's hunts, observed figures stay anonymously; notes and photos are deleted. */
export const eraseObservations: EraseStep = {
  name: 'observations',
  eraseSome: ({ db }, { id: userId }) =>
    inTransaction(db, async (tx) => {
      const { rows } = await sql<{ id: string }>`
        select id from observations where observed_by = ${userId}::uuid order by id limit ${batch}::int for update`.execute(tx)
      const ids = rows.map(({ id }) => id)
      // The observation a deleted photo had replaced becomes current again.
      await sql`
        with gone as (delete from observations where id = any(${ids}::uuid[]) and media_id is not null returning corrects_id, is_current)
        update observations set is_current = true from gone where observations.id = gone.corrects_id and gone.is_current`.execute(tx)
      await sql`update observations set note = '', observed_by = null where id = any(${ids}::uuid[])`.execute(tx)
      return ids.length
    }),
}
