import { Role } from './accounts.ts'
import { BusinessTypeSchema, Currency, Id } from './fields.ts'
import * as z from './zod.ts'

/** Site-wide views for admins. Moderation queues are with their subjects: claims, licenses, cases, appeals. */

export const Waiting = z.object({
  claims: z.int(),
  licenses: z.int(),
  /** Open cases for site moderators, and how many of them are overdue. */
  cases: z.int(),
  overdue: z.int(),
  appeals: z.int(),
  /** Suggested changes of listings. */
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
