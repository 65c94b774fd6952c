import { endpoint } from './endpoint.ts'
import { Id, IdParams, line, page, wholeNumber } from './fields.ts'
import { Day, HuntParams } from './hunts.ts'
import { maxLabResultsAtOnce } from './limits.ts'
import * as z from './zod.ts'

const amount = z.number('Must be a number').check(z.minimum(0, 'At least 0'), z.maximum(1e6, 'Too large'))

const fields = {
  lab: line(120),
  testedOn: Day,
  /** Position of the sample on the plant: “top”, “bottom”. */
  samplePosition: line(60),
  analyte: line(60, 'Enter the analyte'),
  /** Null: below the limit of quantification. */
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

const wholeHunt = z._default(wholeNumber(1, 500), 500)

const tag = 'Lab results'

export const listLabResults = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/lab-results',
  summary: "List a hunt's lab results in the order they were recorded; up to 500 a page",
  tag,
  access: 'member',
  paginated: true,
  params: HuntParams,
  query: z.object({ ...page, limit: wholeHunt }),
  response: z.array(LabResult),
})

export const recordLabResults = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/lab-results',
  summary: 'Record lab results, all or none. Idempotent by ID.',
  tag,
  access: 'member',
  words: 'mixed',
  params: HuntParams,
  body: z.object({
    results: z
      .array(NewLabResult)
      .check(z.minLength(1, 'Add at least one result'), z.maxLength(maxLabResultsAtOnce, 'At most 500 at once')),
  }),
  response: z.array(LabResult),
  status: 201,
})

export const changeLabResult = endpoint({
  method: 'PATCH',
  path: '/api/lab-results/:id',
  summary: 'Correct a lab result',
  tag,
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
  tag,
  access: 'member',
  params: IdParams,
})
