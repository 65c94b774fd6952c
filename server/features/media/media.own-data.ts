import { sql } from 'kysely'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { allChunks } from './media.queries.ts'
import { allFileKeys, chunkKey } from './media-files.ts'
import { isUnattached } from './media-uses.ts'

const batch = 50

/**
 * Runs after everything that shows the files. Deletes files before rows, so that a crash in between leaves no orphans. Media
 * that a business still shows belongs to the business.
 */
export const eraseMedia: EraseStep = {
  name: 'media',
  async eraseSome({ db, storage }, { id: userId }) {
    const ids = (
      await db.selectFrom('media').select('id').where('owner_id', '=', userId).where(isUnattached).orderBy('id').limit(batch).execute()
    ).map(({ id }) => id)
    if (ids.length === 0) {
      const given = await db.updateTable('media').set({ owner_id: null }).where('owner_id', '=', userId).executeTakeFirstOrThrow()
      return Number(given.numUpdatedRows)
    }
    const chunks = await allChunks(db, ids)
    await storage.delete([
      ...chunks.map(({ media_id, starts_at, ends_at }) => chunkKey(media_id, starts_at, ends_at)),
      ...ids.flatMap(allFileKeys),
    ])
    await db.deleteFrom('media').where(sql<boolean>`id = any(${ids}::uuid[])`).where('owner_id', '=', userId).execute()
    return ids.length
  },
}
