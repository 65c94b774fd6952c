import { endpoint } from './endpoint.ts'
import { Id, IdParams, page } from './fields.ts'
import { HuntParams } from './hunts.ts'
import * as z from './zod.ts'

export const AwaitedPhoto = z.object({ id: Id, file: z.string() })
export type AwaitedPhoto = z.infer<typeof AwaitedPhoto>

const tag = 'Hunt archive'

export const measureHuntPhotos = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/photo-archive',
  summary: "Read the number of photos in a hunt's archive (`GET /api/pheno-hunts/:id/export.zip`) and their size in bytes",
  tag,
  access: 'member',
  rateLimit: 'drawing',
  params: HuntParams,
  response: z.object({ photoCount: z.int(), byteSize: z.int() }),
})

export const listAwaitedPhotos = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/awaited-photos',
  summary: "List the photos of an imported hunt that haven't been uploaded yet, in archive order",
  tag,
  access: 'member',
  paginated: true,
  params: HuntParams,
  query: z.object(page),
  response: z.array(AwaitedPhoto),
})

export const restorePhoto = endpoint({
  method: 'PUT',
  path: '/api/awaited-photos/:id',
  summary: 'Attach one of your uploads to the log or score that awaits it. Idempotent.',
  tag,
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: z.object({ mediaId: Id }),
})

export const forgetAwaitedPhotos = endpoint({
  method: 'DELETE',
  path: '/api/pheno-hunts/:id/awaited-photos',
  summary: 'Stop waiting for the remaining photos of an imported hunt. Idempotent.',
  tag,
  access: 'member',
  params: HuntParams,
})
