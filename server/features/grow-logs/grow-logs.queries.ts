import { type RawBuilder, sql } from 'kysely'
import type { GrowLogChange, NewGrowLogRow } from '#contracts/grow-logs.ts'
import { hourMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { today } from '#server/features/hunts/index.ts'
import { syncMediaUses } from '#server/features/media/index.ts'

/**
 * SQL over `plants` and `hunts`: the start of a plant's weeks. A clone without a stated start begins when it rooted or was cut: the
 * hunt's germination date applies to seeds, not to clones cut months later.
 */
const beganOn = sql<string | null>`(case
  when plants.kind = 'clone' then coalesce(plants.started_on, plants.rooted_on, plants.cut_on)
  else coalesce(plants.started_on, hunts.germination_date) end)`

/** SQL over `grow_logs`, `plants` and `hunts`: 1 on the start date; null before it, or if that date is unknown. */
export const dayOfPlant: RawBuilder<number | null> = sql<number | null>`(case
  when grow_logs.logged_on >= ${beganOn} then grow_logs.logged_on - ${beganOn} + 1 end)`

/** The stated week, or the computed one: days 1 to 7 are week 1. */
export const weekOfLog: RawBuilder<number | null> = sql<number | null>`coalesce(grow_logs.week, (${dayOfPlant} - 1) / 7 + 1)`

const mediaIds = sql<string[]>`array(
  select media_id from grow_log_photos where grow_log_photos.log_id = grow_logs.id order by grow_log_photos.position)`

const selectLogs = (db: Db) =>
  db
    .selectFrom('grow_logs')
    .innerJoin('hunts', 'hunts.id', 'grow_logs.hunt_id')
    .leftJoin('plants', 'plants.id', 'grow_logs.plant_id')
    .leftJoin('genotypes', 'genotypes.id', 'plants.genotype_id')
    .selectAll('grow_logs')
    .select(['plants.genotype_id', 'plants.copy', 'plants.code', 'genotypes.number', 'genotypes.label'])
    .select([weekOfLog.as('shown_week'), mediaIds.as('media_ids')])

export type GrowLogRow = Awaited<ReturnType<typeof logRows>>[number]

/** Logs of any hunt, including deleted ones. */
export const logRows = (db: Db, ids: readonly string[]) => selectLogs(db).where(sql<boolean>`grow_logs.id = any(${ids}::uuid[])`).execute()

export const placeOfLog = (db: Db, logId: string) =>
  db.selectFrom('grow_logs').select(['hunt_id', 'deleted_at']).where('id', '=', logId).executeTakeFirst()

export const lockLog = (tx: Tx, logId: string) => tx.selectFrom('grow_logs').select('id').where('id', '=', logId).forUpdate().execute()

type LogFilter = {
  huntId: string
  plantId?: string | undefined
  from?: string | undefined
  to?: string | undefined
  week?: number | undefined
}
type Place = { loggedOn: string; createdAt: string; id: string }

/**
 * Newest day first; within a day, the last entered first, because IDs derived from a program's references aren't chronological.
 * A week may be computed from dates, so there is no index for it: only the hunt's logs are searched.
 */
export const logKeys = (db: Db, { huntId, plantId, from, to, week }: LogFilter, after: Place | null, limit: number) =>
  db
    .selectFrom('grow_logs')
    .select(['grow_logs.id', 'grow_logs.logged_on', 'grow_logs.created_at'])
    .where('grow_logs.hunt_id', '=', huntId)
    .where('grow_logs.deleted_at', 'is', null)
    .$if(plantId !== undefined, (query) => query.where('grow_logs.plant_id', '=', plantId as string))
    .$if(from !== undefined, (query) => query.where('grow_logs.logged_on', '>=', from as string))
    .$if(to !== undefined, (query) => query.where('grow_logs.logged_on', '<=', to as string))
    .$if(week !== undefined, (query) =>
      query
        .innerJoin('hunts', 'hunts.id', 'grow_logs.hunt_id')
        .leftJoin('plants', 'plants.id', 'grow_logs.plant_id')
        .where(weekOfLog, '=', week as number),
    )
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`(grow_logs.logged_on, grow_logs.created_at, grow_logs.id)
          < (${after?.loggedOn}::date, ${after?.createdAt}::timestamptz, ${after?.id}::uuid)`,
      ),
    )
    .orderBy('grow_logs.logged_on', 'desc')
    .orderBy('grow_logs.created_at', 'desc')
    .orderBy('grow_logs.id', 'desc')
    .limit(limit)
    .execute()

