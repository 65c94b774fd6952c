import { sql } from 'kysely'
import type { Tx } from '#server/db/connect.ts'

/** A tag use loses half its weight after this time. */
const halfLifeSeconds = 7 * 24 * 60 * 60
/** Lower scores are dropped; equals a single use twenty weeks ago. */
const minScore = 1e-6

/** Weight at `now` of a tag use at `since`: starts at 1 and halves every week. */
export const weightOf = (since: Date, now: Date): number => 0.5 ** (Math.max(0, now.getTime() - since.getTime()) / 1000 / halfLifeSeconds)

type Tagged = { communityId: string; tags: readonly string[]; createdAt: Date }

/**
 * Adds or subtracts a post's tags in its community. A score is stored as of `scored_at`. All uses decay at the same rate, so the sum can be
 * moved to any other time. The caller has locked the community.
 */
export async function countTags(tx: Tx, { communityId, tags, createdAt }: Tagged, by: 1 | -1, now: Date): Promise<void> {
  const weight = weightOf(createdAt, now)
  if (tags.length === 0 || weight < minScore) return
  if (by === 1) {
    await sql`
      insert into community_tags (community_id, tag, score, scored_at)
      select ${communityId}::uuid, tag, ${weight}::double precision, ${now}::timestamptz from unnest(${tags}::text[]) as tag
      on conflict (community_id, tag) do update set score = ${decayed(now)} + excluded.score, scored_at = excluded.scored_at`.execute(tx)
    return
  }
  const ofThese = sql`community_id = ${communityId}::uuid and tag = any(${tags}::text[])`
  await sql`delete from community_tags where ${ofThese} and ${decayed(now)} - ${weight} <= ${minScore}`.execute(tx)
  await sql`
    update community_tags set score = ${decayed(now)} - ${weight}, scored_at = ${now}::timestamptz where ${ofThese}`.execute(tx)
}

/** SQL: a stored score decayed to `now`. */
export const decayed = (now: Date) => sql<number>`(community_tags.score * power(0.5::double precision,
  greatest(0, extract(epoch from ${now}::timestamptz - community_tags.scored_at))::double precision / ${sql.lit(halfLifeSeconds)}))`
