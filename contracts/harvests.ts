import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Day, HuntParams } from './hunts.ts'
import { Id, IdParams } from './ids.ts'
import { page, wholeNumber } from './pagination.ts'
import { line } from './text.ts'

const between = (low: number, high: number, unit: string) => {
  const message = `Must be ${low} to ${high.toLocaleString('en-US')} ${unit}`
  return z.nullable(z.number(message).check(z.minimum(low, message), z.maximum(high, message)))
}

const fields = {
  harvestedOn: Day,
  /** From the first day of 12 hours of dark to the cut. */
  flowerDays: z.nullable(z.int('Must be a whole number').check(z.minimum(0, 'At least 0'), z.maximum(400, 'At most 400'))),
  wetGrams: between(0, 100_000, 'g'),
  dryGrams: between(0, 100_000, 'g'),
  trimGrams: between(0, 100_000, 'g'),
  /** Hash washed, of the fresh frozen weight. */
  washYieldPercent: between(0, 100, '%'),
  notes: line(2000),
}

/** What one plant gave. */
export const Harvest = z.object({
  ...fields,
  id: Id,
  huntId: Id,
  plantId: Id,
  genotypeId: Id,
  /** Where it stood. */
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
/** Of one page: a hunt's plants at once. */
const wholeHunt = z._default(wholeNumber(1, 500), 500)

const tag = 'Harvests'

export const listHarvests = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/harvests',
  summary: 'What the plants of a hunt gave, in the order in which it was written down; up to 500 a page',
  tag,
  access: 'member',
  paginated: true,
  params: HuntParams,
  query: z.object({ ...page, limit: wholeHunt }),
  response: z.array(Harvest),
})

export const recordHarvests = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/harvests',
  summary: 'Write down what plants gave, all or none; one harvest a plant, and the same again changes nothing',
  tag,
  access: 'member',
  words: 'mixed',
  params: HuntParams,
  body: z.object({
    harvests: z.array(NewHarvest).check(z.minLength(1, 'Nothing was harvested'), z.maxLength(maxHarvestsAtOnce, 'At most 200 at once')),
  }),
  response: z.array(Harvest),
  status: 201,
})

export const changeHarvest = endpoint({
  method: 'PATCH',
  path: '/api/harvests/:id',
  summary: 'Correct a harvest; what is not given stays',
  tag,
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: HarvestChange,
  response: Harvest,
})

export const deleteHarvest = endpoint({
  method: 'DELETE',
  path: '/api/harvests/:id',
  summary: 'Take out a harvest that never was',
  tag,
  access: 'member',
  params: IdParams,
})
