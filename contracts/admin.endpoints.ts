import { Role } from './accounts.ts'
import { BusinessName } from './businesses.ts'
import { endpoint } from './endpoint.ts'
import { BusinessTypeSchema, Currency, Id, IdParams, line, page } from './fields.ts'
import * as z from './zod.ts'

/** Admin calls, except moderation queues, which are declared with their subjects (claims, licenses, cases, appeals). */

export const Waiting = z.object({
  claims: z.int(),
  licenses: z.int(),
  cases: z.int(),
  overdue: z.int(),
  appeals: z.int(),
  corrections: z.int(),
})
export type Waiting = z.infer<typeof Waiting>

export const Health = z.object({
  version: z.string(),
  startedAt: z.iso.datetime(),
  node: z.string(),
  memoryBytes: z.int(),
  database: z.object({
    version: z.string(),
    bytes: z.int(),
    connections: z.int(),
    maxConnections: z.int(),
    migrations: z.int(),
    lastMigration: z.nullable(z.string()),
  }),
  jobs: z.object({ waiting: z.int(), running: z.int(), failed: z.int(), oldestWaitingAt: z.nullable(z.iso.datetime()) }),
  media: z.object({ storage: z.enum(['folder', 's3']), files: z.int(), bytes: z.int(), unfinished: z.int(), failed: z.int() }),
  /** `outbox` writes emails to a folder instead of sending them. */
  mail: z.enum(['smtp', 'outbox']),
  payments: z.array(z.string()),
  lastLicenseImport: z.nullable(
    z.object({
      source: z.string(),
      startedAt: z.iso.datetime(),
      finishedAt: z.nullable(z.iso.datetime()),
      rowsRead: z.int(),
      rowsRefused: z.int(),
    }),
  ),
  /** Excludes private communities. */
  counts: z.object({ people: z.int(), businesses: z.int(), communities: z.int(), sessions: z.int() }),
})
export type Health = z.infer<typeof Health>

const AccountStatus = z.object({
  mutedUntil: z.nullable(z.iso.datetime()),
  suspendedUntil: z.nullable(z.iso.datetime()),
  isBanned: z.boolean(),
})

export const AdminPerson = z.object({
  id: Id,
  name: z.string(),
  imageUrl: z.nullable(z.string()),
  role: Role,
  accountStatus: AccountStatus,
  hasSecondFactor: z.boolean(),
  isDemo: z.boolean(),
  createdAt: z.iso.datetime(),
})
export type AdminPerson = z.infer<typeof AdminPerson>

export const AdminPersonDetail = z.extend(AdminPerson, {
  email: z.string(),
  isEmailVerified: z.boolean(),
  signsInWith: z.array(z.enum(['password', 'passkey', 'openid'])),
  sessionsCount: z.int(),
  lastSeenAt: z.nullable(z.iso.datetime()),
  businesses: z.array(z.object({ id: Id, slug: z.string(), name: z.string(), role: z.enum(['owner', 'manager', 'staff']) })),
  counts: z.object({ posts: z.int(), followers: z.int(), cases: z.int(), decisions: z.int() }),
  /** Roles the viewer may assign. Empty for their own account. */
  mayGive: z.array(Role),
})
export type AdminPersonDetail = z.infer<typeof AdminPersonDetail>

export const AdminBusiness = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  type: BusinessTypeSchema,
  location: z.nullable(z.string()),
  address: z.nullable(z.string()),
  owner: z.nullable(z.object({ id: Id, name: z.string() })),
  licenseStanding: z.enum(['listed', 'inactive', 'missing', 'none']),
  licenseVerifiedThrough: z.nullable(z.string()),
  plans: z.array(z.string()),
  isDemo: z.boolean(),
  isHidden: z.boolean(),
  createdAt: z.iso.datetime(),
})
export type AdminBusiness = z.infer<typeof AdminBusiness>

export const AdminCommunity = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  visibility: z.enum(['public', 'invite_only']),
  isVerified: z.boolean(),
  isHidden: z.boolean(),
  isDemo: z.boolean(),
  membersCount: z.int(),
  postsCount: z.int(),
  owner: z.nullable(z.object({ id: Id, name: z.string() })),
  openCases: z.int(),
  createdAt: z.iso.datetime(),
})
export type AdminCommunity = z.infer<typeof AdminCommunity>

const Money = z.object({ currency: Currency, cents: z.int() })

export const PlanFigures = z.object({
  plans: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      audience: z.enum(['person', 'business']),
      monthlyCents: z.int(),
      active: z.int(),
      pastDue: z.int(),
      /** Canceled but paid until the end of the period. */
      ending: z.int(),
      monthly: z.array(Money),
    }),
  ),
  subscriptions: z.object({ active: z.int(), pastDue: z.int(), ending: z.int(), monthly: z.array(Money) }),
  /** What the site received in the last 30 days, net of refunds. Excludes payments to businesses' own accounts. */
  received: z.array(Money),
})
export type PlanFigures = z.infer<typeof PlanFigures>

