import { Id } from './fields.ts'
import * as z from './zod.ts'

export const maxVideoSeconds = 60

export const maxDocumentPages = 100

/** A processed picture, short video or PDF. All URLs are on this site. */
export const Media = z.object({
  id: Id,
  kind: z.enum(['image', 'video', 'document']),
  /** In pixels, after rotation. For a document, its first page's size in points. */
  width: z.int(),
  height: z.int(),
  /** A tiny blurred preview as a `data:` URL. */
  placeholder: z.nullable(z.string()),
  alt: z.string(),
  /** Narrowest first. Empty unless it's a picture. */
  sources: z.array(z.object({ width: z.int(), avif: z.string(), webp: z.string() })),
  videoUrl: z.nullable(z.string()),
  durationSeconds: z.nullable(z.number()),
  documentUrl: z.nullable(z.string()),
  pageCount: z.nullable(z.int()),
})
export type Media = z.infer<typeof Media>

/**
 * - `receiving`: incomplete; resume at `receivedBytes`
 * - `processing`: complete, being processed
 * - `ready`: `media` is set
 * - `failed`: `error` says why
 */
export const UploadStatus = z.enum(['receiving', 'processing', 'ready', 'failed'])

export const Upload = z.object({
  id: Id,
  status: UploadStatus,
  byteSize: z.int(),
  receivedBytes: z.int(),
  error: z.nullable(z.string()),
  media: z.nullable(Media),
})
export type Upload = z.infer<typeof Upload>

export const documentTypes = ['application/pdf'] as const
