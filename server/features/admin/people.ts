import { type Role, Role as Roles } from '#contracts/accounts.ts'
import type { AdminPerson, AdminPersonDetail } from '#contracts/admin.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { toPerson } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { type Page, toPage } from '#server/kernel/keyset.ts'
import { businessesOf, findOne, findPeople, type PersonRow, providersOf, recordOf, sessionsOf } from './people.queries.ts'

type Query = { limit: number; cursor?: string | undefined; q: string; role?: Role | undefined }

export async function listPeople({ db, clock }: Context, query: Query): Promise<Page<AdminPerson>> {
  const page = toPage(await findPeople(db, query), query.limit, (row) => [row.id])
  return { ...page, items: page.items.map((row) => toAdminPerson(row, clock.now())) }
}

/**
 * Reveals an email address, so every look is written to the audit log first.
 * @throws AppError not_found
 */
export async function lookAtPerson({ db, clock }: Context, actor: Actor, id: string): Promise<AdminPersonDetail> {
  const row = await findOne(db, id)
  if (!row) throw notFound('Account not found.')
  const now = clock.now()
  await inTransaction(db, (tx) =>
    recordAudit(tx, { at: now, actorId: actor.id, action: 'person.looked_at', subjectType: 'user', subjectId: id }),
  )
  const [providers, sessions, businesses, record] = await Promise.all([
    providersOf(db, id),
    sessionsOf(db, id, now),
    businessesOf(db, id),
    recordOf(db, id),
  ])
  const signsInWith = providers.map(({ provider_id }) => (provider_id === 'credential' ? ('password' as const) : ('openid' as const)))
  return {
    ...toAdminPerson(row, now),
    email: row.email,
    isEmailVerified: row.email_verified,
    signsInWith: [...new Set(signsInWith)].sort().reverse(),
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
    // Admins see the picture even if the profile is not public.
    ...toPerson({ ...row, is_profile_public: true }),
    role: row.role,
    accountStatus: { mutedUntil: lasting(row.muted_until), suspendedUntil: lasting(row.suspended_until), isBanned: row.banned_at !== null },
    hasSecondFactor: row.has_factor,
    isDemo: row.is_demo,
    createdAt: row.created_at.toISOString(),
  }
}
