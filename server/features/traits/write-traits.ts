import { sql } from 'kysely'
import { maxTraits, type NewTrait, type Trait, type TraitChange } from '../../../contracts/traits.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { inTransaction, retryOn } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { type IdempotencyKey, once } from '../../kernel/idempotency.ts'
import { newId } from '../../kernel/ids.ts'
import { requireHunt, requireHuntWords } from '../hunts/index.ts'
import { requireSoundTrait, unitsOfSources } from './trait-rules.ts'
import { changedMeanwhile, requireThing, traitRows } from './traits.queries.ts'
import { toTrait } from './traits.view.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/** @throws AppError not_found */
export async function listTraits(db: Db, actor: Actor, huntId: string): Promise<Trait[]> {
  await requireHunt(db, actor, huntId, 'view')
  return (await traitRows(db, huntId)).map(toTrait)
}

async function readTrait(db: Db, huntId: string, traitId: string): Promise<Trait> {
  const row = (await traitRows(db, huntId)).find(({ id }) => id === traitId)
  if (!row) throw notFound('There is no such trait.')
  return toTrait(row)
}

/**
 * The same id again answers the trait as it is by now.
 * @throws AppError not_found or forbidden about the hunt, invalid_input, conflict for one trait too many or an id of another hunt
 */
export async function createTrait(
  ctx: Ctx,
  actor: Actor,
  huntId: string,
  { id = newId(), ...trait }: NewTrait,
  idempotency: IdempotencyKey | null,
): Promise<Trait> {
  requireSoundTrait(trait)
  const now = ctx.clock.now()
  return inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, now, async () => {
      // Held against another trait at the same time: there is a most, and each takes the next place.
      await requireHunt(tx, actor, huntId, 'write', { lock: 'update' })
      await requireHuntWords(tx, actor, huntId, trait)
      const there = await tx.selectFrom('traits').select('hunt_id').where('id', '=', id).executeTakeFirst()
      if (there?.hunt_id === huntId) return readTrait(tx, huntId, id)
      if (there) throw new AppError('conflict', { message: 'This id is that of another trait. Make a new one.' })
      const { count, next } = await tx
        .selectFrom('traits')
        .select((eb) => [eb.fn.countAll<number>().as('count'), sql<number>`coalesce(max(position), 0) + 1`.as('next')])
        .where('hunt_id', '=', huntId)
        .executeTakeFirstOrThrow()
      if (Number(count) >= maxTraits) {
        throw new AppError('conflict', { message: `A hunt has at most ${maxTraits} traits. Delete one that was never used first.` })
      }
      await retryOn(
        'traits_pkey',
        tx
          .insertInto('traits')
          .values({
            id,
            hunt_id: huntId,
            name: trait.name,
            kind: trait.kind,
            source: trait.source,
            analyte: trait.analyte,
            unit: trait.source === 'observation' || trait.source === 'lab' ? trait.unit : unitsOfSources[trait.source],
            options: JSON.stringify(trait.options),
            direction: trait.direction,
            low: trait.low,
            high: trait.high,
            target: trait.target,
            weight: trait.weight,
            heritability: trait.heritability,
            from_stage: trait.fromStage,
            to_stage: trait.toStage,
            is_expert: trait.isExpert,
            position: next,
            created_at: now,
          })
          .execute(),
      )
      return readTrait(tx, huntId, id)
    }),
  )
}

/** @throws AppError not_found, forbidden, invalid_input, conflict where somebody changed it, or where values use an option that goes */
export async function changeTrait(ctx: Ctx, actor: Actor, traitId: string, { version, ...change }: TraitChange): Promise<Trait> {
  return inTransaction(ctx.db, async (tx) => {
    const { huntId } = await requireThing(tx, actor, 'traits', traitId, 'write', { lock: 'share' })
    await requireHuntWords(tx, actor, huntId, change)
    await tx.selectFrom('traits').select('id').where('id', '=', traitId).forUpdate().execute()
    const before = await readTrait(tx, huntId, traitId)
    const after: Trait = { ...before, ...given(change) }
    // As when its answer was lost and it comes again.
    if (JSON.stringify(after) === JSON.stringify(before)) return before
    if (before.version !== version) throw changedMeanwhile('trait')
    requireSoundTrait(after)
    await requireOptionsStay(tx, before, after)
    await tx
      .updateTable('traits')
      .set({
        name: after.name,
        unit: after.source === 'observation' || after.source === 'lab' ? after.unit : before.unit,
        options: JSON.stringify(after.options),
        direction: after.direction,
        low: after.low,
        high: after.high,
        target: after.target,
        weight: after.weight,
        heritability: after.heritability,
        from_stage: after.fromStage,
        to_stage: after.toStage,
        is_expert: after.isExpert,
        is_archived: after.isArchived,
        version: version + 1,
      })
      .where('id', '=', traitId)
      .execute()
    return readTrait(tx, huntId, traitId)
  })
}

