import { sql } from 'kysely'
import { inTransaction } from '#server/db/transaction.ts'
import { syncMediaUses } from '#server/features/media/index.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'

const batch = 200
const noWords = JSON.stringify({ notes: '', feed: '', pestControl: '', training: '' })

/**
 * A leaving person's logs in other people's hunts: measurements belong to the plants and stay, anonymized; text and photos
 * belong to their author and are deleted, also from saved versions.
 */
export const eraseGrowLogs: EraseStep = {
  name: 'grow-logs',
  eraseSome: ({ db }, { id: userId }) =>
    inTransaction(db, async (tx) => {
      const { rows: logs } = await sql<{ id: string }>`
        select id from grow_logs where author_id = ${userId}::uuid order by id limit ${batch}::int for update`.execute(tx)
      const ids = logs.map(({ id }) => id)
      await sql`
        delete from grow_log_photos using media
        where media.id = grow_log_photos.media_id and media.owner_id = ${userId}::uuid and log_id = any(${ids}::uuid[])`.execute(tx)
      await sql`update grow_log_versions set said = said || ${noWords}::jsonb where log_id = any(${ids}::uuid[])`.execute(tx)
      await sql`
        update grow_logs set notes = '', feed = '', pest_control = '', training = '', author_id = null
        where id = any(${ids}::uuid[])`.execute(tx)
      const versions = await sql`
        update grow_log_versions set changed_by = null
        where (log_id, version) in (
          select log_id, version from grow_log_versions where changed_by = ${userId}::uuid limit ${batch}::int)`.execute(tx)
      // On other people's logs.
      const { rows: photos } = await sql<{ log_id: string }>`
        delete from grow_log_photos where (log_id, position) in (
          select log_id, position from grow_log_photos join media on media.id = grow_log_photos.media_id
          where media.owner_id = ${userId}::uuid limit ${batch}::int)
        returning log_id`.execute(tx)
      await syncMediaUses(tx, 'log', [...ids, ...photos.map(({ log_id }) => log_id)])
      return ids.length + Number(versions.numAffectedRows ?? 0) + photos.length
    }),
}