export const getQueueCounts = endpoint({
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
  summary: "Find people by part of their name or email address, or by ID, newest first. Email addresses aren't returned.",
  tag: 'Admin',
  access: 'admin',
  paginated: true,
  query: z.object({ ...page, q, role: z.optional(Role) }),
  response: z.array(AdminPerson),
})

export const getPerson = endpoint({
  method: 'GET',
  path: '/api/admin/people/:id',
  summary: 'Read one person, including their email address. Each read is recorded in the audit log.',
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
  summary: "End all of a person's sessions",
  tag: 'Admin',
  access: 'admin',
  params: IdParams,
  response: z.object({ ended: z.int() }),
})

export const listBusinesses = endpoint({
  method: 'GET',
  path: '/api/admin/businesses',
  summary: 'Find businesses by words in their name, description and location, or by ID, newest first',
  tag: 'Admin',
  access: 'admin',
  paginated: true,
  query: z.object({ ...page, q, owned: z._default(z.enum(['any', 'yes', 'no']), 'any') }),
  response: z.array(AdminBusiness),
})

export const correctBusinessName = endpoint({
  method: 'PUT',
  path: '/api/admin/businesses/:id/name',
  summary: "Correct a business's name, even if the business has reviews or a license. Its URL doesn't change.",
  tag: 'Admin',
  access: 'admin',
  words: 'office',
  params: IdParams,
  body: z.object({ name: BusinessName }),
})

export const listAllCommunities = endpoint({
  method: 'GET',
  path: '/api/admin/communities',
  summary: 'Find communities by words in their name and description, or by ID, newest first. Private communities are left out.',
  tag: 'Admin',
  access: 'admin',
  paginated: true,
  query: z.object({ ...page, q }),
  response: z.array(AdminCommunity),
})

export const getPlanFigures = endpoint({
  method: 'GET',
  path: '/api/admin/plans',
  summary: "Count each plan's agreements by status, with monthly revenue",
  tag: 'Admin',
  access: 'admin',
  response: PlanFigures,
})

const Named = z.object({ id: Id, name: z.string() })

export const AuditRow = z.object({
  /** Starts at 1. */
  sequence: z.int(),
  at: z.iso.datetime(),
  /** Such as `license.verified`. */
  action: z.string(),
  /** Null for the system. The name is null if the account was deleted. */
  actor: z.nullable(z.object({ id: Id, name: z.nullable(z.string()) })),
  subjectType: z.string(),
  subjectId: Id,
  /** Set only for people and businesses that still exist. */
  subjectName: z.nullable(z.string()),
  /** The person whom a moderator's decision was about; null if the account was deleted. */
  person: z.nullable(Named),
  business: z.nullable(z.extend(Named, { slug: z.string() })),
  /** IDs, numbers and fixed terms, never user text. */
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
      z
        .string()
        .check(
          z.regex(
            /^[a-z_]{1,60}(\.[a-z_]{1,60})?$/,
            'Enter an action, such as “claim.approved”, or a subject, such as “claim”, for all its actions',
          ),
        ),
    ),
    subject: optionalId,
    actor: optionalId,
    business: optionalId,
    from: z.optional(z.iso.datetime('Must be a date and time')),
    to: z.optional(z.iso.datetime('Must be a date and time')),
  }),
  response: z.array(AuditRow),
})

export const listAuditActions = endpoint({
  method: 'GET',
  path: '/api/admin/audit/actions',
  summary: 'List the names of the actions in the audit log',
  tag: 'Admin',
  access: 'admin',
  response: z.array(z.string()),
})

export const JobQueue = z.object({
  name: z.string(),
  waiting: z.int(),
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
  /** Excludes addresses, links and long numbers, which may be personal data. */
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
  summary: 'List permanently failed jobs, latest first; they are stored for a week',
  tag: 'Admin',
  access: 'admin',
  paginated: true,
  query: z.object(page),
  response: z.array(FailedJob),
})

const JobName = z.string().check(z.regex(/^[a-z-]{1,60}\.[a-z-]{1,80}$/, 'Must be the name of a job'))

const Retried = z.object({ retried: z.int() })

export const retryJobs = endpoint({
  method: 'POST',
  path: '/api/admin/jobs/retry',
  summary: 'Retry one failed job, all of a kind, or all of them, up to 10,000 at once. Skips jobs whose status has changed.',
  tag: 'Admin',
  access: 'admin',
  body: z.object({ name: z.optional(JobName), id: z.optional(Id) }),
  response: Retried,
})
