import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { isUuid } from '#contracts/addresses.ts'
import { figure } from '#contracts/fields.ts'
import { HuntDocument } from '#contracts/hunt-archive.endpoints.ts'
import { maxArchiveBytes, maxArchiveRows } from '#contracts/limits.ts'
import type { Db } from '#server/db/connect.ts'
import { visiblePeople } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Authorized } from '#server/kernel/authorized.ts'
import { AppError } from '#server/kernel/errors.ts'
import { createGate } from '#server/kernel/gate.ts'
import { type PhotoRow, toArchivedPhoto } from './archive-photos.ts'
import { type ArchiveColumn, type ArchiveList, type ArchiveTable, isNumbered } from './archive-table.ts'
import { archiveTables } from './archive-tables.ts'

type Row = Record<string, unknown>

/**
 * Creates one document at a time: each needs memory for all of a hunt's data, and blocks the event loop for a while.
 * @throws AppError unavailable if too many are waiting
 */
export const documentGate = createGate({ maxConcurrent: 1, maxWaiting: 20 })

/**
 * Reads a whole hunt as a document. `without` omits lists; `namesFor` adds the names of scorers and testers that this person may see;
 * `photos` adds their list. Sensor readings are left out if they would make the document too large to import. For a consistent snapshot,
 * `db` must be a repeatable-read transaction.
 * @throws AppError conflict if the hunt has too many rows even without the readings
 */
export async function readDocument(
  db: Db,
  huntId: Authorized<'hunts'>,
  now: Date,
  { without = [], namesFor, photos }: { without?: readonly ArchiveList[]; namesFor?: Pick<Actor, 'id'>; photos?: readonly PhotoRow[] } = {},
): Promise<HuntDocument> {
  const hunt = await db.selectFrom('hunts').selectAll().where('id', '=', huntId).executeTakeFirstOrThrow()
  const rows = new Map<ArchiveList, Row[]>()
  let left = maxArchiveRows
  const readAll = async (tables: readonly ArchiveTable[]) => {
    for (const table of tables) {
      const found = without.includes(table.list) ? [] : await rowsOf(db, table, huntId, left + 1)
      left -= found.length
      if (left < 0) {
        throw new AppError('conflict', {
          message: `This hunt has more than ${figure(maxArchiveRows)} entries, which is more than a document can contain. Save its tables and climate readings as CSV instead.`,
        })
      }
      rows.set(table.list, found)
    }
  }
  await readAll(archiveTables.filter(({ list }) => !listsOfReadings.includes(list)))
  const readings = await readingRowsOf(db, huntId)
  const areTooMany = readings.rows > left
  if (!areTooMany) await readAll(archiveTables.filter(({ list }) => listsOfReadings.includes(list)))
  const places = new Map(
    archiveTables.filter(({ hasId }) => hasId).map(({ list }) => [list, new Map((rows.get(list) ?? []).map((row, i) => [row.id, i]))]),
  )
  const placeOf: PlaceOf = (list, id) => (id === null ? null : (places.get(list)?.get(id) ?? null))
  const document = HuntDocument.parse({
    format: 'sungrove.hunt',
    version: 1,
    exportedAt: now.toISOString(),
    photosLeftOut: await photosOf(db, huntId),
    hunt: {
      huntName: hunt.hunt_name,
      breeders: hunt.breeders,
      seedCount: hunt.seed_count,
      goals: hunt.goals,
      growEnvironment: hunt.grow_environment,
      germinationDate: hunt.germination_date,
      isActive: hunt.is_active,
      completedOn: hunt.completed_on,
      plantLimit: hunt.plant_limit,
      nextNumber: hunt.next_number,
      selectsMales: hunt.selects_males,
      ranksHarvested: hunt.ranks_harvested,
    },
    ...Object.fromEntries(archiveTables.map(({ list }) => [list, []])),
  })
  const numbers = { scorer: new Map<string, number>(), taster: new Map<string, number>() }
  for (const table of archiveTables)
    Object.assign(document, { [table.list]: await fieldsOfAll(table, rows.get(table.list) ?? [], placeOf, numbers) })
  if (readings.rows > 0 && (areTooMany || Buffer.byteLength(JSON.stringify(document)) >= maxArchiveBytes)) {
    Object.assign(document, { readingsLeftOut: readings.count, climateImports: [], climateReadings: [] })
  }
  const numbering = { placeOf, numberOf: (scorer: string | null) => numberOf(numbers.scorer, scorer) }
  const archived = photos && { photos: photos.map((photo) => toArchivedPhoto(photo, numbering)) }
  if (namesFor) Object.assign(document, await namesOf(db, namesFor, huntId, numbers))
  // Photos come last, so that the rest is the same without them.
  return Object.assign(document, archived)
}

/** Live sensors can add more readings than a document can contain. A separate CSV file of the readings can be imported again. */
const listsOfReadings: readonly ArchiveList[] = ['climateImports', 'climateReadings']

async function readingRowsOf(db: Db, huntId: string): Promise<{ count: number; rows: number }> {
  const { rows } = await sql<{ count: number; imports: number }>`
    select coalesce(sum(readings_count), 0)::int as count, count(*)::int as imports
    from climate_imports where hunt_id = ${huntId}::uuid`.execute(db)
  const { count, imports } = rows[0] ?? { count: 0, imports: 0 }
  return { count, rows: count + imports }
}

