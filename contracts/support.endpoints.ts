import { endpoint } from './endpoint.ts'
import { line } from './fields.ts'
import * as z from './zod.ts'

export const sendSupportRequest = endpoint({
  method: 'POST',
  path: '/api/support-requests',
  summary: 'Write to support. Requests with priority support are marked and answered first.',
  tag: 'Safety',
  access: 'account',
  words: 'moderation',
  whileSuspended: true,
  rateLimit: 'mail',
  idempotent: true,
  body: z.object({ subject: line(120, 'Enter a subject'), message: line(4000, 'Enter a message') }),
  response: z.object({ isPriority: z.boolean(), answerDays: z.int() }),
  status: 201,
})
