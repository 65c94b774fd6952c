import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { HuntDocument, maxArchiveRows } from '#contracts/hunt-archive.endpoints.ts'
import type { Db } from '#server/db/connect.ts'
import type { Authorized } from '#server/kernel/authorized.ts'
import { AppError } from '#server/kernel/errors.ts'
import { createGate } from '#server/kernel/gate.ts'
import type { ArchiveColumn, ArchiveList, ArchiveTable } from './archive-table.ts'
import { archiveTables } from './archive-tables.ts'

type Row = Record<string, unknown>

/**
 * Creates one document at a time: each needs memory for all of a hunt's data, and blocks the event loop for a while.
 * @throws AppError unavailable if too many are waiting
 */
export const documentGate = createGate({ maxConcurrent: 1, maxWaiting: 20 })

/**
 * A whole hunt as a document, optionally without some lists. For a consistent snapshot, `db` must be a repeatable-read transaction.
 * @throws AppError conflict if it has more rows than a document may have
 */
export async function readDocument(
  db: Db,
  huntId: Authorized<'hunts'>,
  now: Date,
  { without = [] }: { without?: readonly ArchiveList[] } = {},
): Promise<HuntDocument> {
  const hunt = await db.selectFrom('hunts').selectAll().where('id', '=', huntId).executeTakeFirstOrThrow()
  const rows = new Map<ArchiveList, Row[]>()
  let left = maxArchiveRows
  for (const table of archiveTables) {
    const found = without.includes(table.list) ? [] : await rowsOf(db, table, huntId, left + 1)
    left -= found.length
    if (left < 0) {
      throw new AppError('conflict', {
        message: `This hunt has more than ${maxArchiveRows.toLocaleString('en-US')} entries, which is more than a document can hold. Save its tables and its climate as CSV instead.`,
      })
    }
    rows.set(table.list, found)
  }
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
  for (const table of archiveTables)
    Object.assign(document, { [table.list]: await fieldsOfAll(table, rows.get(table.list) ?? [], placeOf) })
  return document
}

type PlaceOf = (list: ArchiveList, id: unknown) => number | null

/** Rows built, in a few milliseconds, before yielding to other requests. */
const stretch = 1_000

async function fieldsOfAll(table: ArchiveTable, rows: readonly Row[], placeOf: PlaceOf): Promise<unknown[]> {
  const columns = Object.entries(table.columns)
  const made: unknown[] = []
  for (let from = 0; from < rows.length; from += stretch) {
    const part = rows.slice(from, from + stretch).map((row) => {
      const fields: Row = {}
      for (const [name, column] of columns) fields[column.field] = fieldValue(table.list, column, row[name], placeOf)
      return fields
    })
    made.push(...HuntDocument.shape[table.list].parse(part))
    await setImmediate()
  }
  return made
}

async function rowsOf(db: Db, table: ArchiveTable, huntId: string, limit: number): Promise<Row[]> {
  const columns = [...(table.hasId ? ['id'] : []), ...Object.keys(table.columns)]
  const { belongsBy, only = 'true' } = table
  const belongs =
    belongsBy === 'hunt_id' ? sql`hunt_id = ${huntId}::uuid` : sql`${sql.ref(belongsBy.column)} in (${belongsBy.within(huntId)})`
  const { rows } = await sql<Row>`
    select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table.table)}
    where ${belongs} and ${sql.raw(only)}
    order by ${sql.join(table.order.map((each) => sql.raw(each)))}
    limit ${limit}`.execute(db)
  return rows
}

function fieldValue(list: ArchiveList, { refersTo, isArray, isTime }: ArchiveColumn, value: unknown, placeOf: PlaceOf): unknown {
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
