import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ActionReason, ModerationAction } from './moderation.ts'
import { numeric, page } from './pagination.ts'
import { ReportReason, ReportSubject } from './reports.ts'

/** A line of the public log: nobody is named, and nothing that would tell who. */
export const LoggedDeed = z.object({
  at: z.iso.datetime(),
  action: ModerationAction,
  subject: ReportSubject,
  reason: ActionReason,
  /** How long it lasts; null: without an end, or not a matter of time. */
  days: z.nullable(z.int()),
  outcome: z.enum(['stands', 'undone', 'overturned']),
  /** Of a public one. */
  community: z.nullable(z.object({ slug: z.string(), name: z.string() })),
})
export type LoggedDeed = z.infer<typeof LoggedDeed>

export const listModerationLog = endpoint({
  method: 'GET',
  path: '/api/moderation-log',
  summary: 'What moderators did, newest first, without names',
  tag: 'Moderation',
  access: 'public',
  paginated: true,
  query: z.object(page),
  response: z.array(LoggedDeed),
})

export const ModerationCounts = z.object({
  days: z.int(),
  reports: z.int(),
  reportsByReason: z.array(z.object({ reason: ReportReason, count: z.int() })),
  /** By filters. */
  held: z.int(),
  actions: z.array(z.object({ action: ModerationAction, count: z.int() })),
  appeals: z.int(),
  overturned: z.int(),
  medianHours: z.nullable(z.number()),
})
export type ModerationCounts = z.infer<typeof ModerationCounts>

export const getModerationCounts = endpoint({
  method: 'GET',
  path: '/api/moderation-log/counts',
  summary: 'How much was reported, held, done and appealed',
  tag: 'Moderation',
  access: 'public',
  query: z.object({ days: z._default(numeric(z.int().check(z.minimum(7), z.maximum(365))), 90) }),
  response: ModerationCounts,
})
