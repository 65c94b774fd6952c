import { Id } from './fields.ts'
import { reportReasons } from './moderation.rules.ts'
import * as z from './zod.ts'

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
