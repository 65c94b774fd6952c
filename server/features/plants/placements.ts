import { sql } from 'kysely'
import type { Parsed } from '#contracts/endpoint.ts'
import { plantName } from '#contracts/plants.ts'
import type { placePlants as contract, Placement } from '#contracts/runs.endpoints.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction, isUniqueViolation } from '#server/db/transaction.ts'
import { recordHuntEvents, requireDayPassed, today } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { requireHuntOf } from './require-plant-things.ts'
import { lockRun } from './runs.ts'

type Input = Parsed<(typeof contract)['body']>
type Place = Input['placements'][number]

export async function listPlacements(db: Db, actor: Actor, runId: string): Promise<Placement[]> {
  await requireHuntOf(db, actor, 'runs', runId, 'view')
  return readPlacements(db, runId)
}

/**
 * Places all plants in one write, so that they can swap positions. A unique constraint prevents two plants in one position.
 * @throws AppError not_found, forbidden, invalid_input, conflict if a position is taken by a plant that isn't moved
 */
export async function placePlants(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, runId: string, input: Input): Promise<Placement[]> {
  const now = ctx.clock.now()
  const { placements, removedPlantIds, placedOn = today(now) } = input
  requireDayPassed('placedOn', placedOn, now)
  requireOnceEach(input)
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHuntOf(tx, actor, 'runs', runId, 'write', { lock: 'share' })
    requireOnBench(placements, await lockRun(tx, runId))
    const genotypeIds = await requirePlants(
      tx,
      hunt.id,
      placements.map(({ plantId }) => plantId),
    )
    const before = new Map((await readPlacements(tx, runId)).map((placement) => [placement.plantId, placement]))
    requireFree(placements, removedPlantIds, before)
    const moved = placements.filter(({ plantId, row, column }) => {
      const old = before.get(plantId)
      return old?.row !== row || old.column !== column
    })
    await replacePlacements(tx, runId, moved, [...moved.map(({ plantId }) => plantId), ...removedPlantIds])
    await recordHuntEvents(
      tx,
      moved.map(({ plantId, row, column }) => ({
        huntId: hunt.id,
        kind: 'plant.placed',
        genotypeId: genotypeIds.get(plantId) ?? null,
        plantId,
        subjectId: runId,
        detail: { row, column },
        happenedOn: placedOn,
        recordedBy: actor.id,
        now,
      })),
    )
    return readPlacements(tx, runId)
  })
}

function requireOnceEach({ placements, removedPlantIds }: Input): void {
  const plants = [...placements.map(({ plantId }) => plantId), ...removedPlantIds]
  if (new Set(plants).size < plants.length) throw invalidField('placements', 'List each plant only once')
  const places = placements.flatMap(({ row, column }) => (row === null && column === null ? [] : [`${row}/${column}`]))
  if (new Set(places).size < places.length) throw invalidField('placements', 'List each position only once')
}

function requireOnBench(placements: readonly Place[], run: { bench_rows: number | null; bench_columns: number | null }): void {
  placements.forEach(({ row, column }, i) => {
    if ((row === null) !== (column === null)) throw invalidField(`placements.${i}`, 'Enter both the row and the column')
    if (row === null || column === null) return
    if (row > (run.bench_rows ?? 0) || column > (run.bench_columns ?? 0)) {
      const bench = run.bench_rows && run.bench_columns ? `${run.bench_rows} rows of ${run.bench_columns}` : 'no size yet'
      throw invalidField(`placements.${i}`, `Row ${row}, column ${column} doesn’t exist: the bench has ${bench}`)
    }
  })
}

async function requirePlants(tx: Tx, huntId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx
    .selectFrom('plants')
    .select(['id', 'genotype_id'])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('hunt_id', '=', huntId)
    .execute()
  if (rows.length < ids.length) throw notFound('Plant in this hunt not found.')
  return new Map(rows.map((row) => [row.id, row.genotype_id]))
}

function requireFree(placements: readonly Place[], removed: readonly string[], before: ReadonlyMap<string, Placement>): void {
  const leaving = new Set([...placements.map(({ plantId }) => plantId), ...removed])
  const taken = new Map(
    [...before.values()]
      .filter(({ plantId, row }) => row !== null && !leaving.has(plantId))
      .map((each) => [`${each.row}/${each.column}`, each]),
  )
  for (const { row, column } of placements) {
    const other = row === null ? undefined : taken.get(`${row}/${column}`)
    if (other) throw new AppError('conflict', { message: `Row ${row}, column ${column} is taken by ${other.name}.` })
  }
}

async function replacePlacements(tx: Tx, runId: string, placements: readonly Place[], leaving: readonly string[]): Promise<void> {
  await tx.deleteFrom('placements').where('run_id', '=', runId).where(sql<boolean>`plant_id = any(${leaving}::uuid[])`).execute()
  try {
    await sql`
      insert into placements (run_id, plant_id, bench_row, bench_column)
      select ${runId}::uuid, plant_id, bench_row, bench_column
      from unnest(${placements.map(({ plantId }) => plantId)}::uuid[], ${placements.map(({ row }) => row)}::integer[],
        ${placements.map(({ column }) => column)}::integer[]) as place (plant_id, bench_row, bench_column)`.execute(tx)
  } catch (error) {
    throw isUniqueViolation(error) ? new AppError('conflict', { message: 'One of these positions is taken.' }) : error
  }
}

async function readPlacements(db: Db, runId: string): Promise<Placement[]> {
  const rows = await db
    .selectFrom('placements')
    .innerJoin('plants', 'plants.id', 'placements.plant_id')
    .innerJoin('genotypes', 'genotypes.id', 'plants.genotype_id')
    .select(['placements.plant_id', 'placements.bench_row', 'placements.bench_column'])
    .select(['plants.genotype_id', 'plants.copy', 'plants.code', 'plants.ended_on', 'genotypes.number', 'genotypes.label'])
    .where('placements.run_id', '=', runId)
    .orderBy('placements.bench_row')
    .orderBy('placements.bench_column')
    .orderBy('genotypes.number')
    .orderBy('plants.copy')
    .execute()
  return rows.map((row) => ({
    runId,
    plantId: row.plant_id,
    genotypeId: row.genotype_id,
    number: row.number,
    name: plantName(row.number, row.copy),
    label: row.label,
    code: row.code,
    isAlive: row.ended_on === null,
    row: row.bench_row,
    column: row.bench_column,
  }))
}
