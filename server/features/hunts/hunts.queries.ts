import { type Insertable, type RawBuilder, type SqlBool, sql, type Updateable } from 'kysely'
import type { DB, Db, Tx } from '#server/db/connect.ts'
import { idsSubquery, pageIds } from '#server/db/page-ids.ts'
import { containsWord } from '#server/features/businesses/index.ts'
import { bylineColumns, isNotBlocked } from '#server/features/people/index.ts'
import { foldText } from '#server/kernel/fold-text.ts'
import { lastUuid } from '#server/kernel/ids.ts'
import { newestAfter } from '#server/kernel/keyset.ts'
import { huntAccess } from './hunt-access.ts'

/** Content of `hunts.search_text`. The line breaks prevent matches across two names. */
export const huntSearchText = (hunt: { hunt_name: string; breeders: readonly string[] }): string =>
  foldText([hunt.hunt_name, ...hunt.breeders].join('\n'))

type Filter = { isActive: boolean | undefined; words: readonly string[] }

const matching = ({ isActive, words }: Filter): RawBuilder<SqlBool> => {
  const conditions = [
    ...(isActive === undefined ? [] : [sql<SqlBool>`hunts.is_active = ${isActive}`]),
    ...words.map((word) => sql<SqlBool>`${containsWord(sql.ref('hunts.search_text'), word)}`),
  ]
  return conditions.length === 0 ? sql<SqlBool>`true` : sql.join(conditions, sql` and `)
}

type Part = { after: readonly [time: string, id: string] | null; limit: number }

const end = ['infinity', lastUuid] as const

/** Newest first. Not by ID, because IDs derived from a program's references aren't chronological. */
export async function keysOfOwnAndShared(
  db: Db,
  personId: string,
  filter: Filter,
  { after, limit }: Part,
): Promise<{ id: string; created_at: Date }[]> {
  const [createdAt, id] = after ?? end
  const page = sql`(hunts.created_at, hunts.id) < (${createdAt}::timestamptz, ${id}::uuid) and ${matching(filter)}
    order by hunts.created_at desc, hunts.id desc limit ${limit}`
  const { rows } = await sql<{ id: string; created_at: Date }>`
    select id, created_at from (
      (select hunts.id, hunts.created_at from hunts where hunts.owner_id = ${personId}::uuid and ${page})
      union all
      (select hunts.id, hunts.created_at from hunt_shares join hunts on hunts.id = hunt_shares.hunt_id
        where hunt_shares.user_id = ${personId}::uuid and hunts.moderation is null and ${isNotBlocked(sql`${personId}::uuid`, sql`hunts.owner_id`)} and ${page})
    ) as mine order by created_at desc, id desc limit ${limit}`.execute(db)
  return rows
}

/** Public hunts, most recently published first, without those of owners hidden by a block. */
export const keysOfPublic = (db: Db, viewerId: string, filter: Filter, { after, limit }: Part) =>
  db
    .selectFrom('hunts')
    .select(['id', 'published_at'])
    .where('visibility', '=', 'public')
    .where('moderation', 'is', null)
    .where(matching(filter))
    .where(isNotBlocked(sql`${viewerId}::uuid`, sql`hunts.owner_id`))
    .$call((rows) => newestAfter(rows, 'published_at', 'id', after))
    .limit(limit)
    .execute()

export type HuntRow = Awaited<ReturnType<typeof huntRows>>[number]

export const huntRows = (db: Db, viewerId: string, ids: readonly string[]) => {
  const viewer = sql`${viewerId}::uuid`
  return db
    .selectFrom('hunts')
    .innerJoin('users', 'users.id', 'hunts.owner_id')
    .select(bylineColumns)
    .select([
      'hunts.id as hunt_id',
      'hunts.hunt_name',
      'hunts.breeders',
      'hunts.seed_count',
      'hunts.is_active',
      'hunts.grow_environment',
      'hunts.germination_date',
      'hunts.goals',
      'hunts.plant_limit',
      'hunts.selects_males',
      'hunts.ranks_harvested',
      'hunts.visibility',
      'hunts.published_at',
      'hunts.comments_count',
      'hunts.is_demo',
      'hunts.version',
      'hunts.completed_on',
      'hunts.created_at',
      'hunts.updated_at',
    ])
    .select([
      huntAccess(viewer).as('access'),
      sql<boolean>`exists (select 1 from hunt_shares where hunt_shares.hunt_id = hunts.id and hunt_shares.user_id = ${viewer})`.as(
        'is_shared_with_viewer',
      ),
      sql<boolean>`exists (
        select 1 from person_follows where person_follows.follower_id = ${viewer} and person_follows.person_id = hunts.owner_id)`.as(
        'is_owner_followed',
      ),
      sql<number | null>`case when hunts.owner_id = ${viewer}
        then (select count(*) from hunt_shares where hunt_shares.hunt_id = hunts.id)::integer end`.as('shares_count'),
      sql<number>`(select count(*) from awaited_photos where awaited_photos.hunt_id = hunts.id)::integer`.as('photos_awaited'),
    ])
    .where(sql<boolean>`hunts.id = ${pageIds(ids)}`)
    .where(huntAccess(viewer), 'is not', null)
    .execute()
}

