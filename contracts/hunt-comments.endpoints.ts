import { endpoint } from './endpoint.ts'
import { Id, IdParams, line, page } from './fields.ts'
import { HuntParams } from './hunts.ts'
import { Person } from './people.ts'
import * as z from './zod.ts'

export const HuntComment = z.object({
  id: Id,
  huntId: Id,
  author: Person,
  content: z.string(),
  createdAt: z.iso.datetime(),
  editedAt: z.nullable(z.iso.datetime()),
  /** Only for the viewer's own comments: held for review, or moderated. */
  moderation: z.nullable(z.enum(['held', 'hidden', 'removed'])),
  /** If held, the reasons as sentences for the author; otherwise empty. */
  heldFor: z.array(z.string()),
  abilities: z.object({ edit: z.boolean(), delete: z.boolean(), report: z.boolean() }),
})
export type HuntComment = z.infer<typeof HuntComment>

const content = line(2000, 'Write something first')

export const listHuntComments = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/comments',
  summary: 'List the comments on a hunt, oldest first',
  tag: 'Pheno hunts',
  access: 'member',
  paginated: true,
  params: HuntParams,
  query: z.object(page),
  response: z.array(HuntComment),
})

export const writeHuntComment = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/comments',
  summary: 'Comment on a public hunt',
  tag: 'Pheno hunts',
  access: 'member',
  words: 'published',
  rateLimit: 'post',
  idempotent: true,
  params: HuntParams,
  body: z.object({ content }),
  response: HuntComment,
  status: 201,
})

export const editHuntComment = endpoint({
  method: 'PATCH',
  path: '/api/hunt-comments/:id',
  summary: 'Change your own comment',
  tag: 'Pheno hunts',
  access: 'member',
  words: 'published',
  params: IdParams,
  body: z.object({ content }),
  response: HuntComment,
})

export const deleteHuntComment = endpoint({
  method: 'DELETE',
  path: '/api/hunt-comments/:id',
  summary: 'Delete your own comment, or one on your hunt',
  tag: 'Pheno hunts',
  access: 'member',
  params: IdParams,
})
