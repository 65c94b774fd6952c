import type { Media } from '#contracts/media.ts'
import type { FileKind } from './check-file.ts'

/**
 * - `waiting`: queued
 * - `lost`: the page was reloaded before everything was sent; the file has to be selected again
 */
export type UploadStatus = 'waiting' | 'sending' | 'processing' | 'ready' | 'failed' | 'lost'

export type UploadItem = {
  /** Stable, even when the upload receives its ID. */
  key: string
  /** The server's ID; null before its first response. */
  uploadId: string | null
  kind: FileKind
  name: string
  size: number
  alt: string
  status: UploadStatus
  receivedBytes: number
  error: string | null
  canRetry: boolean
  media: Media | null
  /** Already part of the post: removing it from the form must not delete it. */
  isAttached: boolean
}

/** What one form has room for. */
export type UploadLimit = {
  /** Receives the kinds of all files that the list would hold. */
  fits: (kinds: readonly FileKind[]) => boolean
  /** Shown when files were left out. */
  notice: string
}

export const postLimit: UploadLimit = { fits: (kinds) => kinds.length <= 10, notice: 'At most 10 pictures and videos' }

export const newUpload = (item: Pick<UploadItem, 'key' | 'kind' | 'name' | 'size'>): UploadItem => ({
  ...item,
  uploadId: null,
  alt: '',
  status: 'waiting',
  receivedBytes: 0,
  error: null,
  canRetry: false,
  media: null,
  isAttached: false,
})

/** Media the post or gallery already has. */
export const attachedUpload = (media: Media): UploadItem => ({
  // Posts can't have documents.
  ...newUpload({ key: media.id, kind: media.kind === 'video' ? 'video' : 'image', name: '', size: 0 }),
  uploadId: media.id,
  alt: media.alt,
  status: 'ready',
  media,
  isAttached: true,
})

export const changeUpload = (items: readonly UploadItem[], key: string, changes: Partial<UploadItem>): UploadItem[] =>
  items.map((item) => (item.key === key ? { ...item, ...changes } : item))

/** Moves an item, clamping the index to the list. */
export function moveUpload(items: readonly UploadItem[], key: string, to: number): UploadItem[] {
  const item = items.find((each) => each.key === key)
  if (!item) return [...items]
  const others = items.filter((each) => each !== item)
  return others.toSpliced(Math.min(others.length, Math.max(0, to)), 0, item)
}

export const isUnderWay = ({ status }: UploadItem): boolean => status === 'waiting' || status === 'sending' || status === 'processing'

/** In whole percent; 100 while processing. */
export function percentOf({ status, receivedBytes, size }: UploadItem): number {
  if (status === 'processing' || status === 'ready') return 100
  return size === 0 ? 0 : Math.min(100, Math.floor((receivedBytes / size) * 100))
}

/** Stored per tab: enough to find the uploads again. */
export type StoredUpload = Pick<UploadItem, 'key' | 'kind' | 'name' | 'size' | 'alt' | 'isAttached'> & {
  uploadId: string
  media: Media | null
}

export const storableUploads = (items: readonly UploadItem[]): StoredUpload[] =>
  items.flatMap(({ key, uploadId, kind, name, size, alt, isAttached, media }) =>
    uploadId === null ? [] : [{ key, uploadId, kind, name, size, alt, isAttached, media: isAttached ? media : null }],
  )

/** Validates stored uploads; null if there are none. */
export function restoredUploads(stored: unknown): UploadItem[] | null {
  if (!Array.isArray(stored)) return null
  return stored.filter(isStored).map(({ media, ...item }) =>
    item.isAttached && media
      ? { ...attachedUpload(media), ...item }
      : // Ask the server for progress.
        { ...newUpload(item), ...item, isAttached: false, status: 'processing', receivedBytes: 0 },
  )
}

function isStored(value: unknown): value is StoredUpload {
  const item = value as Partial<StoredUpload> | null
  return (
    typeof item === 'object' &&
    typeof item?.key === 'string' &&
    typeof item.uploadId === 'string' &&
    typeof item.name === 'string' &&
    typeof item.alt === 'string' &&
    typeof item.size === 'number' &&
    (item.kind === 'image' || item.kind === 'video')
  )
}
