import { sql } from 'kysely'
import type { Media, Upload } from '#contracts/media.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { documentUrl, pictureSizes, pictureUrl } from '#server/kernel/media-address.ts'
import { isUnattached } from './media-uses.ts'

const columns = [
  'id',
  'owner_id',
  'kind',
  'status',
  'byte_size',
  'received_bytes',
  'error',
  'width',
  'height',
  'duration_ms',
  'placeholder',
  'alt',
  'widths',
  'extension',
  'page_count',
  'source_url',
] as const

export type MediaRow = NonNullable<Awaited<ReturnType<typeof mediaRow>>>

const selectMedia = (db: Db) => db.selectFrom('media').select(columns)

export const mediaRow = (db: Db, id: string) => selectMedia(db).where('id', '=', id).executeTakeFirst()

export const ownMediaRow = (db: Db, ownerId: string, id: string) =>
  selectMedia(db).where('id', '=', id).where('owner_id', '=', ownerId).executeTakeFirst()

export const lockMedia = (tx: Tx, id: string) => selectMedia(tx).where('id', '=', id).forUpdate().executeTakeFirst()

const readyRows = (db: Db, ids: readonly string[]) =>
  selectMedia(db)
    .where(sql<boolean>`id = ${pageIds(ids)}`)
    .where('status', '=', 'ready')
    .execute()

/** Total bytes and number of unfinished files among a person's media that is unattached or still being fetched. */
export const unattached = (tx: Tx, ownerId: string) =>
  tx
    .selectFrom('media')
    .select([
      sql<number>`coalesce(sum(byte_size), 0)::bigint`.as('bytes'),
      sql<number>`count(*) filter (where status <> 'ready')`.as('unfinished'),
    ])
    .where('owner_id', '=', ownerId)
    .where('status', '!=', 'failed')
    .where((eb) => eb.or([isUnattached, eb.and([eb('status', '=', 'processing'), eb('source_url', 'is not', null)])]))
    .executeTakeFirstOrThrow()

/** Counts recorded chunks that aren't part of the upload: in transit, or left behind. */
export async function strayChunks(tx: Tx, mediaId: string, except: { start: number; end: number }): Promise<number> {
  return countRows(
    tx
      .selectFrom('media_chunks')
      .where('media_id', '=', mediaId)
      .where('is_counted', '=', false)
      .where((eb) => eb.or([eb('starts_at', '!=', except.start), eb('ends_at', '!=', except.end)])),
  )
}

export const noteChunk = (tx: Tx, mediaId: string, start: number, end: number) =>
  tx
    .insertInto('media_chunks')
    .values({ media_id: mediaId, starts_at: start, ends_at: end })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const countChunk = (tx: Tx, mediaId: string, start: number, end: number) =>
  tx
    .updateTable('media_chunks')
    .set({ is_counted: true })
    .where('media_id', '=', mediaId)
    .where('starts_at', '=', start)
    .where('ends_at', '=', end)
    .execute()

export const countedChunks = (db: Db, mediaId: string) =>
  db
    .selectFrom('media_chunks')
    .select(['starts_at', 'ends_at'])
    .where('media_id', '=', mediaId)
    .where('is_counted', '=', true)
    .orderBy('starts_at')
    .execute()

/** Every chunk of these files that storage may contain. */
export const allChunks = (db: Db, mediaIds: readonly string[]) =>
  db
    .selectFrom('media_chunks')
    .select(['media_id', 'starts_at', 'ends_at'])
    .where(sql<boolean>`media_id = any(${mediaIds}::uuid[])`)
    .execute()

function toMedia(row: MediaRow): Media | null {
  if (row.status !== 'ready' || row.width === null || row.height === null) return null
  const isVideo = row.kind === 'video'
  return {
    id: row.id,
    kind: row.kind,
    width: row.width,
    height: row.height,
    placeholder: row.placeholder,
    alt: row.alt,
    sources: row.kind === 'image' ? sourcesOf(row) : [],
    videoUrl: isVideo ? `/media/${row.id}/video.${row.extension}` : null,
    durationSeconds: row.duration_ms === null ? null : row.duration_ms / 1000,
    documentUrl: row.kind === 'document' ? documentUrl(row.id) : null,
    pageCount: row.page_count,
  }
}

/** Drops sizes of equal width, which small pictures have. */
function sourcesOf({ id, widths }: MediaRow): Media['sources'] {
  return pictureSizes.flatMap((size, i) => {
    const width = widths[i]
    if (width === undefined || width === widths[i - 1]) return []
    return [{ width, avif: pictureUrl(id, size, 'avif'), webp: pictureUrl(id, size, 'webp') }]
  })
}

export const toUpload = (row: MediaRow): Upload => ({
  id: row.id,
  status: row.status,
  byteSize: row.byte_size,
  receivedBytes: row.received_bytes,
  error: row.error,
  media: toMedia(row),
})

/** The descriptions of these files, in the order of `ids`. */
export async function descriptionsOf(tx: Tx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .selectFrom('media')
    .select(['id', 'alt'])
    .where(sql<boolean>`id = ${pageIds(ids)}`)
    .orderBy('id')
    .forUpdate()
    .execute()
  const byId = new Map(rows.map(({ id, alt }) => [id, alt]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Omits media that isn't ready. Doesn't check access. */
export async function mediaOf(db: Db, ids: readonly string[]): Promise<Map<string, Media>> {
  if (ids.length === 0) return new Map()
  const rows = await readyRows(db, ids)
  return new Map(
    rows.flatMap((row): [string, Media][] => {
      const media = toMedia(row)
      return media ? [[row.id, media]] : []
    }),
  )
}
