import { Role } from './accounts.ts'
import { AdminBusiness, AdminCommunity, AdminPerson, AdminPersonDetail, Health, PlanFigures, Waiting } from './admin.ts'
import { BusinessName } from './businesses.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, line, page } from './fields.ts'
import * as z from './zod.ts'

export const getWaiting = endpoint({
  method: 'GET',
  path: '/api/admin/waiting',
  summary: 'Count the items waiting for a moderator in each queue',
  tag: 'Admin',
  access: 'moderator',
  response: Waiting,
})

export const getHealth = endpoint({
  method: 'GET',
  path: '/api/admin/health',
  summary: 'Read the system status',
  tag: 'Admin',
  access: 'admin',
  response: Health,
})

const q = z._default(line(120), '')

export const listPeople = endpoint({
  method: 'GET',
  path: '/api/admin/people',
  summary: "Find people by part of the name or email address, or by ID, newest first. Addresses aren't returned.",
  tag: 'Admin',
  access: 'admin',
  paginated: true,
  query: z.object({ ...page, q, role: z.optional(Role) }),
  response: z.array(AdminPerson),
})

export const getPerson = endpoint({
  method: 'GET',
  path: '/api/admin/people/:id',
  summary: 'Read one person, including the email address; each read is written to the audit log',
  tag: 'Admin',
  access: 'admin',
  params: IdParams,
  response: AdminPersonDetail,
})

export const changeRole = endpoint({
  method: 'PUT',
  path: '/api/admin/people/:id/role',
  summary: "Make someone a member, a moderator or an admin; you can't change your own role",
  tag: 'Admin',
  access: 'admin',
  params: IdParams,
  body: z.object({ role: Role }),
})

export const signOutEverywhere = endpoint({
  method: 'POST',
  path: '/api/admin/people/:id/sign-out',
  summary: 'End every session of a person',
  tag: 'Admin',
  access: 'admin',
  params: IdParams,
  response: z.object({ ended: z.int() }),
})

export const listBusinesses = endpoint({
  method: 'GET',
  path: '/api/admin/businesses',
  summary: 'Find businesses by words in the name, description and place, or by ID, newest first',
  tag: 'Admin',
  access: 'admin',
  paginated: true,
  query: z.object({ ...page, q, owned: z._default(z.enum(['any', 'yes', 'no']), 'any') }),
  response: z.array(AdminBusiness),
})

export const correctBusinessName = endpoint({
  method: 'PUT',
  path: '/api/admin/businesses/:id/name',
  summary: "Correct a business's name, even if it has reviews or a license. Its address on this site stays the same.",
  tag: 'Admin',
  access: 'admin',
  words: 'office',
  params: IdParams,
  body: z.object({ name: BusinessName }),
})

export const listAllCommunities = endpoint({
  method: 'GET',
  path: '/api/admin/communities',
  summary: 'Find communities by words in the name and description, or by ID, newest first. Private ones appear only to their members.',
  tag: 'Admin',
  access: 'admin',
  paginated: true,
  query: z.object({ ...page, q }),
  response: z.array(AdminCommunity),
})

export const getPlanFigures = endpoint({
  method: 'GET',
  path: '/api/admin/plans',
  summary: 'Read how many of each plan are sold',
  tag: 'Admin',
  access: 'admin',
  response: PlanFigures,
})

const Named = z.object({ id: Id, name: z.string() })

export const AuditRow = z.object({
  /** Position in the log, from 1. */
  sequence: z.int(),
  at: z.iso.datetime(),
  /** Subject and outcome: `license.verified`. */
  action: z.string(),
  /** Null for the system. A null name means that the account was deleted. */
  actor: z.nullable(z.object({ id: Id, name: z.nullable(z.string()) })),
  subjectType: z.string(),
  subjectId: Id,
  /** Only for people and businesses that still exist. */
  subjectName: z.nullable(z.string()),
  business: z.nullable(z.extend(Named, { slug: z.string() })),
  /** IDs, numbers and fixed terms; never user text. */
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  hash: z.string(),
})
export type AuditRow = z.infer<typeof AuditRow>

const optionalId = z.optional(Id)

export const listAudit = endpoint({
  method: 'GET',
  path: '/api/admin/audit',
  summary: 'Search the audit log by action, subject, actor, business and time, newest first',
  tag: 'Admin',
  access: 'admin',
  paginated: true,
  query: z.object({
    ...page,
    /** One action (`claim.approved`) or all actions on a subject (`claim`). */
    action: z.optional(
      z.string().check(z.regex(/^[a-z_]{1,60}(\.[a-z_]{1,60})?$/, 'Enter it as claim.approved, or claim for all of them')),
    ),
    subject: optionalId,
    actor: optionalId,
    business: optionalId,
    from: z.optional(z.iso.datetime('Must be a time')),
    to: z.optional(z.iso.datetime('Must be a time')),
  }),
  response: z.array(AuditRow),
})

export const listAuditActions = endpoint({
  method: 'GET',
  path: '/api/admin/audit/actions',
  summary: 'List the actions in the audit log by name',
  tag: 'Admin',
  access: 'admin',
  response: z.array(z.string()),
})

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