export const insertHunt = (tx: Tx, row: Insertable<DB['hunts']> & { breeders: string[] }) =>
  tx
    .insertInto('hunts')
    .values({ ...row, search_text: huntSearchText(row) })
    .execute()

export const updateHuntRow = (tx: Tx, huntId: string, changes: Updateable<DB['hunts']>) =>
  tx
    .updateTable('hunts')
    .set((eb) => ({ ...changes, version: eb('version', '+', 1) }))
    .where('id', '=', huntId)
    .execute()

/** Also deletes the hunt's contents. Photos become unattached and are swept later. */
export const removeHunt = (tx: Tx, huntId: string) => tx.deleteFrom('hunts').where('id', '=', huntId).execute()

export const changeCommentsCount = (tx: Tx, huntId: string, by: 1 | -1) =>
  tx
    .updateTable('hunts')
    .set((eb) => ({ comments_count: eb('comments_count', '+', by) }))
    .where('id', '=', huntId)
    .execute()

export type HuntFigures = {
  hunt_id: string
  genotypes: number
  living_plants: number
  logs: number
  keepers: number
  culled: number
  vegetative_on: string | null
  flower_on: string | null
  harvested_on: string | null
  dried_on: string | null
}

const firstLogged = (...stages: string[]) => sql`(
  select min(grow_logs.logged_on) from grow_logs
  where grow_logs.hunt_id = wanted.id and grow_logs.stage = any(${stages}::text[]) and grow_logs.deleted_at is null)`

/** Doesn't check access. */
export async function huntFigures(db: Db, ids: readonly string[]): Promise<Map<string, HuntFigures>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<HuntFigures>`
    select wanted.id as hunt_id, of_genotypes.*, of_plants.*, of_logs.*,
      ${firstLogged('vegetative')} as vegetative_on,
      least(${firstLogged('flower')}, (select min(runs.flowered_on) from runs where runs.hunt_id = wanted.id)) as flower_on,
      (select min(harvests.harvested_on) from harvests where harvests.hunt_id = wanted.id) as harvested_on,
      coalesce(${firstLogged('drying')}, ${firstLogged('curing')}) as dried_on
    from unnest(${idsSubquery(ids)}) as wanted (id)
      cross join lateral (
        select count(*) filter (where kind = 'seed')::integer as genotypes, count(*) filter (where standing in ('keep', 'breed'))::integer as keepers,
          count(*) filter (where standing = 'cull')::integer as culled
        from genotypes where genotypes.hunt_id = wanted.id) as of_genotypes
      cross join lateral (
        select count(*) filter (where ended_on is null)::integer as living_plants
        from plants where plants.hunt_id = wanted.id) as of_plants
      cross join lateral (
        select count(*)::integer as logs from grow_logs where grow_logs.hunt_id = wanted.id and deleted_at is null) as of_logs`.execute(db)
  return new Map(rows.map((row) => [row.hunt_id, row]))
}

export async function ownFigures(db: Db, personId: string) {
  const { rows } = await sql<{ active: number; completed: number; living_plants: number; keepers: number }>`
    with own as (select id, is_active from hunts where owner_id = ${personId}::uuid)
    select
      (select count(*) from own where is_active)::integer as active,
      (select count(*) from own where not is_active)::integer as completed,
      (select count(*) from plants join own on own.id = plants.hunt_id where ended_on is null)::integer as living_plants,
      (select count(*) from genotypes join own on own.id = genotypes.hunt_id where standing in ('keep', 'breed'))::integer as keepers`.execute(
    db,
  )
  return rows[0] ?? { active: 0, completed: 0, living_plants: 0, keepers: 0 }
}
