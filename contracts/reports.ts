import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id } from './ids.ts'
import { page } from './pagination.ts'
import { reportReasons } from './report-reasons.ts'
import { line } from './text.ts'

export const ReportReason = z.enum(reportReasons)

export const reportSubjects = [
  'post',
  'comment',
  'review',
  'person',
  'business',
  'hunt',
  'hunt_comment',
  'community',
  'message',
  'event',
  'gallery_item',
] as const
export const ReportSubject = z.enum(reportSubjects)
export type ReportSubject = z.infer<typeof ReportSubject>

export const report = endpoint({
  method: 'POST',
  path: '/api/reports',
  summary: 'Report something to the moderators; a repeated report replaces the first',
  tag: 'Safety',
  access: 'member',
  words: 'moderation',
  body: z.object({ subject: ReportSubject, subjectId: Id, reason: ReportReason, details: z._default(line(1000), '') }),
})

/** A report's outcome for the reporter: whether it was reviewed and action was taken, but not what or against whom. */
export const OwnReport = z.object({
  id: Id,
  subject: ReportSubject,
  reason: ReportReason,
  createdAt: z.iso.datetime(),
  decidedAt: z.nullable(z.iso.datetime()),
  outcome: z.enum(['waiting', 'action_taken', 'no_action']),
})
export type OwnReport = z.infer<typeof OwnReport>

export const listOwnReports = endpoint({
  method: 'GET',
  path: '/api/reports',
  summary: 'List your reports, newest first, and whether action was taken',
  tag: 'Safety',
  access: 'member',
  whileSuspended: true,
  paginated: true,
  query: z.object(page),
  response: z.array(OwnReport),
})
