import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id } from './ids.ts'
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

export const reportSubjects = ['post', 'comment', 'review', 'person', 'business', 'hunt', 'hunt_comment'] as const
export const ReportSubject = z.enum(reportSubjects)
export type ReportSubject = z.infer<typeof ReportSubject>

export const report = endpoint({
  method: 'POST',
  path: '/api/reports',
  summary: 'Report something to the moderators; reporting the same again replaces what was said before',
  tag: 'Safety',
  access: 'member',
  body: z.object({ subject: ReportSubject, subjectId: Id, reason: ReportReason, details: z._default(line(1000), '') }),
})
