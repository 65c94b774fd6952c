import { figure, Id, line } from './fields.ts'
import { GrowthStage } from './grow-logs.ts'
import { Day } from './hunts.ts'
import { maxTraitOptions } from './limits.ts'
import * as z from './zod.ts'

export const TraitKind = z.enum(['ordinal', 'number', 'date', 'category', 'checks', 'photo'])
export type TraitKind = z.infer<typeof TraitKind>

/**
 * Where a trait's values come from. `observation` values are recorded for the trait itself, or by testers in closed blind panels.
 * `rooting_days` counts the days from when a clone was cut until it rooted; a recorded value replaces the calculated one. All others are
 * derived from logs (the last height, every rating), harvests and lab results.
 */
export const TraitSource = z.enum([
  'observation',
  'log_height',
  'log_rating',
  'rooting_days',
  'flower_days',
  'wet_weight',
  'dry_weight',
  'wash_yield',
  'lab',
])
export type TraitSource = z.infer<typeof TraitSource>

/** All sources except observations are numeric. */
export const traitKindOfSource = 'number' satisfies TraitKind

/** `none`: shown, but not part of a score. */
export const TraitDirection = z.enum(['none', 'max', 'min', 'target'])
export type TraitDirection = z.infer<typeof TraitDirection>

export const maxTraits = 100

const finite = z.number('Must be a number').check(z.minimum(-1e9, 'Too small'), z.maximum(1e9, 'Too large'))

export const OptionValue = z.int().check(z.minimum(-1_000_000, 'Too small'), z.maximum(1_000_000, 'Too large'))

/** For an ordinal trait, a number with its anchor label. For a category or checklist, a label whose value is its position. */
export const TraitOption = z.object({ value: OptionValue, label: line(80, 'Enter a label') })
export type TraitOption = z.infer<typeof TraitOption>

/** A phenotype is ruled out by one current value that is outside the bounds or among the options in `not`, or by any date. */
export const TraitMust = z.object({
  min: z.nullable(finite),
  max: z.nullable(finite),
  not: z.array(OptionValue).check(z.maxLength(maxTraitOptions)),
})
export type TraitMust = z.infer<typeof TraitMust>

export const traitFields = {
  name: line(80, 'Enter a name'),
  unit: line(20),
  options: z.array(TraitOption).check(z.maxLength(maxTraitOptions, `At most ${maxTraitOptions} options`)),
  direction: TraitDirection,
  /** Desirability is 0 at one bound and 1 at the other, or 1 at a `target` between them. Null if not scored. */
  low: z.nullable(finite),
  high: z.nullable(finite),
  target: z.nullable(finite),
  /** The trait's share of the score is its weight divided by the sum of all weights. */
  weight: z.number('Must be a number').check(z.minimum(0, 'At least 0'), z.maximum(100, 'At most 100')),
  /** The grower's estimate for a single plant, which counts as a prior guess alongside the data. Null uses the default. */
  heritability: z.nullable(z.number('Must be a number').check(z.gt(0, 'More than 0'), z.lt(1, 'Less than 1'))),
  must: z.nullable(TraitMust),
  /** The stages in which the trait is observed. Null means unbounded. */
  fromStage: z.nullable(GrowthStage),
  toStage: z.nullable(GrowthStage),
  isExpert: z.boolean(),
}

export const Trait = z.object({
  ...traitFields,
  id: Id,
  huntId: Id,
  kind: TraitKind,
  source: TraitSource,
  analyte: z.nullable(z.string()),
  position: z.int(),
  isArchived: z.boolean(),
  valuesCount: z.int(),
  version: z.int(),
})
export type Trait = z.infer<typeof Trait>

export const NewTrait = z.object({
  /** A UUIDv7 from the client. Repeating it returns the same trait. */
  id: z.optional(Id),
  name: traitFields.name,
  kind: TraitKind,
  source: z._default(TraitSource, 'observation'),
  analyte: z._default(z.nullable(line(60, 'Enter the analyte')), null),
  unit: z._default(traitFields.unit, ''),
  options: z._default(traitFields.options, []),
  direction: z._default(TraitDirection, 'none'),
  low: z._default(traitFields.low, null),
  high: z._default(traitFields.high, null),
  target: z._default(traitFields.target, null),
  weight: z._default(traitFields.weight, 0),
  heritability: z._default(traitFields.heritability, null),
  must: z._default(traitFields.must, null),
  fromStage: z._default(traitFields.fromStage, null),
  toStage: z._default(traitFields.toStage, null),
  isExpert: z._default(z.boolean(), false),
})
export type NewTrait = z.infer<typeof NewTrait>

/** Kind, source and analyte can't change, because existing values would lose their meaning. */
export const TraitChange = z.extend(z.partial(z.object({ ...traitFields, isArchived: z.boolean() })), { version: z.int() })
export type TraitChange = z.infer<typeof TraitChange>

const between = (low: number, high: number, unit: string) => {
  const message = `Must be ${low} to ${figure(high)} ${unit}`
  return z.nullable(z.number(message).check(z.minimum(low, message), z.maximum(high, message)))
}

const harvestFields = {
  harvestedOn: Day,
  /** From the first day with 12 hours of darkness to the harvest. */
  flowerDays: z.nullable(z.int('Must be a whole number').check(z.minimum(0, 'At least 0'), z.maximum(400, 'At most 400'))),
  wetGrams: between(0, 100_000, 'g'),
  dryGrams: between(0, 100_000, 'g'),
  trimGrams: between(0, 100_000, 'g'),
  /** Washed hash as a percentage of the fresh frozen weight. */
  washYieldPercent: between(0, 100, '%'),
  notes: line(2000),
}

export const Harvest = z.object({
  ...harvestFields,
  id: Id,
  huntId: Id,
  plantId: Id,
  genotypeId: Id,
  runId: z.nullable(Id),
  version: z.int(),
})
export type Harvest = z.infer<typeof Harvest>

const givenHarvest = {
  harvestedOn: harvestFields.harvestedOn,
  flowerDays: z._default(harvestFields.flowerDays, null),
  wetGrams: z._default(harvestFields.wetGrams, null),
  dryGrams: z._default(harvestFields.dryGrams, null),
  trimGrams: z._default(harvestFields.trimGrams, null),
  washYieldPercent: z._default(harvestFields.washYieldPercent, null),
  notes: z._default(harvestFields.notes, ''),
}

export const NewHarvest = z.object({ ...givenHarvest, id: z.optional(Id), plantId: Id })
export type NewHarvest = z.infer<typeof NewHarvest>

export const HarvestChange = z.extend(z.partial(z.object(harvestFields)), { version: z.int() })
export type HarvestChange = z.infer<typeof HarvestChange>
