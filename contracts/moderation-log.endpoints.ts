import { endpoint } from './endpoint.ts'
import { numeric, page } from './fields.ts'
import { LoggedDecision, ModerationCounts } from './moderation-log.ts'
import * as z from './zod.ts'

export const listModerationLog = endpoint({
  method: 'GET',
  path: '/api/moderation-log',
  summary: 'List what moderators did, newest first, without names',
  tag: 'Moderation',
  access: 'public',
  paginated: true,
  query: z.object(page),
  response: z.array(LoggedDecision),
})

export const getModerationCounts = endpoint({
  method: 'GET',
  path: '/api/moderation-log/counts',
  summary: 'Count what was reported, held, acted on and appealed',
  tag: 'Moderation',
  access: 'public',
  query: z.object({ days: z._default(numeric(z.int().check(z.minimum(7), z.maximum(365))), 90) }),
  response: ModerationCounts,
})
