import { sql } from 'kysely'
import type { Parsed } from '#contracts/endpoint.ts'
import type { changeGenotype as changeContract, Genotype, Sex, sexGenotypes as sexContract } from '#contracts/plants.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordHuntEvents, requireDayPassed, requireHunt, requireHuntWords, today } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { requireLot } from './add-seeds.ts'
import { readGenotypes } from './plants.view.ts'
import { changedMeanwhile, type LockedGenotype, lockGenotypes, requireHuntOf } from './require-plant-things.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/** @throws AppError not_found, forbidden, invalid_input, conflict on a stale version */
export async function changeGenotype(
  ctx: Ctx,
  actor: Actor,
  id: string,
  input: Parsed<(typeof changeContract)['body']>,
): Promise<Genotype> {
  const now = ctx.clock.now()
  if (input.sexedOn !== undefined) requireDayPassed('sexedOn', input.sexedOn, now)
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHuntOf(tx, actor, 'genotypes', id, 'write', { lock: 'share' })
    await requireHuntWords(tx, actor, hunt.id, input)
    const [genotype] = await lockGenotypes(tx, hunt.id, [id])
    if (genotype?.version !== input.version) throw changedMeanwhile('genotype')
    if (input.seedLotId != null) await requireLot(tx, hunt.id, input.seedLotId)
    await tx
      .updateTable('genotypes')
      .set((eb) => ({
        ...(input.label === undefined ? {} : { label: input.label }),
        ...(input.sex === undefined ? {} : { sex: input.sex }),
        ...(input.notes === undefined ? {} : { notes: input.notes }),
        ...(input.seedLotId === undefined ? {} : { seed_lot_id: input.seedLotId }),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', id)
      .execute()
    if (input.sex !== undefined) {
      await recordSexes(tx, [genotype], { huntId: hunt.id, sex: input.sex, on: input.sexedOn ?? today(now), recordedBy: actor.id, now })
    }
    const [changed] = await readGenotypes(tx, [id])
    if (!changed) throw notFound('Genotype not found.')
    return changed
  })
}

/** Sets the sex of many genotypes, whatever it was before. @throws AppError not_found, forbidden, invalid_input */
export async function sexGenotypes(
  ctx: Ctx,
  actor: Actor,
  huntId: string,
  { genotypeIds, sex, sexedOn }: Parsed<(typeof sexContract)['body']>,
): Promise<Genotype[]> {
  const now = ctx.clock.now()
  if (sexedOn !== undefined) requireDayPassed('sexedOn', sexedOn, now)
  return inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'write', { lock: 'share' })
    const genotypes = await lockGenotypes(tx, huntId, genotypeIds)
    const changed = genotypes.filter((genotype) => genotype.sex !== sex).map(({ id }) => id)
    await tx
      .updateTable('genotypes')
      .set((eb) => ({ sex, version: eb('version', '+', 1) }))
      .where(sql<boolean>`id = any(${changed}::uuid[])`)
      .execute()
    await recordSexes(tx, genotypes, { huntId, sex, on: sexedOn ?? today(now), recordedBy: actor.id, now })
    return readGenotypes(tx, genotypeIds)
  })
}

type Sexing = { huntId: string; sex: Sex; on: string; recordedBy: string; now: Date }

/** Records an event for each genotype whose sex changes, with the previous sex. */
const recordSexes = (tx: Tx, genotypes: readonly LockedGenotype[], { huntId, sex, on, recordedBy, now }: Sexing) =>
  recordHuntEvents(
    tx,
    genotypes
      .filter((genotype) => genotype.sex !== sex)
      .map((genotype) => ({
        huntId,
        kind: 'genotype.sexed',
        genotypeId: genotype.id,
        detail: { sex, before: genotype.sex === 'unknown' ? null : genotype.sex },
        happenedOn: on,
        recordedBy,
        now,
      })),
  )