/** What is not given stays. */
const given = (change: Omit<TraitChange, 'version'>): Partial<Trait> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))

/** A value that was written down must still say something. @throws AppError conflict */
async function requireOptionsStay(tx: Tx, before: Trait, after: Trait): Promise<void> {
  const gone = before.options.filter(({ value }) => !after.options.some((option) => option.value === value))
  if (gone.length === 0) return
  const values = gone.map(({ value }) => value)
  const holds = sql<boolean>`(value_options && ${values}::integer[] or value_number = any(${values}::double precision[]))`
  const used = await tx
    .selectFrom('observations')
    .select('trait_id')
    .where('trait_id', '=', before.id)
    .where(holds)
    .unionAll(tx.selectFrom('panel_scores').select('trait_id').where('trait_id', '=', before.id).where(holds))
    .limit(1)
    .executeTakeFirst()
  if (!used) return
  const [first] = gone
  throw new AppError('conflict', { message: `“${first?.label}” was scored already and has to stay. You can give it another name.` })
}

/** @throws AppError not_found, forbidden */
export async function setWeights(
  ctx: Ctx,
  actor: Actor,
  huntId: string,
  weights: readonly { traitId: string; weight: number }[],
): Promise<Trait[]> {
  return inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'write', { lock: 'update' })
    await sql`
      update traits set weight = given.weight, version = version + 1
      from unnest(${weights.map(({ traitId }) => traitId)}::uuid[], ${weights.map(({ weight }) => weight)}::double precision[])
        as given (id, weight)
      where traits.id = given.id and traits.hunt_id = ${huntId}::uuid and traits.weight is distinct from given.weight`.execute(tx)
    return (await traitRows(tx, huntId)).map(toTrait)
  })
}

/** Those that are not named come after, as they stood. @throws AppError not_found, forbidden */
export async function orderTraits(ctx: Ctx, actor: Actor, huntId: string, traitIds: readonly string[]): Promise<Trait[]> {
  return inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'write', { lock: 'update' })
    await sql`
      update traits set position = ordered.place from (
        select traits.id, row_number() over (order by given.place nulls last, traits.position, traits.id) as place
        from traits left join unnest(${traitIds}::uuid[]) with ordinality as given (id, place) on given.id = traits.id
        where traits.hunt_id = ${huntId}::uuid) as ordered
      where traits.id = ordered.id`.execute(tx)
    return (await traitRows(tx, huntId)).map(toTrait)
  })
}

/** @throws AppError not_found, forbidden, conflict where it has values, also ones that were taken back, or a blind panel asks for it */
export async function deleteTrait(ctx: Ctx, actor: Actor, traitId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await requireThing(tx, actor, 'traits', traitId, 'write', { lock: 'update' })
    const used = await tx
      .selectFrom('traits')
      .select('id')
      .where('id', '=', traitId)
      .where((eb) =>
        eb.or([
          eb.exists(eb.selectFrom('observations').select('observations.id').where('observations.trait_id', '=', traitId)),
          eb.exists(eb.selectFrom('panel_traits').select('panel_traits.trait_id').where('panel_traits.trait_id', '=', traitId)),
        ]),
      )
      .executeTakeFirst()
    if (used)
      throw new AppError('conflict', { message: 'This trait has values. Archive it instead: they stay, and it is asked for no more.' })
    await tx.deleteFrom('traits').where('id', '=', traitId).execute()
  })
}
