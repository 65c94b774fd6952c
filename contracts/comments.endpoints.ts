import { endpoint } from './endpoint.ts'
import { Id, IdParams, line, page } from './fields.ts'
import { Mention, NewMentions } from './mentions.ts'
import { Person } from './people.ts'
import { BusinessByline } from './posts.ts'
import * as z from './zod.ts'

export const Comment = z.object({
  id: Id,
  postId: Id,
  /** The comment this one replies to; null for top-level comments. */
  parentId: z.nullable(Id),
  /** Both are null once deleted. `author` is null for a business's comment. */
  author: z.nullable(Person),
  business: z.nullable(BusinessByline),
  /** Empty once deleted. Deleted comments stay while they have replies. */
  content: z.string(),
  mentions: z.array(Mention),
  isDeleted: z.boolean(),
  repliesCount: z.int(),
  /** Replies by the viewer that are held for review. Only they see them, and `repliesCount` leaves them out. */
  heldRepliesCount: z.int(),
  createdAt: z.iso.datetime(),
  editedAt: z.nullable(z.iso.datetime()),
  /** Only for the viewer's own comments: held for review, or hidden by a moderator. */
  moderation: z.nullable(z.enum(['held', 'hidden'])),
  /** If held, the reasons as sentences for the author; otherwise empty. */
  heldFor: z.array(z.string()),
  abilities: z.object({
    reply: z.boolean(),
    edit: z.boolean(),
    delete: z.boolean(),
    report: z.boolean(),
    /** Block its author on behalf of the post's business. */
    block: z.boolean(),
  }),
})
export type Comment = z.infer<typeof Comment>

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
    mentions: z._default(NewMentions, []),
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
  /** Without mentions, earlier ones become plain text if the content changes. */
  body: z.object({ content, mentions: z.optional(NewMentions) }),
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
