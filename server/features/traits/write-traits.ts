import { sql } from 'kysely'
import { growthStages } from '#contracts/choices.ts'
import {
  maxTraits,
  type NewTrait,
  type Trait,
  type TraitChange,
  type TraitKind,
  type TraitOption,
  type TraitSource,
  traitKindOfSource,
} from '#contracts/traits.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction, retryOn } from '#server/db/transaction.ts'
import { requireHunt, requireHuntWords } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidInput, notFound } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import { changedMeanwhile, requireThing, type TraitRow, traitRows } from './traits.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

export async function listTraits(db: Db, actor: Actor, huntId: string): Promise<Trait[]> {
  await requireHunt(db, actor, huntId, 'view')
  return (await traitRows(db, huntId)).map(toTrait)
}

async function readTrait(db: Db, huntId: string, traitId: string): Promise<Trait> {
  const row = (await traitRows(db, huntId)).find(({ id }) => id === traitId)
  if (!row) throw notFound('Trait not found.')
  return toTrait(row)
}

/**
 * Returns the trait's current state if the ID exists.
 * @throws AppError not_found or forbidden about the hunt, muted, invalid_input, conflict at the limit or for an ID of another hunt,
 * idempotency_mismatch
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
      // Serializes creation, because of the limit and because each trait gets the next position.
      await requireHunt(tx, actor, huntId, 'write', { lock: 'update' })
      await requireHuntWords(tx, actor, huntId, trait)
      const there = await tx.selectFrom('traits').select('hunt_id').where('id', '=', id).executeTakeFirst()
      if (there?.hunt_id === huntId) return readTrait(tx, huntId, id)
      if (there) throw new AppError('conflict', { message: 'This ID belongs to another trait. Use a new one.' })
      const { count, next } = await tx
        .selectFrom('traits')
        .select((eb) => [eb.fn.countAll<number>().as('count'), sql<number>`coalesce(max(position), 0) + 1`.as('next')])
        .where('hunt_id', '=', huntId)
        .executeTakeFirstOrThrow()
      if (count >= maxTraits) {
        throw new AppError('conflict', { message: `A hunt can have up to ${maxTraits} traits. Delete an unused one first.` })
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
            must: trait.must && JSON.stringify(trait.must),
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

/** @throws AppError not_found, forbidden, muted, invalid_input, conflict on a stale version or if recorded values use a removed option */
export async function updateTrait(ctx: Ctx, actor: Actor, traitId: string, { version, ...change }: TraitChange): Promise<Trait> {
  return inTransaction(ctx.db, async (tx) => {
    const { huntId } = await requireThing(tx, actor, 'traits', traitId, 'write', { lock: 'share' })
    await requireHuntWords(tx, actor, huntId, change)
    await tx.selectFrom('traits').select('id').where('id', '=', traitId).forUpdate().execute()
    const before = await readTrait(tx, huntId, traitId)
    const after: Trait = { ...before, ...given(change) }
    // A retry after a lost response has nothing left to change.
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
        must: after.must && JSON.stringify(after.must),
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

const given = (change: Omit<TraitChange, 'version'>): Partial<Trait> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))

/** Recorded values must keep their meaning. */
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
  throw new AppError('conflict', { message: `“${first?.label}” already has scores, so you can’t remove it. You can rename it.` })
}

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

/** Traits not listed follow in their previous order. */
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

/** @throws AppError not_found, forbidden, conflict if the trait has values, including withdrawn ones, or is part of a blind panel */
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
      throw new AppError('conflict', {
        message: 'This trait has values or is in a blind panel. Archive it instead: its values stay, and you won’t be asked for it again.',
      })
    await tx.deleteFrom('traits').where('id', '=', traitId).execute()
  })
}

type Stated = Pick<
  NewTrait & Trait,
  'kind' | 'source' | 'analyte' | 'options' | 'direction' | 'low' | 'high' | 'target' | 'must' | 'fromStage' | 'toStage'
