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
/** What one PUT of an upload carries at most. */
export const uploadChunkBytes = 1024 * 1024

/** A picture, a short video or a PDF, ready to show. All addresses are this site's own. */
export const Media = z.object({
  id: Id,
  kind: z.enum(['image', 'video', 'document']),
  /** In pixels, as it is shown (turned upright); of a document, those of its first page in points. */
  width: z.int(),
  height: z.int(),
  /** A few dozen blurred pixels as a `data:` address, to paint before the picture comes. */
  placeholder: z.nullable(z.string()),
  /** What it shows, for those who cannot see it. */
  alt: z.string(),
  /** Of a picture, the narrowest first. Empty for all else. */
  sources: z.array(z.object({ width: z.int(), avif: z.string(), webp: z.string() })),
  videoUrl: z.nullable(z.string()),
  durationSeconds: z.nullable(z.number()),
  /** A PDF to download. */
  documentUrl: z.nullable(z.string()),
  pageCount: z.nullable(z.int()),
})
export type Media = z.infer<typeof Media>

/**
 * - `receiving`: bytes are missing; go on from `receivedBytes`
 * - `processing`: complete, and being made ready
 * - `ready`: `media` is there
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
/** Phones' own formats, refused with a sentence that says what to do. */
export const refusedImageTypes = ['image/heic', 'image/heif'] as const
export const videoTypes = ['video/mp4', 'video/quicktime', 'video/webm'] as const
export const documentTypes = ['application/pdf'] as const

/** Why a file is refused before any of it is sent: the same words in the page and from the server. */
export const fileRefusals = {
  unknown: 'This is no picture or video that can be shown here. Send a JPEG, PNG, WebP, AVIF or GIF picture, or an MP4, MOV or WebM video.',
  heic: 'Photos in HEIC format cannot be read here. On an iPhone, choose Settings → Camera → Formats → Most Compatible, or send a JPEG.',
  notDocument: 'Send this as a PDF.',
  empty: 'The file is empty',
  large: {
    image: `A picture can have at most ${maxImageBytes / 1024 / 1024} MB.`,
    video: `A video can have at most ${maxVideoBytes / 1024 / 1024} MB.`,
    document: `A PDF can have at most ${maxDocumentBytes / 1024 / 1024} MB.`,
  },
}

export const beginUpload = endpoint({
  method: 'POST',
  path: '/api/media',
  summary: 'Begin an upload: say what comes, then PUT its bytes',
  tag: 'Media',
  access: 'member',
  words: 'draft',
  idempotent: true,
  body: z.object({
    /** As the browser names it. What the bytes really are is decided by looking at them. */
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
  summary: 'The bytes of an upload from `offset` on, at most 1 MiB at a time; sending the same again changes nothing',
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
  summary: "One of the signed-in person's own uploads",
  tag: 'Media',
  access: 'member',
  params: IdParams,
  response: Upload,
})

export const describeMedia = endpoint({
  method: 'PATCH',
  path: '/api/media/:id',
  summary: 'Say what a picture shows',
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
  summary: 'Give up an upload that nothing shows yet',
  tag: 'Media',
  access: 'member',
  params: IdParams,
})
