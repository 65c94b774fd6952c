import { endpoint } from './endpoint.ts'
import { IdParams, page, wholeNumber } from './fields.ts'
import { Harvest, HarvestChange, maxHarvestsAtOnce, NewHarvest } from './harvests.ts'
import { HuntParams } from './hunts.ts'
import * as z from './zod.ts'

/** All plants of a hunt fit on one page. */
const wholeHunt = z._default(wholeNumber(1, 500), 500)

const tag = 'Harvests'

export const listHarvests = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/harvests',
  summary: "List a hunt's harvests in the order they were recorded; up to 500 a page",
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
  summary: 'Record harvests, all or none; one per plant. Idempotent.',
  tag,
  access: 'member',
  words: 'mixed',
  params: HuntParams,
  body: z.object({
    harvests: z.array(NewHarvest).check(z.minLength(1, 'Add at least one harvest'), z.maxLength(maxHarvestsAtOnce, 'At most 200 at once')),
  }),
  response: z.array(Harvest),
  status: 201,
})

export const changeHarvest = endpoint({
  method: 'PATCH',
  path: '/api/harvests/:id',
  summary: 'Correct a harvest',
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
  summary: 'Delete a harvest that was recorded by mistake',
  tag,
  access: 'member',
  params: IdParams,
})
