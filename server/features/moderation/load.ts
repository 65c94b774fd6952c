import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ModerationLoad } from '#contracts/moderation.ts'
import type { Db } from '#server/db/connect.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { inQueueOf } from './cases.queries.ts'
import { requireModeratorScopeFor } from './may-act.ts'
import { peopleById } from './people.ts'
import type { CommunityModeration } from './subjects.ts'

const days = 30

/** Queue sizes and the load of each moderator. @throws AppError forbidden, second_factor_required, not_found */
export async function getLoad(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  communities: CommunityModeration,
  actor: Actor,
  scope: string,
): Promise<ModerationLoad> {
  const now = clock.now()
  const moderatorScope = await requireModeratorScopeFor(db, communities, actor, scope, now)
  const inQueue = inQueueOf(moderatorScope, now)
  const since = new Date(now.getTime() - days * 86_400_000)
  const [waiting, hours, shares] = await Promise.all([
    sql<{ open: number; held: number; overdue: number; oldest: Date | null }>`
      select count(*)::integer as open, (count(*) filter (where source = 'filter'))::integer as held,
        (count(*) filter (where due_at < ${now}))::integer as overdue, min(opened_at) as oldest
      from moderation_cases where status = 'open' and ${inQueue}`.execute(db),
    medianHours(db, since, inQueue),
    sql<{ id: string; assigned: number; decided: number }>`
      select id, sum(assigned)::integer as assigned, sum(decided)::integer as decided from (
        select assigned_to as id, 1 as assigned, 0 as decided from moderation_cases
          where status = 'open' and assigned_to is not null and ${inQueue}
        union all
        select decided_by, 0, 1 from moderation_cases
          where status = 'decided' and decided_by is not null and decided_at >= ${since} and ${inQueue}
      ) as shares group by id order by assigned desc, decided desc, id limit 50`.execute(db),
  ])
  const people = await peopleById(
    db,
    shares.rows.map(({ id }) => id),
  )
  const [counted] = waiting.rows
  return {
    open: counted?.open ?? 0,
    held: counted?.held ?? 0,
    overdue: counted?.overdue ?? 0,
    oldestAt: counted?.oldest?.toISOString() ?? null,
    medianHours: hours,
    moderators: shares.rows.map(({ id, assigned, decided }) => ({ id, name: people.get(id)?.name ?? '', assigned, decided })),
  }
}

/** Hours from opening to decision for cases decided since, rounded to a tenth. Null if there were none. */
export async function medianHours(db: Db, since: Date, which: RawBuilder<SqlBool>): Promise<number | null> {
  const { rows } = await sql<{ hours: number | null }>`
    select percentile_cont(0.5) within group (order by extract(epoch from decided_at - opened_at)) / 3600 as hours
    from moderation_cases where status = 'decided' and decided_at >= ${since} and ${which}`.execute(db)
  const hours = rows[0]?.hours ?? null
  return hours === null ? null : Math.round(hours * 10) / 10
}
