import { endpoint } from './endpoint.ts'
import { BusinessTypeSchema, Id, line } from './fields.ts'
import * as z from './zod.ts'

const MentionSuggestion = z.object({
  kind: z.enum(['person', 'business']),
  id: Id,
  name: z.string(),
  imageUrl: z.nullable(z.string()),
  /** Null for a person. */
  businessType: z.nullable(BusinessTypeSchema),
  /** Tells apart those with the same name: a place. */
  detail: z.nullable(z.string()),
})
export type MentionSuggestion = z.infer<typeof MentionSuggestion>

export const suggestMentions = endpoint({
  method: 'GET',
  path: '/api/mention-suggestions',
  summary: 'Suggest people and businesses to mention; only members in a community that not everyone can read',
  tag: 'Posts',
  access: 'member',
  query: z.object({
    q: line(60, 'Type a name'),
    /** Where the text is for. */
    communityId: z.optional(Id),
  }),
  response: z.array(MentionSuggestion),
})
