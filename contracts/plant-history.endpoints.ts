import { endpoint } from './endpoint.ts'
import { IdParams, page } from './fields.ts'
import { HistoryEntry } from './plant-history.ts'
import * as z from './zod.ts'

const tag = 'Plants'

export const listGenotypeHistory = endpoint({
  method: 'GET',
  path: '/api/genotypes/:id/history',
  summary: 'List everything that happened to a genotype and its plants, by day, the last first',
  tag,
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object(page),
  response: z.array(HistoryEntry),
})

export const listPlantHistory = endpoint({
  method: 'GET',
  path: '/api/plants/:id/history',
  summary: 'List everything that happened to one plant, the last day first',
  tag,
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object(page),
  response: z.array(HistoryEntry),
})
