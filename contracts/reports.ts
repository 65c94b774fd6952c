import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id } from './ids.ts'
import { page } from './pagination.ts'
import { line } from './text.ts'

export const reportReasons = [
  'spam',
  'harassment',
  'illegal_sale',
  'minors',
  'health_claim',
  'false_information',
  'intimate_image',
  'other',
] as const
export const ReportReason = z.enum(reportReasons)
export type ReportReason = z.infer<typeof ReportReason>

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
] as const
export const ReportSubject = z.enum(reportSubjects)
export type ReportSubject = z.infer<typeof ReportSubject>

export const report = endpoint({
  method: 'POST',
  path: '/api/reports',
  summary: 'Report something to the moderators; reporting the same again replaces what was said before',
  tag: 'Safety',
  access: 'member',
  words: 'moderation',
  body: z.object({ subject: ReportSubject, subjectId: Id, reason: ReportReason, details: z._default(line(1000), '') }),
})

/** What became of a report, for whoever made it: that it was looked at, and whether something was done. Never what, or to whom. */
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
  summary: 'What the signed-in person has reported, newest first, and whether something was done',
  tag: 'Safety',
  access: 'member',
  whileSuspended: true,
  paginated: true,
  query: z.object(page),
  response: z.array(OwnReport),
})
