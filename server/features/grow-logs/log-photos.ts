import { sql } from 'kysely'
import type { PhotosOfDay } from '#contracts/grow-logs.ts'
import type { Db } from '#server/db/connect.ts'
import { theseIds } from '#server/db/these-ids.ts'
import { huntAccess, requireHunt } from '#server/features/hunts/index.ts'
import { type MayReadMedia, mediaOf } from '#server/features/media/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { toPlantOfLog } from './grow-logs.view.ts'

/** A log's photos are visible to everyone who may see its hunt, unless the log was deleted. */
export const mayReadLogPhoto: MayReadMedia = async (db, actor, logIds) => {
  const log = await db
    .selectFrom('grow_logs')
    .innerJoin('hunts', 'hunts.id', 'grow_logs.hunt_id')
    .select('grow_logs.id')
    .where(sql<boolean>`grow_logs.id = ${theseIds(logIds)}`)
    .where('grow_logs.deleted_at', 'is', null)
    .where(sql<boolean>`${huntAccess(sql`${actor.id}::uuid`)} is not null`)
    .executeTakeFirst()
  return log !== undefined
}

/**
 * Photos of a hunt: from logs and from trait observations. `offset 0` forces a lookup per log; otherwise the planner scans
 * all users' logs in id order.
 */
const photosOf = (huntId: string) => sql`
  select grow_logs.logged_on as day, grow_logs.plant_id, shown.media_id, grow_logs.id as log_id, null::uuid as observation_id, shown.position
  from grow_logs cross join lateral (
    select media_id, position from grow_log_photos where grow_log_photos.log_id = grow_logs.id offset 0) as shown
  where grow_logs.hunt_id = ${huntId}::uuid and grow_logs.deleted_at is null
  union all
  select observed_on, plant_id, media_id, null::uuid, id, 0
  from observations
  where hunt_id = ${huntId}::uuid and is_current and not is_withdrawn and media_id is not null`

type PhotoRow = {
  added_at: Date
  media_id: string
  log_id: string | null
  observation_id: string | null
  plant_id: string | null
  genotype_id: string | null
  number: number | null
  copy: number | null
  label: string | null
  code: string | null
}

/** @throws AppError not_found */
export async function photosOfDay(db: Db, actor: Actor, huntId: string, wanted: string | undefined): Promise<PhotosOfDay> {
  await requireHunt(db, actor, huntId, 'view')
  const { rows: days } = await sql<{ day: string; photos: number }>`
    select day, count(*)::int as photos from (${photosOf(huntId)}) as photos group by day order by day desc`.execute(db)
  const on = wanted ?? days[0]?.day ?? null
  const rows = on === null ? [] : await rowsOfDay(db, huntId, on)
  const media = await mediaOf(
    db,
    rows.map((row) => row.media_id),
  )
  const plants = new Map<string | null, PhotosOfDay['plants'][number]>()
  for (const row of rows) {
    const shown = media.get(row.media_id)
    if (!shown) continue
    const entry = plants.get(row.plant_id) ?? { plant: toPlantOfLog(row), photos: [] }
    entry.photos.push({ media: shown, logId: row.log_id, observationId: row.observation_id, addedAt: row.added_at.toISOString() })
    plants.set(row.plant_id, entry)
  }
  return { on, days: days.map(({ day, photos }) => ({ on: day, photosCount: photos })), plants: [...plants.values()] }
}

async function rowsOfDay(db: Db, huntId: string, on: string): Promise<PhotoRow[]> {
  const { rows } = await sql<PhotoRow>`
    select photos.media_id, photos.log_id, photos.observation_id, photos.plant_id, media.created_at as added_at,
      plants.genotype_id, plants.copy, plants.code, genotypes.number, genotypes.label
    from (${photosOf(huntId)}) as photos
    join media on media.id = photos.media_id
    left join plants on plants.id = photos.plant_id
    left join genotypes on genotypes.id = plants.genotype_id
    where photos.day = ${on}::date
    order by genotypes.number nulls first, plants.copy nulls first, photos.log_id nulls last, photos.position, photos.observation_id`.execute(
    db,
  )
  return rows
}
