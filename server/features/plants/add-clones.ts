import { sql } from 'kysely'
import type { Parsed, ResponseOf } from '#contracts/endpoint.ts'
import { type addClones as contract, maxAtOnce, plantName } from '#contracts/plants.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordHuntEvents, requireDayPassed, requireHunt, today } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { invalidField } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import { freshCodes } from './plant-codes.ts'
import { plantRoom, readPlants } from './plants.view.ts'
import { lockGenotypes } from './require-plant-things.ts'

type Input = Parsed<(typeof contract)['body']>
type Answer = ResponseOf<typeof contract>

/**
 * Cuts clones. Copy numbers continue from the highest the genotype has ever had.
 * @throws AppError not_found, forbidden, invalid_input, idempotency_mismatch
 */
export async function addClones(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  huntId: string,
  input: Input,
  idempotency: IdempotencyKey | null,
): Promise<Answer> {
  const now = ctx.clock.now()
  const cutOn = input.cutOn ?? today(now)
  requireFitting(input, cutOn, now)
  return inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'write', { lock: 'share' })
    return once(tx, actor.id, idempotency, now, async () => {
      // The lock on the genotype serializes the numbering of its clones.
      await lockGenotypes(
        tx,
        huntId,
        input.cuts.map(({ genotypeId }) => genotypeId),
      )
      const clones = await planClones(tx, input.cuts, cutOn)
      const codes = await freshCodes(tx, clones.length)
      await tx
        .insertInto('plants')
        .values(
          clones.map(({ id, genotypeId, copy, cutFromId }, i) => ({
            id,
            hunt_id: huntId,
            genotype_id: genotypeId,
            kind: 'clone' as const,
            copy,
            cut_from_id: cutFromId,
            code: codes[i] as string,
            cut_on: cutOn,
            rooted_on: input.rootedOn,
            created_at: now,
          })),
        )
        .execute()
      const happened = { huntId, recordedBy: actor.id, now }
      await recordHuntEvents(
        tx,
        clones.flatMap(({ id, genotypeId }) => {
          const about = { ...happened, genotypeId, plantId: id }
          const cut = { ...about, kind: 'plant.cut' as const, happenedOn: cutOn }
          return input.rootedOn === null ? [cut] : [cut, { ...about, kind: 'plant.rooted' as const, happenedOn: input.rootedOn }]
        }),
      )
      const ids = clones.map(({ id }) => id)
      return { plants: await readPlants(tx, ids), room: await plantRoom(tx, huntId) }
    })
  })
}

/** @throws AppError invalid_input */
function requireFitting({ cuts, rootedOn }: Input, cutOn: string, now: Date): void {
  requireDayPassed('cutOn', cutOn, now)
  if (rootedOn !== null) {
    requireDayPassed('rootedOn', rootedOn, now)
    if (rootedOn < cutOn) throw invalidField('rootedOn', 'A clone roots after it was cut')
  }
  const count = cuts.reduce((sum, cut) => sum + cut.count, 0)
  if (count > maxAtOnce) throw invalidField('cuts', `At most ${maxAtOnce} clones at once`)
}

type Clone = { id: string; genotypeId: string; copy: number; cutFromId: string | null }

/** @throws AppError invalid_input */
async function planClones(tx: Tx, cuts: Input['cuts'], cutOn: string): Promise<Clone[]> {
  const { rows } = await sql<{
    id: string
    genotype_id: string
    number: number
    copy: number
    is_mother: boolean
    ended_on: string | null
  }>`
    select plants.id, plants.genotype_id, genotypes.number, plants.copy, plants.is_mother, plants.ended_on
    from plants join genotypes on genotypes.id = plants.genotype_id
    where plants.genotype_id = any(${cuts.map(({ genotypeId }) => genotypeId)}::uuid[])
    order by plants.copy`.execute(tx)
  const plants = Map.groupBy(rows, (row) => row.genotype_id)
  const next = new Map([...plants].map(([id, own]) => [id, Math.max(0, ...own.map(({ copy }) => copy)) + 1]))
  return cuts.flatMap(({ genotypeId, fromPlantId, count }, i) => {
    const own = plants.get(genotypeId) ?? []
    const living = own.filter((plant) => plant.ended_on === null || plant.ended_on >= cutOn)
    const from = fromPlantId === null ? (living.find((plant) => plant.is_mother) ?? living[0]) : own.find(({ id }) => id === fromPlantId)
    if (fromPlantId !== null && !from) throw invalidField(`cuts.${i}.fromPlantId`, 'Choose a plant of this genotype')
    if (from?.ended_on && from.ended_on < cutOn) {
      throw invalidField(`cuts.${i}.fromPlantId`, `${plantName(from.number, from.copy)} had already ended by then, on ${from.ended_on}`)
    }
    const first = next.get(genotypeId) ?? 1
    next.set(genotypeId, first + count)
    return Array.from({ length: count }, (_, n) => ({ id: newId(), genotypeId, copy: first + n, cutFromId: from?.id ?? null }))
  })
}
