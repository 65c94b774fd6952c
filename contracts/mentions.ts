import { Id } from './fields.ts'
import { maxMentions } from './limits.ts'
import * as z from './zod.ts'

const Kind = z.enum(['person', 'business'])

/** Where a text mentions someone: `length` UTF-16 code units from `start`, which are `@` and their name. */
export const NewMention = z.object({
  kind: Kind,
  id: Id,
  start: z.int().check(z.minimum(0), z.maximum(10_000)),
  length: z.int().check(z.minimum(2), z.maximum(300)),
})
export type NewMention = z.infer<typeof NewMention>

export const NewMentions = z.array(NewMention).check(z.maxLength(maxMentions, 'At most 10 mentions'))

/** One that the viewer may see; others are plain text. */
export const Mention = z.object({
  kind: Kind,
  id: Id,
  start: z.int(),
  length: z.int(),
  /** The path of the person's or business's page. */
  path: z.string(),
})
export type Mention = z.infer<typeof Mention>
