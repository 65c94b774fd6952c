import { sql } from 'kysely'
import { type Role, Role as Roles } from '#contracts/accounts.ts'
import { isUuid } from '#contracts/addresses.ts'
import type { AdminPerson, AdminPersonDetail } from '#contracts/admin.endpoints.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { findSignInMethods } from '#server/features/accounts/index.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { bylineColumns, toPerson } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { escapeLike } from '#server/kernel/fold-text.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'

type Query = { limit: number; cursor?: string | undefined; q: string; role?: Role | undefined }

export async function listPeople({ db, clock }: Context, query: Query): Promise<Page<AdminPerson>> {
  const page = toPage(await findPeople(db, query), query.limit, (row) => [row.id])
  return { ...page, items: page.items.map((row) => toAdminPerson(row, clock.now())) }
}

/**
 * Reveals an email address, so every view is written to the audit log first.
 * @throws AppError not_found
 */
export async function lookAtPerson({ db, clock, config }: Context, actor: Actor, id: string): Promise<AdminPersonDetail> {
  const row = await findOne(db, id)
  if (!row) throw notFound('Account not found.')
  const now = clock.now()
  await inTransaction(db, (tx) =>
    recordAudit(tx, { at: now, actorId: actor.id, action: 'person.looked_at', subjectType: 'user', subjectId: id }),
  )
  const [methods, sessions, businesses, record] = await Promise.all([
    findSignInMethods(db, config, id),
    sessionsOf(db, id, now),
    businessesOf(db, id),
    recordOf(db, id),
  ])
  return {
    ...toAdminPerson(row, now),
    email: row.email,
    isEmailVerified: row.email_verified,
    signsInWith: [
      ...(methods.password ? (['password'] as const) : []),
      ...(methods.passkeys > 0 ? (['passkey'] as const) : []),
      ...(methods.openId ? (['openid'] as const) : []),
    ],
    sessionsCount: sessions.count,
    lastSeenAt: sessions.lastSeenAt?.toISOString() ?? null,
    businesses,
    counts: { posts: row.posts_count, followers: row.followers_count, ...record },
    mayGive: id === actor.id ? [] : Roles.options.filter((role) => role !== row.role),
  }
}

function toAdminPerson(row: PersonRow, now: Date): AdminPerson {
  const lasting = (end: Date | null) => (end !== null && end > now ? end.toISOString() : null)
  return {
    // Admins see the picture even if the profile isn't public, and both name and picture even if moderators hid it.
    ...toPerson({ ...row, is_profile_public: true, profile_moderation: null }),
    role: row.role,
    accountStatus: { mutedUntil: lasting(row.muted_until), suspendedUntil: lasting(row.suspended_until), isBanned: row.banned_at !== null },
    hasSecondFactor: row.has_factor,
    isDemo: row.is_demo,
    createdAt: row.created_at.toISOString(),
  }
}

const hasFactor = (userId: string) =>
  sql<boolean>`exists (select from second_factors where user_id = ${sql.ref(userId)} and confirmed_at is not null)`.as('has_factor')

const rows = (db: Db) =>
  db
    .selectFrom('users')
    .select(bylineColumns)
    .select(['users.role', 'users.muted_until', 'users.suspended_until', 'users.banned_at', 'users.is_demo', 'users.created_at'])
    .select(hasFactor('users.id'))

/** IDs are UUIDv7, so ordering by ID is ordering by age. */
function findPeople(db: Db, { limit, cursor, q, role }: Query) {
  const after = decodeCursor(cursor, ['id'])
  const like = `%${escapeLike(q)}%`
  return rows(db)
    .$if(isUuid(q.toLowerCase()), (query) => query.where('users.id', '=', q.toLowerCase()))
    .$if(q !== '' && !isUuid(q.toLowerCase()), (query) =>
      query.where((eb) =>
        eb.or([eb('users.name', 'ilike', like), eb('users.display_name', 'ilike', like), eb('users.email', 'ilike', like)]),
      ),
    )
    .$if(role !== undefined, (query) => query.where('users.role', '=', role as Role))
    .$if(after !== null, (query) => query.where('users.id', '<', after?.[0] as string))
    .orderBy('users.id', 'desc')
    .limit(limit + 1)
    .execute()
}

type PersonRow = Awaited<ReturnType<typeof findPeople>>[number]

const findOne = (db: Db, id: string) =>
  rows(db)
    .select(['users.email', 'users.email_verified', 'users.posts_count', 'users.followers_count'])
    .where('users.id', '=', id)
    .executeTakeFirst()

async function sessionsOf(db: Db, userId: string, now: Date): Promise<{ count: number; lastSeenAt: Date | null }> {
  const row = await db
    .selectFrom('sessions')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max(eb.fn.coalesce('last_used_at', 'created_at')).as('last')])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return { count: row.count, lastSeenAt: row.last }
}

const businessesOf = (db: Db, userId: string) =>
  db
    .selectFrom('business_members')
    .innerJoin('businesses', 'businesses.id', 'business_members.business_id')
    .select(['businesses.id', 'businesses.slug', 'businesses.name', 'business_members.role'])
    .where('business_members.user_id', '=', userId)
    .orderBy('businesses.name')
    .limit(50)
    .execute()

async function recordOf(db: Db, userId: string): Promise<{ cases: number; decisions: number }> {
  const row = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('moderation_cases')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .as('cases'),
      eb
        .selectFrom('moderation_actions')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .where('undone_at', 'is', null)
        .as('decisions'),
    ])
    .executeTakeFirstOrThrow()
  return { cases: row.cases ?? 0, decisions: row.decisions ?? 0 }
}
