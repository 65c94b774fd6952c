import { Role } from './accounts.ts'
import { BusinessName } from './businesses.ts'
import { endpoint } from './endpoint.ts'
import { BusinessTypeSchema, Currency, Id, IdParams, line, page } from './fields.ts'
import * as z from './zod.ts'

/** Site-wide views for admins. Moderation queues are with their subjects: claims, licenses, cases, appeals. */

export const Waiting = z.object({
  claims: z.int(),
  licenses: z.int(),
  /** Open cases for site moderators, and how many of them are overdue. */
  cases: z.int(),
  overdue: z.int(),
  appeals: z.int(),
  /** Suggested changes to listings. */
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
  /** `outbox`: emails are written to a folder and not delivered. */
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
  /** Signed in with a password, with the OpenID provider, or both. */
  signsInWith: z.array(z.enum(['password', 'openid'])),
  sessionsCount: z.int(),
  lastSeenAt: z.nullable(z.iso.datetime()),
  businesses: z.array(z.object({ id: Id, slug: z.string(), name: z.string(), role: z.enum(['owner', 'manager', 'staff']) })),
  counts: z.object({ posts: z.int(), followers: z.int(), cases: z.int(), decisions: z.int() }),
  /** Roles the viewer may assign; none for themselves. */
  mayGive: z.array(Role),
})
export type AdminPersonDetail = z.infer<typeof AdminPersonDetail>

export const AdminBusiness = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  type: BusinessTypeSchema,
  location: z.nullable(z.string()),
  /** Distinguishes the shops of a chain. */
  address: z.nullable(z.string()),
  owner: z.nullable(z.object({ id: Id, name: z.string() })),
  licenseStanding: z.enum(['listed', 'inactive', 'missing', 'none']),
  /** The verified license's last valid day. */
  licenseVerifiedThrough: z.nullable(z.string()),
  /** Names of its current plans. */
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
      /** Paid and renewing. */
      active: z.int(),
      pastDue: z.int(),
      /** Canceled, but paid until the end of the period. */
      ending: z.int(),
      /** Monthly revenue of renewing agreements. */
      monthly: z.array(Money),
    }),
  ),
  /** People's subscriptions to businesses. */
  subscriptions: z.object({ active: z.int(), pastDue: z.int(), ending: z.int(), monthly: z.array(Money) }),
  /** In the last 30 days, minus refunds. */
  received: z.array(Money),
})
export type PlanFigures = z.infer<typeof PlanFigures>

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
  summary: 'List jobs that failed for good, latest first; they are stored for a week',
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