type PlaceOf = (list: ArchiveList, id: unknown) => number | null
/** Numbers of scorers and testers, by the text that identifies them in this hunt. */
type Numbers = Record<'scorer' | 'taster', Map<string, number>>

function numberOf(numbers: Map<string, number>, identity: unknown): number | undefined {
  if (typeof identity !== 'string') return
  const number = numbers.get(identity) ?? numbers.size + 1
  numbers.set(identity, number)
  return number
}

/**
 * The names of the scorers and testers who have names. In an imported hunt, some have only a number. Members appear under the name the
 * viewer sees everywhere else, which may not be their legal name.
 */
async function namesOf(
  db: Db,
  viewer: Pick<Actor, 'id'>,
  huntId: string,
  numbers: Numbers,
): Promise<Pick<HuntDocument, 'scorers' | 'tasters'>> {
  const members = await visiblePeople(db, viewer.id, [...numbers.scorer.keys()].filter(isUuid))
  const { rows } = await sql<{ kind: keyof Numbers; identity: string; name: string }>`
    select distinct 'scorer' as kind, 'scorer ' || scorer as identity, scorer as name
    from observations where hunt_id = ${huntId}::uuid and scorer is not null
    union all
    select distinct 'scorer', 'scorer ' || scorer, scorer from grow_logs where hunt_id = ${huntId}::uuid and scorer is not null
    union all
    select 'taster', panel_id || ' ' || lower(taster), min(taster)
    from panel_cards join panel_jars on panel_jars.id = jar_id join blind_panels on blind_panels.id = panel_id
    where hunt_id = ${huntId}::uuid and taster <> '' group by 1, 2`.execute(db)
  const named = (kind: keyof Numbers) => {
    const names = new Map(rows.filter((row) => row.kind === kind).map(({ identity, name }) => [identity, name]))
    return [...numbers[kind]].flatMap(([identity, number]) => {
      const name = (names.get(identity) ?? members.get(identity)?.name)?.slice(0, 100) ?? ''
      return name === '' || isNumbered(name) ? [] : { number, name }
    })
  }
  return { scorers: named('scorer'), tasters: named('taster') }
}

/** Yields to other requests after this many rows, which take a few milliseconds. */
const stretch = 1_000

async function fieldsOfAll(table: ArchiveTable, rows: readonly Row[], placeOf: PlaceOf, numbers: Numbers): Promise<unknown[]> {
  const columns = Object.entries(table.columns)
  const made: unknown[] = []
  for (let from = 0; from < rows.length; from += stretch) {
    const part = rows.slice(from, from + stretch).map((row) => {
      const fields: Row = {}
      for (const [name, column] of columns) {
        if (!column.scorer) fields[column.field] = fieldValue(table.list, column, row[name], placeOf)
        else if (typeof row[name] === 'string') fields[column.field] = numberOf(numbers[column.field as keyof Numbers], row[name])
      }
      return fields
    })
    made.push(...HuntDocument.shape[table.list].parse(part))
    await setImmediate()
  }
  return made
}

async function rowsOf(db: Db, table: ArchiveTable, huntId: string, limit: number): Promise<Row[]> {
  const columns = Object.entries(table.columns).map(([name, { scorer }]) =>
    scorer ? sql`${sql.raw(scorer)} as ${sql.ref(name)}` : sql.ref(name),
  )
  const { belongsBy, only = 'true' } = table
  const belongs =
    belongsBy === 'hunt_id' ? sql`hunt_id = ${huntId}::uuid` : sql`${sql.ref(belongsBy.column)} in (${belongsBy.within(huntId)})`
  const { rows } = await sql<Row>`
    select ${sql.join([...(table.hasId ? [sql.ref('id')] : []), ...columns])} from ${sql.table(table.table)}
    where ${belongs} and ${sql.raw(only)}
    order by ${sql.join(table.order.map((each) => sql.raw(each)))}
    limit ${limit}`.execute(db)
  return rows
}

function fieldValue(list: ArchiveList, { refersTo, isArray, isTime, isFlag }: ArchiveColumn, value: unknown, placeOf: PlaceOf): unknown {
  if (isFlag) return value === true ? true : undefined
  if (value === null || value === undefined) return null
  if (refersTo) return isArray ? (value as string[]).flatMap((id) => placeOf(refersTo, id) ?? []) : placeOf(refersTo, value)
  if (isTime) return (value as Date).toISOString()
  if (list === 'growLogVersions' && typeof value === 'object') {
    const { plantId, mediaIds: _, ...said } = value as { plantId: string | null; mediaIds: string[] }
    return { plant: placeOf('plants', plantId), ...said }
  }
  return value
}

async function photosOf(db: Db, huntId: string): Promise<number> {
  const { rows } = await sql<{ photos: number }>`
    select (select coalesce(sum((select count(*) from grow_log_photos where grow_log_photos.log_id = grow_logs.id)), 0) from grow_logs
        where hunt_id = ${huntId}::uuid and deleted_at is null)::int
      + (select count(*) from observations where hunt_id = ${huntId}::uuid and is_current and media_id is not null)::int as photos`.execute(
    db,
  )
  return rows[0]?.photos ?? 0
}
