import { endpoint } from './endpoint.ts'
import { Id, page } from './fields.ts'
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

export const listJobQueues = endpoint({
  method: 'GET',
  path: '/api/admin/jobs',
  summary: 'Count the background jobs by kind; kinds with failures come first',
  tag: 'Admin',
  access: 'admin',
  response: z.array(JobQueue),
})

export const listFailedJobs = endpoint({
  method: 'GET',
  path: '/api/admin/jobs/failed',
  summary: 'List jobs that failed for good, the latest first; they are stored for a week',
  tag: 'Admin',
  access: 'admin',
  paginated: true,
  query: z.object(page),
  response: z.array(FailedJob),
})

/** Such as `accounts.mail-reset-link`. */
const JobName = z.string().check(z.regex(/^[a-z-]{1,60}\.[a-z-]{1,80}$/, 'Must be the name of a job'))

const Retried = z.object({ retried: z.int() })

export const retryJobs = endpoint({
  method: 'POST',
  path: '/api/admin/jobs/retry',
  summary: 'Retry failed jobs: one, all of a kind, or all. Skips jobs that are no longer failed.',
  tag: 'Admin',
  access: 'admin',
  body: z.object({ name: z.optional(JobName), id: z.optional(Id) }),
  response: Retried,
})
