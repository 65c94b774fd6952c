import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { storedFileKeys } from '#server/features/media/index.ts'
import { type MediaUseKind, mediaReferences, syncMediaUses } from '#server/features/media/media-uses.ts'
import type { Context } from '#server/kernel/context.ts'
import { newId } from '#server/kernel/ids.ts'

/** Updates `media_uses` as a write would, for rows that a test inserted directly. */
export const recordMediaUses = (db: Db, kind: MediaUseKind, ...subjectIds: string[]): Promise<void> =>
  db.transaction().execute((tx) => syncMediaUses(tx, kind, subjectIds))

/** Attaches media to a post that has none. */
export async function addPostMedia(db: Db, postId: string, mediaIds: readonly string[]): Promise<void> {
  if (mediaIds.length === 0) return
  await db
    .insertInto('post_media')
    .values(mediaIds.map((media_id, position) => ({ post_id: postId, position, media_id })))
    .execute()
  await recordMediaUses(db, 'post', postId)
}

type Columns = { table: string; column: string }

/** Columns that refer to media, except those of upload chunks and recorded uses. */
export async function columnsOfMedia(db: Db): Promise<string[]> {
  const { rows } = await sql<Columns>`
    select constraints.conrelid::regclass::text as "table", columns.attname as "column"
    from pg_constraint constraints
    join pg_attribute columns on columns.attrelid = constraints.conrelid and columns.attnum = any(constraints.conkey)
    where constraints.contype = 'f' and constraints.confrelid = 'media'::regclass`.execute(db)
  return rows
    .filter(({ table }) => table !== 'media_chunks' && table !== 'media_uses')
    .map(({ table, column }) => `${table}.${column}`)
    .sort()
}

/** References to files without a recorded use, and recorded uses without a reference. */
export async function findWrongMediaUses(db: Db): Promise<string[]> {
  const shown = sql.join(
    mediaReferences.map(
      ({ kind, table, subject, column }) => sql`
        select ${sql.ref(column)} as media_id, ${sql.lit(kind)} as kind, ${sql.ref(subject)} as subject_id
        from ${sql.table(table)} where ${sql.ref(column)} is not null`,
    ),
    sql` union `,
  )
  const { rows } = await sql<{ amiss: string }>`
    with shown as (${shown}), uses as (select media_id, kind, subject_id from media_uses)
    select 'no use of a ' || kind as amiss from (select * from shown except select * from uses) as missing
    union all select 'no ' || kind || ' of a use' from (select * from uses except select * from shown) as stale`.execute(db)
  return rows.map(({ amiss }) => amiss).sort()
}

/** A ready picture with stub files for all sizes. */
export async function addStoredPicture({ db, storage }: Pick<Context, 'db' | 'storage'>, ownerId: string): Promise<string> {
  const id = newId()
  const ready = { kind: 'image' as const, status: 'ready' as const, byte_size: 10, received_bytes: 10, width: 640, height: 480 }
  await db
    .insertInto('media')
    .values({ ...ready, id, owner_id: ownerId, widths: [480, 640, 640] })
    .execute()
  for (const key of storedFileKeys({ id, kind: 'image', extension: null })) await storage.put(key, Buffer.from(`picture of ${ownerId}`), '')
  return id
}
