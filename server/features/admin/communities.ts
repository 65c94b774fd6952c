import { sql } from 'kysely'
import { isUuid } from '#contracts/addresses.ts'
import type { AdminCommunity } from '#contracts/admin.endpoints.ts'
import type { Db } from '#server/db/connect.ts'
import { containsWord, searchWords } from '#server/features/businesses/index.ts'
import { bylineColumns, toPerson } from '#server/features/people/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'

type Query = { limit: number; cursor?: string | undefined; q: string }

/** Private communities are visible only to their members; problems in them reach moderators through reports. */
export async function listAllCommunities({ db }: Context, query: Query): Promise<Page<AdminCommunity>> {
  const page = toPage(await findCommunities(db, query), query.limit, (row) => [row.id])
  const owners = await ownersOf(
    db,
    'community',
    page.items.map(({ id }) => id),
  )
  return {
    ...page,
    items: page.items.map((row) => ({
      id: row.id,
      slug: row.slug,
      name: row.name,
      visibility: row.visibility === 'public' ? 'public' : 'invite_only',
      isVerified: row.is_verified,
      isHidden: row.moderation !== null,
      isDemo: row.is_demo,
      membersCount: row.member_count,
      postsCount: row.post_count,
      owner: owners.get(row.id) ?? null,
      openCases: row.open_cases ?? 0,
      createdAt: row.created_at.toISOString(),
    })),
  }
}

function findCommunities(db: Db, { limit, cursor, q }: Query) {
  const after = decodeCursor(cursor, ['id'])
  let query = db
    .selectFrom('communities')
    .select(['id', 'slug', 'name', 'visibility', 'is_verified', 'moderation', 'is_demo', 'member_count', 'post_count', 'created_at'])
    .select((eb) =>
      eb
        .selectFrom('moderation_cases')
        .select((e) => e.fn.countAll<number>().as('count'))
        .whereRef('moderation_cases.community_id', '=', 'communities.id')
        .where('moderation_cases.status', '=', 'open')
        .as('open_cases'),
    )
    .where('visibility', '<>', 'private')
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (isUuid(q.toLowerCase())) query = query.where('id', '=', q.toLowerCase())
  else for (const word of searchWords(q)) query = query.where((eb) => containsWord(eb.ref('search_text'), word))
  if (after) query = query.where('id', '<', after[0])
  return query.execute()
}

/** Owners by business ID; businesses without an owner are omitted. */
export async function ownersOf(
  db: Db,
  kind: 'business' | 'community',
  ids: readonly string[],
): Promise<Map<string, { id: string; name: string }>> {
  const thing = sql.ref<string>(`members.${kind}_id`)
  const rows = await db
    .selectFrom('users')
    .innerJoin(sql<{ user_id: string; role: string }>`${sql.table(`${kind}_members`)}`.as('members'), 'members.user_id', 'users.id')
    .select(bylineColumns)
    .select(thing.as('thing_id'))
    .where(sql<boolean>`${thing} = any(${ids}::uuid[])`)
    .where('members.role', '=', 'owner')
    .execute()
  return new Map(
    rows.map((row) => {
      const { id, name } = toPerson(row)
      return [row.thing_id, { id, name }]
    }),
  )
}
