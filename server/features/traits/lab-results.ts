import { sql } from 'kysely'
import { isImpossibleShare } from '#agronomy/analytes.ts'
import type { Parsed } from '#contracts/endpoint.ts'
import type {
  LabResult,
  LabResultChange,
  listLabResults as listContract,
  NewLabResult,
  recordLabResults as recordContract,
} from '#contracts/traits.endpoints.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { hasBegun, recordHuntEvents, requireDayPassed, requireHunt, requireHuntWords } from '#server/features/hunts/index.ts'
import { genotypesOfPlants } from '#server/features/plants/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, invalidInput, notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { changedMeanwhile, requireThing } from './traits.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

const selectResults = (db: Db) =>
  db
    .selectFrom('lab_results')
    .innerJoin('plants', 'plants.id', 'lab_results.plant_id')
    .selectAll('lab_results')
    .select('plants.genotype_id')

type ResultRow = Awaited<ReturnType<ReturnType<typeof selectResults>['execute']>>[number]

const toLabResult = (row: ResultRow): LabResult => ({
  id: row.id,
  huntId: row.hunt_id,
  plantId: row.plant_id,
  genotypeId: row.genotype_id,
  lab: row.lab,
  testedOn: row.tested_on,
  samplePosition: row.sample_position,
  analyte: row.analyte,
  value: row.value,
  unit: row.unit,
  quantificationLimit: row.quantification_limit,
  version: row.version,
})

type Content = Omit<NewLabResult, 'id' | 'plantId'>

const columnsOf = (result: Content) => ({
  lab: result.lab,
  tested_on: result.testedOn,
  sample_position: result.samplePosition,
  analyte: result.analyte,
  value: result.value,
  unit: result.unit,
  quantification_limit: result.quantificationLimit,
})

const contentKeys: Record<keyof Content, true> = {
  lab: true,
  testedOn: true,
  samplePosition: true,
  analyte: true,
  value: true,
  unit: true,
  quantificationLimit: true,
}
const isSame = (one: Content, other: Content): boolean =>
  (Object.keys(contentKeys) as (keyof Content)[]).every((key) => one[key] === other[key])

const withoutFigure = 'Enter the value, or the lab’s limit of quantification if it is below that'
const impossibleShare = 'A percentage can be at most 100'
const hasFigure = ({ value, quantificationLimit }: Content) => value !== null || quantificationLimit !== null

/** @throws AppError not_found about the hunt, invalid_input about the cursor */
export async function listLabResults(
  db: Db,
  actor: Actor,
  huntId: string,
  { limit, cursor }: Parsed<(typeof listContract)['query']>,
): Promise<Page<LabResult>> {
  await requireHunt(db, actor, huntId, 'view')
  const after = decodeCursor(cursor, ['id'])
  const rows = await selectResults(db)
    .where('lab_results.hunt_id', '=', huntId)
    .$if(after !== null, (query) => query.where('lab_results.id', '>', after?.[0] as string))
    .orderBy('lab_results.id')
    .limit(limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, limit, ({ id }) => [id])
  return { items: items.map(toLabResult), nextCursor }
}

/** @throws AppError not_found or forbidden about the hunt, muted, invalid_input, conflict if an ID exists with other figures */
export async function recordLabResults(
  ctx: Ctx,
  actor: Actor,
  huntId: string,
  given: readonly NewLabResult[],
  sameSample: Parsed<(typeof recordContract)['body']>['sameSample'] = 'add',
): Promise<LabResult[]> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'write', { lock: 'share' })
    await requireHuntWords(tx, actor, huntId, { results: given })
    const genotypes = await genotypesOfPlants(
      tx,
      huntId,
      given.map(({ plantId }) => plantId),
    )
    requireValid(given, genotypes, now)
    const rows = given.map(({ id = newId(), ...result }) => ({ id, result }))
    const inserted = await tx
      .insertInto('lab_results')
      .values(
        [...rows]
          .sort((a, b) => (a.id < b.id ? -1 : 1))
          .map(({ id, result }) => ({ id, hunt_id: huntId, plant_id: result.plantId, ...columnsOf(result), created_at: now })),
      )
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .execute()
    const fresh = new Set(inserted.map(({ id }) => id))
    if (sameSample === 'replace')
      await deleteReplaced(
        tx,
        huntId,
        rows.filter(({ id }) => fresh.has(id)),
      )
    const ids = rows.map(({ id }) => id)
    const stored = new Map(
      (await selectResults(tx).where(sql<boolean>`lab_results.id = any(${ids}::uuid[])`).execute()).map((row) => [
        row.id,
        toLabResult(row),
      ]),
    )
    for (const { id, result } of rows) {
      const there = stored.get(id)
      if (there?.huntId === huntId && there.plantId === result.plantId && (fresh.has(id) || isSame(there, result))) continue
      throw new AppError('conflict', { message: 'One of these IDs belongs to another lab result. Correct that one, or use a new ID.' })
    }
    await recordHuntEvents(
      tx,
      rows
        .filter(({ id }) => fresh.has(id))
        .map(({ id, result }) => ({
          huntId,
          kind: 'lab.recorded',
          genotypeId: genotypes.get(result.plantId) ?? null,
          plantId: result.plantId,
          subjectId: id,
          detail: { value: result.value },
          happenedOn: result.testedOn,
          recordedBy: actor.id,
          now,
        })),
    )
    return ids.flatMap((id) => stored.get(id) ?? [])
  })
}

