import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdParams } from './ids.ts'
import { numeric } from './pagination.ts'
import { line, withoutNul } from './text.ts'

export const maxImageBytes = 10 * 1024 * 1024
export const maxVideoBytes = 60 * 1024 * 1024
export const maxVideoSeconds = 60
export const maxDocumentBytes = 10 * 1024 * 1024
export const maxDocumentPages = 100
/** Maximum body of one upload PUT. */
export const uploadChunkBytes = 1024 * 1024

/** A processed picture, short video or PDF. All URLs are on this site. */
export const Media = z.object({
  id: Id,
  kind: z.enum(['image', 'video', 'document']),
  /** In pixels, after rotation. For a document, the size of its first page in points. */
  width: z.int(),
  height: z.int(),
  /** A tiny blurred preview as a `data:` URL, shown until the picture loads. */
  placeholder: z.nullable(z.string()),
  alt: z.string(),
  /** For pictures, narrowest first; otherwise empty. */
  sources: z.array(z.object({ width: z.int(), avif: z.string(), webp: z.string() })),
  videoUrl: z.nullable(z.string()),
  durationSeconds: z.nullable(z.number()),
  /** URL of the PDF. */
  documentUrl: z.nullable(z.string()),
  pageCount: z.nullable(z.int()),
})
export type Media = z.infer<typeof Media>

/**
 * - `receiving`: incomplete; continue from `receivedBytes`
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

export const imageTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'] as const
/** Phone formats that are rejected with instructions. */
export const refusedImageTypes = ['image/heic', 'image/heif'] as const
export const videoTypes = ['video/mp4', 'video/quicktime', 'video/webm'] as const
export const documentTypes = ['application/pdf'] as const

/** Error messages before an upload starts, shared by page and server. */
export const fileRefusals = {
  unknown: "This file type isn't supported. Send a JPEG, PNG, WebP, AVIF or GIF picture, or an MP4, MOV or WebM video.",
  heic: "HEIC photos aren't supported. On an iPhone, choose Settings → Camera → Formats → Most Compatible, or send a JPEG.",
  notDocument: 'Send this as a PDF.',
  empty: 'The file is empty',
  large: {
    image: `A picture can be up to ${maxImageBytes / 1024 / 1024} MB.`,
    video: `A video can be up to ${maxVideoBytes / 1024 / 1024} MB.`,
    document: `A PDF can be up to ${maxDocumentBytes / 1024 / 1024} MB.`,
  },
}

export const beginUpload = endpoint({
  method: 'POST',
  path: '/api/media',
  summary: 'Begin an upload: announce the file, then PUT its bytes',
  tag: 'Media',
  access: 'member',
  words: 'draft',
  idempotent: true,
  body: z.object({
    /** As reported by the browser. The server detects the actual type from the content. */
    contentType: z.string().check(z.maxLength(100), withoutNul),
    byteSize: z.int().check(z.minimum(1, fileRefusals.empty)),
    alt: z._default(line(300), ''),
  }),
  response: Upload,
  status: 201,
})

export const sendBytes = endpoint({
  method: 'PUT',
  path: '/api/media/:id/bytes',
  summary: 'Upload the bytes of a file from `offset` on, at most 1 MiB at a time. Idempotent.',
  tag: 'Media',
  access: 'member',
  words: 'draft',
  rateLimit: 'upload',
  params: IdParams,
  query: z.object({ offset: numeric(z.number().check(z.int(), z.minimum(0))) }),
  receives: 'bytes',
  response: Upload,
})

export const getUpload = endpoint({
  method: 'GET',
  path: '/api/media/:id',
  summary: 'Read one of your uploads',
  tag: 'Media',
  access: 'member',
  params: IdParams,
  response: Upload,
})

export const describeMedia = endpoint({
  method: 'PATCH',
  path: '/api/media/:id',
  summary: "Describe a picture for people who can't see it",
  tag: 'Media',
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: z.object({ alt: line(300) }),
  response: Upload,
})

export const removeUpload = endpoint({
  method: 'DELETE',
  path: '/api/media/:id',
  summary: 'Delete an upload that nothing shows yet',
  tag: 'Media',
  access: 'member',
  params: IdParams,
})
