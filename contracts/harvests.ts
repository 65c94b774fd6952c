import { Id, line } from './fields.ts'
import { Day } from './hunts.ts'
import * as z from './zod.ts'

const between = (low: number, high: number, unit: string) => {
  const message = `Must be ${low} to ${high.toLocaleString('en-US')} ${unit}`
  return z.nullable(z.number(message).check(z.minimum(low, message), z.maximum(high, message)))
}

const fields = {
  harvestedOn: Day,
  /** From the first day with 12 hours of dark to the harvest. */
  flowerDays: z.nullable(z.int('Must be a whole number').check(z.minimum(0, 'At least 0'), z.maximum(400, 'At most 400'))),
  wetGrams: between(0, 100_000, 'g'),
  dryGrams: between(0, 100_000, 'g'),
  trimGrams: between(0, 100_000, 'g'),
  /** Washed hash as a percentage of the fresh frozen weight. */
  washYieldPercent: between(0, 100, '%'),
  notes: line(2000),
}

export const Harvest = z.object({
  ...fields,
  id: Id,
  huntId: Id,
  plantId: Id,
  genotypeId: Id,
  runId: z.nullable(Id),
  version: z.int(),
})
export type Harvest = z.infer<typeof Harvest>

const given = {
  harvestedOn: fields.harvestedOn,
  flowerDays: z._default(fields.flowerDays, null),
  wetGrams: z._default(fields.wetGrams, null),
  dryGrams: z._default(fields.dryGrams, null),
  trimGrams: z._default(fields.trimGrams, null),
  washYieldPercent: z._default(fields.washYieldPercent, null),
  notes: z._default(fields.notes, ''),
}

export const NewHarvest = z.object({ ...given, id: z.optional(Id), plantId: Id })
export type NewHarvest = z.infer<typeof NewHarvest>

export const HarvestChange = z.extend(z.partial(z.object(fields)), { version: z.int() })
export type HarvestChange = z.infer<typeof HarvestChange>

export const maxHarvestsAtOnce = 200
