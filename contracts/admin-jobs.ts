import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id } from './ids.ts'
import { page } from './pagination.ts'

export const JobQueue = z.object({
  name: z.string(),
  /** Due, or waiting for their hour. */
  waiting: z.int(),
  /** Failed, and to be tried again. */
  retrying: z.int(),
  running: z.int(),
  failed: z.int(),
  oldestWaitingAt: z.nullable(z.iso.datetime()),
})
export type JobQueue = z.infer<typeof JobQueue>

export const listJobQueues = endpoint({
  method: 'GET',
  path: '/api/admin/jobs',
  summary: 'What the software still has to do, by kind; those that failed first',
  tag: 'Admin',
  access: 'admin',
  response: z.array(JobQueue),
})

export const FailedJob = z.object({
  id: Id,
  name: z.string(),
  queuedAt: z.iso.datetime(),
  failedAt: z.iso.datetime(),
  tries: z.int(),
  /** What went wrong, without addresses, links and long numbers: those may be somebody's. */
  error: z.string(),
})
export type FailedJob = z.infer<typeof FailedJob>

export const listFailedJobs = endpoint({
  method: 'GET',
  path: '/api/admin/jobs/failed',
  summary: 'Jobs that failed for good, the latest first; they are kept for a week',
  tag: 'Admin',
  access: 'admin',
  paginated: true,
  query: z.object(page),
  response: z.array(FailedJob),
})

/** As `accounts.mail-reset-link`. */
const JobName = z.string().check(z.regex(/^[a-z-]{1,60}\.[a-z-]{1,80}$/, 'Not the name of a job'))

const Retried = z.object({ retried: z.int() })

export const retryJobs = endpoint({
  method: 'POST',
  path: '/api/admin/jobs/retry',
  summary: 'Try failed jobs again: one, all of a kind, or all. One that is not failed any more is left alone',
  tag: 'Admin',
  access: 'admin',
  body: z.object({ name: z.optional(JobName), id: z.optional(Id) }),
  response: Retried,
})
