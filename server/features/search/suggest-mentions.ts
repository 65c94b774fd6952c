import { sql } from 'kysely'
import type { MentionSuggestion } from '#contracts/search.endpoints.ts'
import type { Db } from '#server/db/connect.ts'
import { idsOf, pageIds } from '#server/db/page-ids.ts'
import { closedCommunity } from '#server/features/communities/index.ts'
import { isDemoIfWriterIs, mentionableBusinesses } from '#server/features/mentions/index.ts'
import { bylineColumns, isNamed, isNotBlocked, sortName, toPerson } from '#server/features/people/index.ts'
import { viewerOf } from '#server/features/posts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import type { SearchIndex } from '#server/kernel/search.ts'
import { readHits } from './hits.ts'

const maxSuggested = 8
/** The writer may not see all of them, and can't mention themselves. */
const askedOfEach = 12

/**
 * People and businesses with a name like `q` whom the writer can mention. In a community that not everyone can read, only its members, so
 * that no one learns of it by a mention.
 * @throws AppError not_found, forbidden if the writer can't read the community
 */
export async function suggestMentions(
  { db, clock, index }: Pick<Context, 'db' | 'clock'> & { index: SearchIndex },
  actor: Actor,
  { q, communityId }: { q: string; communityId?: string | undefined },
): Promise<MentionSuggestion[]> {
  const now = clock.now()
  const closedId = await closedCommunity(db, actor, communityId ?? null, now)
  if (closedId !== null) return members(db, actor.id, closedId, q)
  const question = { text: q, kinds: null, state: null, businessType: null, area: null }
  const { matches } = await index.findOfEach(question, ['person', 'business'], askedOfEach)
  const hits = await readHits(db, viewerOf(actor, now), matches, [])
  const people = await db
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`users.id = ${pageIds(hits.filter(({ hit }) => hit.kind === 'person').flatMap(({ hit }) => hit.id ?? []))}`)
    .where(isDemoIfWriterIs(actor.id, 'users.is_demo'))
    .execute()
  const businesses = hits.filter(({ hit }) => hit.kind === 'business').flatMap(({ hit }) => hit.id ?? [])
  const mentionable = new Set([...idsOf(people), ...idsOf(await mentionableBusinesses(db, actor.id, businesses))])
  return hits
    .flatMap(({ hit }) =>
      (hit.kind === 'person' || hit.kind === 'business') && hit.id !== actor.id && mentionable.has(hit.id)
        ? [{ kind: hit.kind, id: hit.id, name: hit.title, imageUrl: hit.imageUrl, businessType: hit.businessType, detail: hit.location }]
        : [],
    )
    .slice(0, maxSuggested)
}

async function members(db: Db, actorId: string, communityId: string, q: string): Promise<MentionSuggestion[]> {
  const rows = await db
    .selectFrom('community_members')
    .innerJoin('users', 'users.id', 'community_members.user_id')
    .select(bylineColumns)
    .where('community_members.community_id', '=', communityId)
    .where('users.id', '<>', actorId)
    .where(isNotBlocked(sql`${actorId}::uuid`, sql`users.id`))
    .where(isDemoIfWriterIs(actorId, 'users.is_demo'))
    .where(isNamed(q))
    .orderBy(sortName)
    .orderBy('users.id')
    .limit(maxSuggested)
    .execute()
  return rows.map((row) => {
    const { id, name, imageUrl } = toPerson(row)
    return { kind: 'person', id, name, imageUrl, businessType: null, detail: null }
  })
}