>

const choosesFromOptions = (kind: TraitKind) => kind === 'ordinal' || kind === 'category' || kind === 'checks'
const hasNumbers = (kind: TraitKind) => kind === 'ordinal' || kind === 'number'

/** Checks that a trait's settings are consistent. @throws AppError invalid_input with every invalid field */
function requireSoundTrait(trait: Stated): void {
  const issues: { path: PropertyKey[]; message: string }[] = []
  const issue = (field: keyof Stated, message: string) => issues.push({ path: [field], message })
  const { kind, source, options, direction, low, high, target, must, fromStage, toStage } = trait

  if (source !== 'observation' && kind !== traitKindOfSource) issue('kind', 'Values from logs, dates, harvests and labs are numbers')
  if ((source === 'lab') !== (trait.analyte !== null && trait.analyte !== '')) {
    issue('analyte', source === 'lab' ? 'Enter the analyte as the lab names it' : 'Only a trait from a lab can have an analyte')
  }
  if (choosesFromOptions(kind)) {
    if (options.length < 2) issue('options', kind === 'ordinal' ? 'Add at least two anchors' : 'Add at least two options')
    if (new Set(options.map(({ value }) => value)).size < options.length) issue('options', 'Each option needs its own value')
    if (new Set(options.map(({ label }) => label.toLowerCase())).size < options.length) issue('options', 'Two options are the same')
  } else if (options.length > 0) issue('options', 'Only scales and lists can have options')
  if (direction !== 'none') {
    if (!hasNumbers(kind)) issue('direction', 'Only numbers and scales can be scored')
    if (low === null) issue('low', 'Enter the values for no score and full score')
    if (high === null) issue('high', 'Enter the values for no score and full score')
    if (low !== null && high !== null && low >= high) issue('high', 'Must be above the low end')
    if (direction === 'target') {
      if (target === null) issue('target', 'Enter the best value')
      else if (low !== null && high !== null && (target < low || target > high)) issue('target', 'Must be between the two ends')
    }
  }
  if (must) {
    if (kind === 'photo') issue('must', 'A photo can’t rule out a phenotype')
    if (!hasNumbers(kind) && (must.min !== null || must.max !== null)) issue('must', 'Only numbers and scales can have bounds')
    if (must.min !== null && must.max !== null && must.min > must.max) issue('must', 'The lowest value is above the highest')
    if (must.not.some((value) => hasNumbers(kind) || !options.some((option) => option.value === value)))
      issue('must', 'Choose options from this trait')
  }
  if (fromStage !== null && toStage !== null && growthStages.indexOf(toStage) < growthStages.indexOf(fromStage))
    issue('toStage', 'Must not be before the first stage')
  if (issues.length > 0) throw invalidInput(issues)
}

const unitsOfSources: Record<Exclude<TraitSource, 'observation' | 'lab'>, string> = {
  log_height: 'cm',
  log_rating: '',
  rooting_days: 'days',
  flower_days: 'days',
  wet_weight: 'g',
  dry_weight: 'g',
  wash_yield: '%',
}

const toTrait = (row: TraitRow): Trait => ({
  id: row.id,
  huntId: row.hunt_id,
  name: row.name,
  kind: row.kind as Trait['kind'],
  source: row.source as Trait['source'],
  analyte: row.analyte,
  unit: row.unit,
  options: row.options as TraitOption[],
  direction: row.direction as Trait['direction'],
  low: row.low,
  high: row.high,
  target: row.target,
  weight: row.weight,
  heritability: row.heritability,
  must: row.must as Trait['must'],
  fromStage: row.from_stage as Trait['fromStage'],
  toStage: row.to_stage as Trait['toStage'],
  isExpert: row.is_expert,
  position: row.position,
  isArchived: row.is_archived,
  valuesCount: row.values_count,
  version: row.version,
})
