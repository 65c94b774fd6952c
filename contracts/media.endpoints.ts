import { endpoint } from './endpoint.ts'
import { IdParams, line, numeric, withoutNul } from './fields.ts'
import { fileRefusals } from './media.rules.ts'
import { Upload } from './media.ts'
import * as z from './zod.ts'

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

export const uploadChunk = endpoint({
  method: 'PUT',
  path: '/api/media/:id/bytes',
  summary: 'Upload the bytes of a file, starting at `offset`, at most 1 MiB at a time. Idempotent.',
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
  summary: "Delete an upload that isn't attached to anything yet",
  tag: 'Media',
  access: 'member',
  params: IdParams,
})
