import { endpoint } from './endpoint.ts'
import { Id, line, page } from './fields.ts'
import { OwnReport, ReportReason, ReportSubject } from './reports.ts'
import * as z from './zod.ts'

export const report = endpoint({
  method: 'POST',
  path: '/api/reports',
  summary: 'Report something to the moderators; a repeated report replaces the first',
  tag: 'Safety',
  access: 'member',
  words: 'moderation',
  body: z.object({ subject: ReportSubject, subjectId: Id, reason: ReportReason, details: z._default(line(1000), '') }),
})

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
