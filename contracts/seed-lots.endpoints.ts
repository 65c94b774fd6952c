import { endpoint } from './endpoint.ts'
import { IdParams } from './fields.ts'
import { HuntParams } from './hunts.ts'
import { NewSeedLot, SeedLot, SeedLotChange } from './seed-lots.ts'
import * as z from './zod.ts'

const tag = 'Plants'

export const listSeedLots = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/seed-lots',
  summary: 'List the seed lots of a hunt',
  tag,
  access: 'member',
  params: HuntParams,
  response: z.array(SeedLot),
})

export const createSeedLot = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/seed-lots',
  summary: 'Add a seed lot to a hunt',
  tag,
  access: 'member',
  words: 'mixed',
  params: HuntParams,
  body: NewSeedLot,
  response: SeedLot,
  status: 201,
})

export const changeSeedLot = endpoint({
  method: 'PATCH',
  path: '/api/seed-lots/:id',
  summary: 'Change a seed lot',
  tag,
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: SeedLotChange,
  response: SeedLot,
})

export const deleteSeedLot = endpoint({
  method: 'DELETE',
  path: '/api/seed-lots/:id',
  summary: 'Delete a seed lot; its genotypes stay, without one',
  tag,
  access: 'member',
  params: IdParams,
})
