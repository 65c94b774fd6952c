import type { AdminCommunity } from '../../../contracts/admin.ts'
import { isUuid } from '../../../contracts/ids.ts'
import type { Db } from '../../db/connect.ts'
import type { Context } from '../../kernel/context.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { containsWord, searchWords } from '../businesses/index.ts'
import { ownersOf } from './owners.ts'

type Query = { limit: number; cursor?: string | undefined; q: string }

/** Private communities exist for their members alone: what is wrong in one is reported, and comes to the queue. */
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
