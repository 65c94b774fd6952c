import type { Media, Upload } from '#contracts/media.ts'
import type { Db } from '#server/db/connect.ts'
import { documentUrl, pictureSizes, pictureUrl } from '#server/kernel/media-address.ts'
import { type MediaRow, readyRows } from './media.queries.ts'

/** Null until it is ready. */
export function toMedia(row: MediaRow): Media | null {
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

/** Drops sizes of equal width, as with small pictures. */
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

/** The media that is ready, by ID. The caller must have checked access. */
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
