import { sql } from 'kysely'
import type { Role } from '#contracts/accounts.ts'
import { isUuid } from '#contracts/addresses.ts'
import type { Db } from '#server/db/connect.ts'
import { bylineColumns } from '#server/features/people/index.ts'
import { decodeCursor } from '#server/kernel/keyset.ts'

type Query = { limit: number; cursor?: string | undefined; q: string; role?: Role | undefined }

const hasFactor = (userId: string) =>
  sql<boolean>`exists (select from second_factors where user_id = ${sql.ref(userId)} and confirmed_at is not null)`.as('has_factor')

const rows = (db: Db) =>
  db
    .selectFrom('users')
    .select(bylineColumns)
    .select(['users.role', 'users.muted_until', 'users.suspended_until', 'users.banned_at', 'users.is_demo', 'users.created_at'])
    .select(hasFactor('users.id'))

/** IDs are UUIDv7, so ordering by ID is ordering by age. */
export function findPeople(db: Db, { limit, cursor, q, role }: Query) {
  const after = decodeCursor(cursor, ['id'])
  const like = `%${q.replace(/[\\%_]/g, '\\$&')}%`
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

export type PersonRow = Awaited<ReturnType<typeof findPeople>>[number]

export const findOne = (db: Db, id: string) =>
  rows(db)
    .select(['users.email', 'users.email_verified', 'users.posts_count', 'users.followers_count'])
    .where('users.id', '=', id)
    .executeTakeFirst()

export const providersOf = (db: Db, userId: string) =>
  db.selectFrom('credentials').select('provider_id').distinct().where('user_id', '=', userId).execute()

export async function sessionsOf(db: Db, userId: string, now: Date): Promise<{ count: number; lastSeenAt: Date | null }> {
  const row = await db
    .selectFrom('sessions')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('updated_at').as('last')])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return { count: row.count, lastSeenAt: row.last }
}

export const businessesOf = (db: Db, userId: string) =>
  db
    .selectFrom('business_members')
    .innerJoin('businesses', 'businesses.id', 'business_members.business_id')
    .select(['businesses.id', 'businesses.slug', 'businesses.name', 'business_members.role'])
    .where('business_members.user_id', '=', userId)
    .orderBy('businesses.name')
    .limit(50)
    .execute()

/** Cases about the person's content, and moderators' decisions about the person. */
export async function recordOf(db: Db, userId: string): Promise<{ cases: number; decisions: number }> {
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
