import { endpoint } from './endpoint.ts'
import { numeric, page } from './fields.ts'
import { ActionReason, ModerationAction } from './moderation.ts'
import { ReportReason, ReportSubject } from './reports.ts'
import * as z from './zod.ts'

/** An anonymous entry of the public log. */
export const LoggedDecision = z.object({
  at: z.iso.datetime(),
  action: ModerationAction,
  subject: ReportSubject,
  reason: ActionReason,
  /** Duration; null if it is permanent or has none. */
  days: z.nullable(z.int()),
  outcome: z.enum(['stands', 'undone', 'overturned']),
  /** Only if it is public. */
  community: z.nullable(z.object({ slug: z.string(), name: z.string() })),
})
export type LoggedDecision = z.infer<typeof LoggedDecision>

export const ModerationCounts = z.object({
  days: z.int(),
  reports: z.int(),
  reportsByReason: z.array(z.object({ reason: ReportReason, count: z.int() })),
  /** Number of items held by filters. */
  held: z.int(),
  actions: z.array(z.object({ action: ModerationAction, count: z.int() })),
  appeals: z.int(),
  overturned: z.int(),
  medianHours: z.nullable(z.number()),
})
export type ModerationCounts = z.infer<typeof ModerationCounts>

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
