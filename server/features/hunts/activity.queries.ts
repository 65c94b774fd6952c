import { type RawBuilder, sql } from 'kysely'
import type { HuntEventKind } from '#contracts/hunt-activity.endpoints.ts'
import type { Db } from '#server/db/connect.ts'
import { isNotBlocked } from '#server/features/people/index.ts'
import type { Authorized } from '#server/kernel/authorized.ts'

export type EventRow = {
  event_id: string
  hunt_id: string
  hunt_name: string
  kind: HuntEventKind
  subject_id: string | null
  detail: Record<string, string | number | boolean | null>
  happened_on: string
  recorded_at: Date
  genotype_id: string | null
  genotype_number: number | null
  genotype_label: string | null
  plant_id: string | null
  plant_copy: number | null
  /** Null if the account was deleted, or is hidden from the viewer by a block. */
  id: string | null
  display_name: string | null
  first_name: string | null
  last_name: string | null
  image_id: string | null
  is_profile_public: boolean
  profile_moderation: string | null
}

type Part = { afterId: string | null; limit: number }

/** Sorts after every ID; IDs are time-ordered. */
const end = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Events of a hunt, last recorded first. */
export const huntEventRows = (db: Db, viewerId: string, huntId: Authorized<'hunts'>, { afterId, limit }: Part) =>
  hydrated(
    db,
    viewerId,
    sql`select * from hunt_events where hunt_id = ${huntId}::uuid and id < ${afterId ?? end}::uuid order by id desc limit ${limit}`,
  )

/** Events of the person's own and shared hunts; reads at most a page of each hunt. */
export const ownEventRows = (db: Db, personId: string, { afterId, limit }: Part) =>
  hydrated(
    db,
    personId,
    sql`
      select events.* from (
        select id from hunts where owner_id = ${personId}::uuid
        union
        select hunts.id from hunt_shares join hunts on hunts.id = hunt_shares.hunt_id
        where hunt_shares.user_id = ${personId}::uuid and ${isNotBlocked(sql`${personId}::uuid`, sql`hunts.owner_id`)}
      ) as mine cross join lateral (
        select * from hunt_events where hunt_events.hunt_id = mine.id and hunt_events.id < ${afterId ?? end}::uuid
        order by hunt_events.id desc limit ${limit}
      ) as events
      order by events.id desc limit ${limit}`,
  )

/** Shows a log's figures only for its current version: what was removed from a shared log was removed for a reason. */
const isSaidStill = sql`exists (
  select from grow_logs
  where grow_logs.id = page.subject_id and grow_logs.deleted_at is null
    and grow_logs.version = coalesce((page.detail ->> 'version')::integer, 1))`

async function hydrated(db: Db, viewerId: string, page: RawBuilder<unknown>): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    with page as (${page})
    select page.id as event_id, page.hunt_id, hunts.hunt_name, page.kind, page.subject_id, page.happened_on, page.recorded_at,
      case when page.kind not like 'log.%' or ${isSaidStill} then page.detail else '{}' end as detail,
      genotypes.id as genotype_id, genotypes.number as genotype_number, genotypes.label as genotype_label,
      plants.id as plant_id, plants.copy as plant_copy,
      users.id, users.display_name, users.first_name, users.last_name, users.image_id, users.is_profile_public, users.profile_moderation
    from page
      join hunts on hunts.id = page.hunt_id
      left join plants on plants.id = page.plant_id
      left join genotypes on genotypes.id = coalesce(page.genotype_id, plants.genotype_id)
      left join users on users.id = page.recorded_by and ${isNotBlocked(sql`${viewerId}::uuid`, sql`users.id`)}
    order by page.id desc`.execute(db)
  return rows
}
