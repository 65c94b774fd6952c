import { Id } from './fields.ts'
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
