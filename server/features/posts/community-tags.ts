import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'

/** Each use of a tag counts half as much after this. */
const halfLifeSeconds = 7 * 24 * 60 * 60
/** Less than this is nothing: a use of twenty weeks ago. */
const leastScore = 1e-6

/** What a use of a tag at `since` counts at `now`: 1 at once, halved every week. */
export const weightOf = (since: Date, now: Date): number => 0.5 ** (Math.max(0, now.getTime() - since.getTime()) / 1000 / halfLifeSeconds)

type Tagged = { communityId: string; tags: readonly string[]; createdAt: Date }

/**
 * Adds a post's tags to those of its community, or takes them out again. A score is kept as it was at one moment (`scored_at`): all
 * uses lose the same share in the same time, so it is the sum of their weights at any other moment, too. The caller holds the community.
 */
export async function countTags(tx: Tx, { communityId, tags, createdAt }: Tagged, by: 1 | -1, now: Date): Promise<void> {
  const weight = weightOf(createdAt, now)
  if (tags.length === 0 || weight < leastScore) return
  if (by === 1) {
    await sql`
      insert into community_tags (community_id, tag, score, scored_at)
      select ${communityId}::uuid, tag, ${weight}::double precision, ${now}::timestamptz from unnest(${tags}::text[]) as tag
      on conflict (community_id, tag) do update set score = ${decayed(now)} + excluded.score, scored_at = excluded.scored_at`.execute(tx)
    return
  }
  const ofThese = sql`community_id = ${communityId}::uuid and tag = any(${tags}::text[])`
  await sql`delete from community_tags where ${ofThese} and ${decayed(now)} - ${weight} <= ${leastScore}`.execute(tx)
  await sql`
    update community_tags set score = ${decayed(now)} - ${weight}, scored_at = ${now}::timestamptz where ${ofThese}`.execute(tx)
}

/** What a stored score is by now. */
export const decayed = (now: Date) => sql<number>`(community_tags.score * power(0.5::double precision,
  greatest(0, extract(epoch from ${now}::timestamptz - community_tags.scored_at))::double precision / ${sql.lit(halfLifeSeconds)}))`
