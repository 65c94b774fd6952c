import { endpoint } from './endpoint.ts'
import { IdParams, page, wholeNumber } from './fields.ts'
import { HuntParams } from './hunts.ts'
import { LabResult, LabResultChange, NewLabResult } from './lab-results.ts'
import { maxLabResultsAtOnce } from './limits.ts'
import * as z from './zod.ts'

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
  summary: 'Record lab results, all or none. Idempotent by id.',
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
