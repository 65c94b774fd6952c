import { endpoint } from './endpoint.ts'
import { Id, IdParams, line, page } from './fields.ts'
import { Person } from './people.ts'
import { BusinessByline, Mention, NewMentions } from './posts.ts'
import * as z from './zod.ts'

export const Comment = z.object({
  id: Id,
  postId: Id,
  parentId: z.nullable(Id),
  /** `author` and `business` are null once the comment is deleted. `author` is also null for a business's comment. */
  author: z.nullable(Person),
  business: z.nullable(BusinessByline),
  /** Empty once deleted. A deleted comment is listed as long as it has replies. */
  content: z.string(),
  mentions: z.array(Mention),
  isDeleted: z.boolean(),
  repliesCount: z.int(),
  /** The viewer's own replies that are held for review. Only the viewer sees them, and `repliesCount` excludes them. */
  heldRepliesCount: z.int(),
  createdAt: z.iso.datetime(),
  editedAt: z.nullable(z.iso.datetime()),
  /** Set only on the viewer's own comments. */
  moderation: z.nullable(z.enum(['held', 'hidden'])),
  /** Sentences that tell the author why the comment was held. */
  heldFor: z.array(z.string()),
  abilities: z.object({
    reply: z.boolean(),
    edit: z.boolean(),
    delete: z.boolean(),
    report: z.boolean(),
    block: z.boolean(),
  }),
})
export type Comment = z.infer<typeof Comment>

const content = line(2000, 'Write something first')

export const listComments = endpoint({
  method: 'GET',
  path: '/api/posts/:id/comments',
  summary: 'List the comments on a post, oldest first, without replies. Returns 404 if the post is locked for the viewer.',
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

export const createComment = endpoint({
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
    /** A reply to a reply is listed under the same top-level comment. */
    parentId: z._default(z.nullable(Id), null),
    /** Posts as a business that the author runs; null to post as themselves. */
    businessId: z._default(z.nullable(Id), null),
  }),
  response: Comment,
  status: 201,
})

export const updateComment = endpoint({
  method: 'PATCH',
  path: '/api/comments/:id',
  summary: 'Change your own comment',
  tag: 'Comments',
  access: 'member',
  words: 'published',
  params: IdParams,
  /** If `mentions` is omitted and the content changes, earlier mentions become plain text. */
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
