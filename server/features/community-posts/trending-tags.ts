import { sql } from 'kysely'
import type { TrendingTag } from '../../../contracts/community-posts.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { readsCommunity, requireCommunity } from '../communities/index.ts'
import { decayed } from '../posts/index.ts'

const mostTags = 10
/** What was used but once, and that four weeks ago, is no talk any more. */
const staleDays = 28

/** What is talked about in a community lately. @throws AppError not_found, forbidden for whoever may see it but not read it */
export async function listTags({ db, clock }: Ctx, actor: Actor, communityId: string): Promise<TrendingTag[]> {
  const now = clock.now()
  await requireCommunity(db, actor, communityId, 'read', now)
  const { rows } = await sql<TrendingTag>`
    select tag, ${decayed(now)} as score from community_tags
    where community_id = ${communityId}::uuid and scored_at > ${daysBefore(now)}::timestamptz
    order by score desc, tag limit ${mostTags}`.execute(db)
  return rows
}

/** What is talked about in what the person reads: their own communities and public ones. Of others not even a tag is told. */
export async function listTrendingTags({ db, clock }: Ctx, actor: Actor): Promise<TrendingTag[]> {
  const now = clock.now()
  const { rows } = await sql<TrendingTag>`
    with readable as materialized (
      select communities.id from communities where ${readsCommunity(sql`${actor.id}::uuid`, sql`communities.id`, sql<Date>`${now}::timestamptz`)})
    select tag, sum(${decayed(now)}) as score
    from community_tags
    where scored_at > ${daysBefore(now)}::timestamptz and community_id in (select id from readable)
    group by tag order by score desc, tag limit ${mostTags}`.execute(db)
  return rows
}

type Ctx = Pick<Context, 'db' | 'clock'>

const daysBefore = (now: Date): Date => new Date(now.getTime() - staleDays * 24 * 60 * 60 * 1000)