/** Deletes earlier results for the samples and analytes of `rows`, but not `rows` themselves. */
async function deleteReplaced(tx: Db, huntId: string, rows: readonly { id: string; result: Omit<NewLabResult, 'id'> }[]): Promise<void> {
  const ids = rows.map(({ id }) => id)
  const keyOf = (result: Omit<NewLabResult, 'id'>) =>
    [result.plantId, result.testedOn, result.lab, result.samplePosition, result.analyte].join('\n').toLowerCase()
  const replaced = new Set(rows.map(({ result }) => keyOf(result)))
  const plantIds = [...new Set(rows.map(({ result }) => result.plantId))]
  const others = await selectResults(tx)
    .where('lab_results.hunt_id', '=', huntId)
    .where(sql<boolean>`lab_results.plant_id = any(${plantIds}::uuid[])`)
    .where(sql<boolean>`lab_results.id <> all(${ids}::uuid[])`)
    .execute()
  const old = others.map(toLabResult).filter((result) => replaced.has(keyOf(result)))
  if (old.length === 0) return
  const oldIds = old.map(({ id }) => id)
  await tx.deleteFrom('lab_results').where('hunt_id', '=', huntId).where(sql<boolean>`id = any(${oldIds}::uuid[])`).execute()
}

/** @throws AppError invalid_input with all invalid rows */
function requireValid(given: readonly NewLabResult[], genotypes: ReadonlyMap<string, string>, now: Date): void {
  const issues: { path: PropertyKey[]; message: string }[] = []
  const seen = new Set<string>()
  for (const [i, result] of given.entries()) {
    const issue = (field: keyof NewLabResult, message: string) => issues.push({ path: ['results', i, field], message })
    if (!genotypes.has(result.plantId)) issue('plantId', 'This plant isn’t in this hunt')
    if (!hasFigure(result)) issue('value', withoutFigure)
    if (isImpossibleShare(result)) issue('value', impossibleShare)
    if (result.id !== undefined && seen.has(result.id)) issue('id', 'Each result needs its own ID')
    if (result.id !== undefined) seen.add(result.id)
    if (!hasBegun(result.testedOn, now)) issue('testedOn', 'This day is in the future')
  }
  if (issues.length > 0) throw invalidInput(issues)
}

/** @throws AppError not_found, forbidden, muted, invalid_input, conflict on a stale version */
export async function updateLabResult(ctx: Ctx, actor: Actor, id: string, { version, ...change }: LabResultChange): Promise<LabResult> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const { huntId } = await requireThing(tx, actor, 'lab_results', id, 'write', { lock: 'share' })
    await requireHuntWords(tx, actor, huntId, change)
    await tx.selectFrom('lab_results').select('id').where('id', '=', id).forUpdate().execute()
    const before = await readResult(tx, id)
    const after: LabResult = { ...before, ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) }
    if (isSame(before, after)) return before
    if (before.version !== version) throw changedMeanwhile('lab result')
    if (!hasFigure(after)) throw invalidField('value', withoutFigure)
    if (isImpossibleShare(after)) throw invalidField('value', impossibleShare)
    requireDayPassed('testedOn', after.testedOn, now)
    await tx
      .updateTable('lab_results')
      .set({ ...columnsOf(after), version: version + 1 })
      .where('id', '=', id)
      .execute()
    return readResult(tx, id)
  })
}

async function readResult(db: Db, id: string): Promise<LabResult> {
  const row = await selectResults(db).where('lab_results.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Lab result not found.')
  return toLabResult(row)
}

export async function deleteLabResult(ctx: Ctx, actor: Actor, id: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await requireThing(tx, actor, 'lab_results', id, 'write', { lock: 'share' })
    await tx.deleteFrom('lab_results').where('id', '=', id).execute()
  })
}

/** @throws AppError not_found or forbidden about the hunt */
export async function deleteLabResults(ctx: Ctx, actor: Actor, huntId: string, ids: readonly string[]): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'write', { lock: 'share' })
    await tx.deleteFrom('lab_results').where('hunt_id', '=', huntId).where(sql<boolean>`id = any(${ids}::uuid[])`).execute()
  })
}
