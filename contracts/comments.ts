import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdParams } from './ids.ts'
import { page } from './pagination.ts'
import { Person } from './people.ts'
import { BusinessByline } from './posts.ts'
import { line } from './text.ts'

export const Comment = z.object({
  id: Id,
  postId: Id,
  /** The comment that this one replies to; null for one to the post itself. */
  parentId: z.nullable(Id),
  /** Both null once deleted. Of a business's comment, `author` is null. */
  author: z.nullable(Person),
  business: z.nullable(BusinessByline),
  /** Empty once deleted: a deleted comment stays while it has replies. */
  content: z.string(),
  isDeleted: z.boolean(),
  repliesCount: z.int(),
  createdAt: z.iso.datetime(),
  editedAt: z.nullable(z.iso.datetime()),
  /** Of one's own: held until a moderator has looked, or hidden by one. */
  moderation: z.nullable(z.enum(['held', 'hidden'])),
  /** While it is held: why, in sentences for its writer. Else empty. */
  heldFor: z.array(z.string()),
  abilities: z.object({
    reply: z.boolean(),
    edit: z.boolean(),
    delete: z.boolean(),
    report: z.boolean(),
    /** Block its writer in the name of the business whose post this is. */
    block: z.boolean(),
  }),
})
export type Comment = z.infer<typeof Comment>

const content = line(2000, 'Write something first')

export const listComments = endpoint({
  method: 'GET',
  path: '/api/posts/:id/comments',
  summary: 'The comments to a post, oldest first, without their replies; 404 where the post is locked',
  tag: 'Comments',
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object(page),
  response: z.array(Comment),
})

export const listReplies = endpoint({
  method: 'GET',
  path: '/api/comments/:id/replies',
  summary: 'The replies to a comment, oldest first',
  tag: 'Comments',
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object(page),
  response: z.array(Comment),
})

export const writeComment = endpoint({
  method: 'POST',
  path: '/api/posts/:id/comments',
  summary: 'Comment on a post, or reply to a comment',
  tag: 'Comments',
  access: 'member',
  words: 'published',
  idempotent: true,
  params: IdParams,
  body: z.object({
    content,
    /** A reply to a reply joins the replies of the same comment. */
    parentId: z._default(z.nullable(Id), null),
    /** Under a business that the writer runs; null: under the own name. */
    businessId: z._default(z.nullable(Id), null),
  }),
  response: Comment,
  status: 201,
})

export const editComment = endpoint({
  method: 'PATCH',
  path: '/api/comments/:id',
  summary: 'Change a comment of one’s own',
  tag: 'Comments',
  access: 'member',
  words: 'published',
  params: IdParams,
  body: z.object({ content }),
  response: Comment,
})

export const deleteComment = endpoint({
  method: 'DELETE',
  path: '/api/comments/:id',
  summary: "Delete a comment: one's own, or one under a post of one's own",
  tag: 'Comments',
  access: 'member',
  params: IdParams,
})
