import { sql } from 'kysely'
import { maxRuns, type NewRun, type Run, type RunChange } from '#contracts/runs.endpoints.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { inTransaction, retryOn } from '#server/db/transaction.ts'
import { hasBegun, requireHunt, requireHuntWords } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { changedMeanwhile, requireHuntOf } from './require-plant-things.ts'
import { withoutUndefined } from './seed-lots.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

export async function listRuns(db: Db, actor: Actor, huntId: string): Promise<Run[]> {
  await requireHunt(db, actor, huntId, 'view')
  return (
    await selectRuns(db).where('runs.hunt_id', '=', huntId).orderBy('runs.created_at', 'desc').orderBy('runs.id', 'desc').execute()
  ).map(toRun)
}

/** Returns the existing run if the hunt has one with this ID. */
export async function createRun(ctx: Ctx, actor: Actor, huntId: string, input: NewRun): Promise<Run> {
  requireOrder(input)
  requirePassed(input, ctx.clock.now())
  return inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'write', { lock: 'update' })
    await requireHuntWords(tx, actor, huntId, input)
    const { id = newId(), ...run } = input
    const existing = await tx.selectFrom('runs').select('hunt_id').where('id', '=', id).executeTakeFirst()
    if (existing) {
      if (existing.hunt_id !== huntId) throw new AppError('conflict', { message: 'This ID is taken. Send another one.' })
      return readRun(tx, id)
    }
    await requireRoom(tx, huntId)
    await requireCheck(tx, huntId, run.checkGenotypeId)
    await retryOn(
      'runs_pkey',
      tx
        .insertInto('runs')
        .values({ id, hunt_id: huntId, ...toRow(run), created_at: ctx.clock.now() })
        .execute(),
    )
    return readRun(tx, id)
  })
}

/** @throws AppError not_found, forbidden, muted, invalid_input, conflict on a stale version */
export async function updateRun(ctx: Ctx, actor: Actor, id: string, { version, ...changes }: RunChange): Promise<Run> {
  requirePassed(changes, ctx.clock.now())
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHuntOf(tx, actor, 'runs', id, 'write', { lock: 'share' })
    await requireHuntWords(tx, actor, hunt.id, changes)
    await lockRun(tx, id)
    const { id: _, huntId, placementCount, version: current, ...before } = await readRun(tx, id)
    if (current !== version) throw changedMeanwhile('run')
    const after = { ...before, ...withoutUndefined(changes) }
    requireOrder(after)
    await requireCheck(tx, hunt.id, after.checkGenotypeId)
    await requireBenchForAll(tx, id, after)
    await tx
      .updateTable('runs')
      .set((eb) => ({ ...toRow(after), version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute()
    return readRun(tx, id)
  })
}

export async function deleteRun(ctx: Ctx, actor: Actor, id: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await requireHuntOf(tx, actor, 'runs', id, 'write', { lock: 'update' })
    await tx.deleteFrom('runs').where('id', '=', id).execute()
  })
}

/** Call it before placing plants on the run's bench or changing the bench. */
export async function lockRun(tx: Tx, id: string) {
  const run = await tx.selectFrom('runs').select(['id', 'bench_rows', 'bench_columns']).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!run) throw notFound('Run not found.')
  return run
}

type Facts = Omit<NewRun, 'id'>

const toRow = (run: Facts) => ({
  name: run.name,
  room: run.room,
  medium: run.medium,
  light: run.light,
  started_on: run.startedOn,
  flowered_on: run.floweredOn,
  ended_on: run.endedOn,
  check_genotype_id: run.checkGenotypeId,
  bench_rows: run.benchRows,
  bench_columns: run.benchColumns,
})

function requireOrder({ startedOn, floweredOn, endedOn }: Pick<Facts, 'startedOn' | 'floweredOn' | 'endedOn'>): void {
  if (startedOn && floweredOn && floweredOn < startedOn) throw invalidField('floweredOn', 'Can’t be before the run started')
  const began = floweredOn ?? startedOn
  if (began && endedOn && endedOn < began) throw invalidField('endedOn', 'Can’t be before the run started')
}

const inFuture = { floweredOn: 'Flowering can’t have started in the future', endedOn: 'A run can’t have ended in the future' } as const

/**
 * As soon as a run has one of these days, its plants count as being in flower, or the run as ended, so neither day may be in the future.
 */
function requirePassed(days: Pick<RunChange, keyof typeof inFuture>, now: Date): void {
  for (const field of ['floweredOn', 'endedOn'] as const) {
    const day = days[field]
    if (day && !hasBegun(day, now)) throw invalidField(field, inFuture[field])
  }
}

async function requireCheck(tx: Tx, huntId: string, genotypeId: string | null): Promise<void> {
  if (genotypeId === null) return
  const check = await tx.selectFrom('genotypes').select('id').where('id', '=', genotypeId).where('hunt_id', '=', huntId).executeTakeFirst()
  if (!check) throw invalidField('checkGenotypeId', 'Choose a pheno from this hunt')
}

async function requireBenchForAll(
  tx: Tx,
  id: string,
  { benchRows, benchColumns }: Pick<Facts, 'benchRows' | 'benchColumns'>,
): Promise<void> {
  const { rows, columns } = await tx
    .selectFrom('placements')
    .select(({ fn }) => [fn.max('bench_row').as('rows'), fn.max('bench_column').as('columns')])
    .where('run_id', '=', id)
    .executeTakeFirstOrThrow()
  if (rows !== null && rows > (benchRows ?? 0)) throw invalidField('benchRows', `There is a plant in row ${rows}`)
  if (columns !== null && columns > (benchColumns ?? 0)) throw invalidField('benchColumns', `There is a plant in column ${columns}`)
}

async function requireRoom(tx: Tx, huntId: string): Promise<void> {
  const count = await countRows(tx.selectFrom('runs').where('hunt_id', '=', huntId))
  if (count >= maxRuns) throw new AppError('conflict', { message: `A hunt can have up to ${maxRuns} runs.` })
}

const selectRuns = (db: Db) =>
  db
    .selectFrom('runs')
    .selectAll()
    .select(sql<number>`(select count(*) from placements where placements.run_id = runs.id)`.as('placement_count'))

async function readRun(db: Db, id: string): Promise<Run> {
  const row = await selectRuns(db).where('runs.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Run not found.')
  return toRun(row)
}

const toRun = (row: Awaited<ReturnType<ReturnType<typeof selectRuns>['execute']>>[number]): Run => ({
  id: row.id,
  huntId: row.hunt_id,
  name: row.name,
  room: row.room,
  medium: row.medium,
  light: row.light,
  startedOn: row.started_on,
  floweredOn: row.flowered_on,
  endedOn: row.ended_on,
  checkGenotypeId: row.check_genotype_id,
  benchRows: row.bench_rows,
  benchColumns: row.bench_columns,
  placementCount: row.placement_count,
  version: row.version,
})
