import { endpoint } from './endpoint.ts'
import { Id, IdParams, line, page, wholeNumber } from './fields.ts'
import { Day, HuntParams } from './hunts.ts'
import { maxHarvestsAtOnce, maxLabResultsAtOnce } from './limits.ts'
import { ConfirmLastCopies } from './plants.ts'
import { Harvest, HarvestChange, maxTraits, NewHarvest, NewTrait, Trait, TraitChange, traitFields } from './traits.ts'
import * as z from './zod.ts'

const tag = 'Traits'

/** The plants of most hunts fit on one page. */
const wholeHunt = z._default(wholeNumber(1, 500), 500)

export const listTraits = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/traits',
  summary: "List up to 100 of a hunt's traits in order, including archived ones",
  tag,
  access: 'member',
  params: HuntParams,
  response: z.array(Trait),
})

export const createTrait = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/traits',
  summary: 'Add a trait to measure',
  tag,
  access: 'member',
  words: 'mixed',
  idempotent: true,
  params: HuntParams,
  body: NewTrait,
  response: Trait,
  status: 201,
})

export const updateTrait = endpoint({
  method: 'PATCH',
  path: '/api/traits/:id',
  summary: 'Change a trait',
  tag,
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: TraitChange,
  response: Trait,
})

export const setWeights = endpoint({
  method: 'PUT',
  path: '/api/pheno-hunts/:id/weights',
  summary: 'Save the weights of several traits',
  tag,
  access: 'member',
  params: HuntParams,
  body: z.object({ weights: z.array(z.object({ traitId: Id, weight: traitFields.weight })).check(z.maxLength(maxTraits)) }),
  response: z.array(Trait),
})

export const orderTraits = endpoint({
  method: 'PUT',
  path: '/api/pheno-hunts/:id/trait-order',
  summary: 'Reorder the traits; those you leave out come last',
  tag,
  access: 'member',
  params: HuntParams,
  body: z.object({ traitIds: z.array(Id).check(z.maxLength(maxTraits)) }),
  response: z.array(Trait),
})

export const deleteTrait = endpoint({
  method: 'DELETE',
  path: '/api/traits/:id',
  summary: 'Delete a trait. Returns 409 if it has values; archive it instead.',
  tag,
  access: 'member',
  params: IdParams,
})

export const listHarvests = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/harvests',
  summary: "List a hunt's harvests in the order they were recorded; up to 500 a page",
  tag: 'Harvests',
  access: 'member',
  paginated: true,
  params: HuntParams,
  query: z.object({ ...page, limit: wholeHunt }),
  response: z.array(Harvest),
})

export const getHarvest = endpoint({
  method: 'GET',
  path: '/api/harvests/:id',
  summary: 'Get a harvest',
  tag: 'Harvests',
  access: 'member',
  params: IdParams,
  response: Harvest,
})

export const recordHarvests = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/harvests',
  summary: 'Record harvests, all or nothing, one for each plant. Ends the plants unless `endsPlants` is false. Idempotent.',
  tag: 'Harvests',
  access: 'member',
  words: 'mixed',
  params: HuntParams,
  body: z.object({
    harvests: z.array(NewHarvest).check(z.minLength(1, 'Add at least one harvest'), z.maxLength(maxHarvestsAtOnce, 'At most 200 at once')),
    /** Whether living plants end on the day of their harvest. False for plants that are regrown. */
    endsPlants: z._default(z.boolean(), true),
    confirmLastCopies: ConfirmLastCopies,
  }),
  response: z.array(Harvest),
  status: 201,
})

export const updateHarvest = endpoint({
  method: 'PATCH',
  path: '/api/harvests/:id',
  summary: 'Correct a harvest',
  tag: 'Harvests',
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: HarvestChange,
  response: Harvest,
})

export const deleteHarvest = endpoint({
  method: 'DELETE',
  path: '/api/harvests/:id',
  summary: 'Delete a harvest that was recorded by mistake; the plant that it ended is alive again',
  tag: 'Harvests',
  access: 'member',
  params: IdParams,
})

const amount = z.number('Must be a number').check(z.minimum(0, 'At least 0'), z.maximum(1e6, 'Too large'))

const fields = {
  lab: line(120),
  testedOn: Day,
  /** Where on the plant the sample was taken, such as “top” or “bottom”. */
  samplePosition: line(60),
  analyte: line(60, 'Enter the analyte'),
  /** Null if below the limit of quantification. At most 100 if the unit is %. */
  value: z.nullable(amount),
  unit: line(20),
  quantificationLimit: z.nullable(amount),
}

export const LabResult = z.object({ ...fields, id: Id, huntId: Id, plantId: Id, genotypeId: Id, version: z.int() })
export type LabResult = z.infer<typeof LabResult>

export const NewLabResult = z.object({
  id: z.optional(Id),
  plantId: Id,
  lab: z._default(fields.lab, ''),
  testedOn: fields.testedOn,
  samplePosition: z._default(fields.samplePosition, ''),
  analyte: fields.analyte,
  value: fields.value,
  unit: z._default(fields.unit, '%'),
  quantificationLimit: z._default(fields.quantificationLimit, null),
})
export type NewLabResult = z.infer<typeof NewLabResult>

export const LabResultChange = z.extend(z.partial(z.object(fields)), { version: z.int() })
export type LabResultChange = z.infer<typeof LabResultChange>

export const listLabResults = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/lab-results',
  summary: "List a hunt's lab results in the order they were recorded; up to 500 a page",
  tag: 'Lab results',
  access: 'member',
  paginated: true,
  params: HuntParams,
  query: z.object({ ...page, limit: wholeHunt }),
  response: z.array(LabResult),
})

export const recordLabResults = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/lab-results',
  summary: 'Record lab results, all or nothing, which may replace those of the same sample. Idempotent by ID.',
  tag: 'Lab results',
  access: 'member',
  words: 'mixed',
  params: HuntParams,
  body: z.object({
    results: z
      .array(NewLabResult)
      .check(z.minLength(1, 'Add at least one result'), z.maxLength(maxLabResultsAtOnce, 'At most 500 at once')),
    /**
     * What happens to earlier results for the same plant, day, lab, sample position and analyte. `replace` deletes them; `add` keeps them,
     * and the plant's value is the mean.
     */
    sameSample: z._default(z.enum(['add', 'replace']), 'add'),
  }),
  response: z.array(LabResult),
  status: 201,
})

export const deleteLabResults = endpoint({
  method: 'DELETE',
  path: '/api/pheno-hunts/:id/lab-results',
  summary: "Delete some of a hunt's lab results, for example to undo an import. Unknown IDs are ignored. Idempotent.",
  tag: 'Lab results',
  access: 'member',
  params: HuntParams,
  body: z.object({
    ids: z.array(Id).check(z.minLength(1, 'Send the IDs of the results'), z.maxLength(maxLabResultsAtOnce, 'At most 500 at once')),
  }),
})

export const updateLabResult = endpoint({
  method: 'PATCH',
  path: '/api/lab-results/:id',
  summary: 'Correct a lab result',
  tag: 'Lab results',
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: LabResultChange,
  response: LabResult,
})

export const deleteLabResult = endpoint({
  method: 'DELETE',
  path: '/api/lab-results/:id',
  summary: 'Delete a lab result that was recorded by mistake',
  tag: 'Lab results',
  access: 'member',
  params: IdParams,
})
