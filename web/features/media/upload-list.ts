import type { Media } from '../../../contracts/media.ts'
import type { FileKind } from './check-file.ts'

/**
 * - `waiting`: its turn has not come
 * - `lost`: the page was loaded anew before all of it was sent: the file has to be chosen again
 */
export type UploadStatus = 'waiting' | 'sending' | 'processing' | 'ready' | 'failed' | 'lost'

/** A picture or video on its way into a post. */
export type UploadItem = {
  /** Stays the same while the upload gets its id. */
  key: string
  /** The server's; null before it has answered. */
  uploadId: string | null
  kind: FileKind
  name: string
  size: number
  alt: string
  status: UploadStatus
  receivedBytes: number
  error: string | null
  /** Whether sending it again may help. */
  canRetry: boolean
  media: Media | null
  /** Part of the post already: taking it out of the form must not delete it. */
  isAttached: boolean
}

export const maxUploads = 10

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

/** What a post has already. */
export const attachedUpload = (media: Media): UploadItem => ({
  // No post has a document.
  ...newUpload({ key: media.id, kind: media.kind === 'video' ? 'video' : 'image', name: '', size: 0 }),
  uploadId: media.id,
  alt: media.alt,
  status: 'ready',
  media,
  isAttached: true,
})

export const changeUpload = (items: readonly UploadItem[], key: string, changes: Partial<UploadItem>): UploadItem[] =>
  items.map((item) => (item.key === key ? { ...item, ...changes } : item))

/** Moves one to another place; places outside of the list are its ends. */
export function moveUpload(items: readonly UploadItem[], key: string, to: number): UploadItem[] {
  const item = items.find((each) => each.key === key)
  if (!item) return [...items]
  const others = items.filter((each) => each !== item)
  return others.toSpliced(Math.min(others.length, Math.max(0, to)), 0, item)
}

export const isUnderWay = ({ status }: UploadItem): boolean => status === 'waiting' || status === 'sending' || status === 'processing'

/** In whole percent; what is being made ready counts as sent. */
export function percentOf({ status, receivedBytes, size }: UploadItem): number {
  if (status === 'processing' || status === 'ready') return 100
  return size === 0 ? 0 : Math.min(100, Math.floor((receivedBytes / size) * 100))
}

/** What a tab remembers of the list: enough to find the uploads again. */
export type KeptUpload = Pick<UploadItem, 'key' | 'kind' | 'name' | 'size' | 'alt' | 'isAttached'> & {
  uploadId: string
  media: Media | null
}

export const keptUploads = (items: readonly UploadItem[]): KeptUpload[] =>
  items.flatMap(({ key, uploadId, kind, name, size, alt, isAttached, media }) =>
    uploadId === null ? [] : [{ key, uploadId, kind, name, size, alt, isAttached, media: isAttached ? media : null }],
  )

/** From the tab's memory; null when there is nothing of use in it. */
export function restoredUploads(kept: unknown): UploadItem[] | null {
  if (!Array.isArray(kept)) return null
  return kept.filter(isKept).map(({ media, ...item }) =>
    item.isAttached && media
      ? { ...attachedUpload(media), ...item }
      : // The server is asked how far it has come.
        { ...newUpload(item), ...item, isAttached: false, status: 'processing', receivedBytes: 0 },
  )
}

function isKept(value: unknown): value is KeptUpload {
  const item = value as Partial<KeptUpload> | null
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
