import { endpoint } from './endpoint.ts'
import { HuntDocument, HuntProof } from './hunt-archive.ts'
import { Hunt, HuntParams } from './hunts.ts'
import { maxArchiveBytes } from './limits.ts'
import * as z from './zod.ts'

const tag = 'Hunt archive'

export const importHunt = endpoint({
  method: 'POST',
  path: '/api/hunt-imports',
  summary: 'Create a private hunt of your own from an exported document (`GET /api/pheno-hunts/:id/export.json`)',
  tag,
  access: 'member',
  words: 'draft',
  rateLimit: 'drawing',
  idempotent: true,
  receives: 'document',
  maxBytes: maxArchiveBytes,
  body: HuntDocument,
  response: Hunt,
  status: 201,
})

export const proveHunt = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/proofs',
  summary: 'Record a timestamped hash of the hunt as it is now. Idempotent while the hunt is unchanged.',
  tag,
  access: 'member',
  rateLimit: 'drawing',
  params: HuntParams,
  response: HuntProof,
  status: 201,
})

export const listHuntProofs = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/proofs',
  summary: 'List the proofs of a hunt, newest first, at most the last 100',
  tag,
  access: 'member',
  params: HuntParams,
  response: z.array(HuntProof),
})

export const findHuntProof = endpoint({
  method: 'GET',
  path: '/api/hunt-proofs/:hash',
  summary: 'Check whether and when a document with this hash was recorded here, for anyone who has the document',
  tag,
  access: 'public',
  params: z.object({ hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  response: z.omit(HuntProof, { id: true }),
})
