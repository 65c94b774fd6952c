import { Id } from './fields.ts'
import * as z from './zod.ts'

export const JobQueue = z.object({
  name: z.string(),
  /** Due or scheduled. */
  waiting: z.int(),
  /** Failed, and will be retried. */
  retrying: z.int(),
  running: z.int(),
  failed: z.int(),
  oldestWaitingAt: z.nullable(z.iso.datetime()),
})
export type JobQueue = z.infer<typeof JobQueue>

export const FailedJob = z.object({
  id: Id,
  name: z.string(),
  queuedAt: z.iso.datetime(),
  failedAt: z.iso.datetime(),
  tries: z.int(),
  /** The error without addresses, links and long numbers, which may be personal data. */
  error: z.string(),
})
export type FailedJob = z.infer<typeof FailedJob>
