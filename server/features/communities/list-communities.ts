import {
  type Community,
  type CommunityCategory,
  type CommunityStats,
  communityCategories,
  type listCommunities as listCall,
  type listMyCommunities as myCall,
} from '../../../contracts/communities.ts'
import type { Parsed } from '../../../contracts/endpoint.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { searchWords } from '../businesses/index.ts'
import { type After, countsByCategory, keysOfListed, keysOfMine, type ListKey } from './communities.queries.ts'
import { readCommunities } from './read-communities.ts'

type Viewer = Pick<Actor, 'id'>
type Query = Parsed<(typeof listCall)['query']>

/** Private ones are in no such list, not even for their members: those have their own. */
export async function listCommunities(db: Db, viewer: Viewer, query: Query, now: Date): Promise<Page<Community>> {
  const filter = { words: searchWords(query.q), category: query.category }
  const keys = await keysOfListed(db, filter, query.sort, afterOf(query), query.limit + 1)
  const { items, nextCursor } = toPage(keys, query.limit, (key) => cursorOf(query.sort, key))
  return { items: await readCommunities(db, viewer, idsOf(items), now), nextCursor }
}

const idsOf = (keys: readonly { id: string }[]) => keys.map(({ id }) => id)

function cursorOf(sort: Query['sort'], { id, name, is_verified, member_count }: ListKey): (string | number)[] {
  if (sort === 'newest') return [id]
  return sort === 'name' ? [name, id] : [Number(is_verified), member_count, id]
}

function afterOf({ sort, cursor }: Query): After {
  if (sort === 'newest') {
    const key = decodeCursor(cursor, ['id'])
    return key && { id: key[0] }
  }
  if (sort === 'name') {
    const key = decodeCursor(cursor, ['string', 'id'])
    return key && { name: key[0], id: key[1] }
  }
  const key = decodeCursor(cursor, ['integer', 'integer', 'id'])
  return key && { isVerified: key[0] === 1, memberCount: key[1], id: key[2] }
}

export async function listMyCommunities(
  db: Db,
  viewer: Viewer,
  query: Parsed<(typeof myCall)['query']>,
  now: Date,
): Promise<Page<Community>> {
  const after = decodeCursor(query.cursor, ['time', 'id'])
  const keys = await keysOfMine(db, viewer.id, after, query.limit + 1)
  const { items, nextCursor } = toPage(keys, query.limit, ({ joined_at, id }) => [joined_at.toISOString(), id])
  return { items: await readCommunities(db, viewer, idsOf(items), now), nextCursor }
}

/** Every category, those without a community too. */
export async function countCommunities(db: Db): Promise<{ category: CommunityCategory; count: number }[]> {
  const counts = new Map((await countsByCategory(db)).map(({ category, count }) => [category, count]))
  return communityCategories.map((category) => ({ category, count: counts.get(category) ?? 0 }))
}

/** What somebody did where they still are, as far as others see it. */
export async function getCommunityStats(db: Db, viewer: Viewer): Promise<CommunityStats> {
  const [communities, posted, comments] = await Promise.all([
    db
      .selectFrom('community_members')
      .innerJoin('communities', 'communities.id', 'community_members.community_id')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('user_id', '=', viewer.id)
      .where((eb) => eb.or([eb('communities.moderation', 'is', null), eb('community_members.role', '=', 'owner')]))
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('posts')
      .innerJoin('community_members', 'community_members.community_id', 'posts.community_id')
      .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.sum<number | null>('posts.likes_count').as('likes')])
      .where('posts.author_id', '=', viewer.id)
      .where('community_members.user_id', '=', viewer.id)
      .where('posts.moderation', 'is', null)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('comments')
      .innerJoin('posts', 'posts.id', 'comments.post_id')
      .innerJoin('community_members', 'community_members.community_id', 'posts.community_id')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('comments.author_id', '=', viewer.id)
      .where('community_members.user_id', '=', viewer.id)
      .where('comments.is_deleted', '=', false)
      .where('comments.moderation', 'is', null)
      .where('posts.moderation', 'is', null)
      .executeTakeFirstOrThrow(),
  ])
  return { communities: communities.count, posts: posted.count, comments: comments.count, likes: Number(posted.likes ?? 0) }
}
