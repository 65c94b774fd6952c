import { Comment } from './comments.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, line, page } from './fields.ts'
import * as z from './zod.ts'

const content = line(2000, 'Write something first')

export const listComments = endpoint({
  method: 'GET',
  path: '/api/posts/:id/comments',
  summary: 'List the comments on a post, oldest first, without replies; 404 if the post is locked for the viewer',
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
  summary: 'List the replies to a comment, oldest first',
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
    /** A reply to a reply is filed under the same top-level comment. */
    parentId: z._default(z.nullable(Id), null),
    /** Publishes under a business the author runs; null for their own name. */
    businessId: z._default(z.nullable(Id), null),
  }),
  response: Comment,
  status: 201,
})

export const editComment = endpoint({
  method: 'PATCH',
  path: '/api/comments/:id',
  summary: 'Change your own comment',
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
  summary: 'Delete your own comment, or one on your post',
  tag: 'Comments',
  access: 'member',
  params: IdParams,
})