export async function replacePhotos(tx: Tx, logId: string, ids: readonly string[]): Promise<void> {
  const removed = await tx.deleteFrom('grow_log_photos').where('log_id', '=', logId).returning('media_id').execute()
  if (removed.length + ids.length === 0) return
  await sql`
    insert into grow_log_photos (log_id, position, media_id)
    select ${logId}::uuid, position - 1, media_id from unnest(${ids}::uuid[]) with ordinality as given (media_id, position)`.execute(tx)
  await syncMediaUses(tx, 'log', [logId])
}

const maxVersions = 100

export const versionRows = (db: Db, logId: string) =>
  db.selectFrom('grow_log_versions').selectAll().where('log_id', '=', logId).orderBy('version', 'desc').limit(maxVersions).execute()

/** A log without its author and time: stored with each version, and compared to recognize retries. */
export type LogContent = Required<Omit<NewGrowLogRow, 'id'>>

/** The column of each field. Photos are in another table. */
const columns = {
  plantId: 'plant_id',
  loggedOn: 'logged_on',
  week: 'week',
  stage: 'stage',
  heightCm: 'height_cm',
  rating: 'rating',
  notes: 'notes',
  airCelsius: 'air_celsius',
  leafCelsius: 'leaf_celsius',
  humidityPercent: 'humidity_percent',
  co2Ppm: 'co2_ppm',
  ppfd: 'ppfd',
  ecIn: 'ec_in',
  ecOut: 'ec_out',
  phIn: 'ph_in',
  phOut: 'ph_out',
  feed: 'feed',
  pestControl: 'pest_control',
  training: 'training',
} as const satisfies Record<keyof Stored, keyof GrowLogRow>

type Stored = Omit<LogContent, 'mediaIds'>
type Columns = { [Field in keyof Stored as (typeof columns)[Field]]: Stored[Field] }
const fields = Object.keys(columns) as (keyof Stored)[]

export function contentOfRow(row: Columns & Pick<GrowLogRow, 'media_ids'>): LogContent {
  const stored = Object.fromEntries(fields.map((field) => [field, row[columns[field]]])) as Stored
  return { ...stored, mediaIds: row.media_ids }
}

export const columnsOf = (content: LogContent): Columns =>
  Object.fromEntries(fields.map((field) => [columns[field], content[field]])) as Columns

const keys = [...fields, 'mediaIds'] as const

/** Omitted fields are unchanged. */
export function applyChange(content: LogContent, change: GrowLogChange): LogContent {
  const given = keys.filter((key) => change[key] !== undefined).map((key) => [key, change[key]])
  return { ...content, ...Object.fromEntries(given) }
}

export function isSame(a: LogContent, b: LogContent): boolean {
  const text = (content: LogContent) => JSON.stringify(keys.map((key) => content[key]))
  return text(a) === text(b)
}

/** Returns what is wrong with a log's day, if anything. Past days are fine; the latest is today in the easternmost time zone. */
export function dayIssue(loggedOn: string, now: Date): string | null {
  const lastDay = today(new Date(now.getTime() + 14 * hourMs))
  return loggedOn > lastDay ? 'This day is in the future. Logs record what you’ve seen: choose today or an earlier day.' : null
}
