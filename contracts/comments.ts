import { Id } from './fields.ts'
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
  isDeleted: z.boolean(),
  repliesCount: z.int(),
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
