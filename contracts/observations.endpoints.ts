import { endpoint } from './endpoint.ts'
import { Id, IdParams, page } from './fields.ts'
import { HuntParams } from './hunts.ts'
import { maxObservationsAtOnce } from './limits.ts'
import { NewObservation, Observation, TraitRecords } from './observations.ts'
import * as z from './zod.ts'

const tag = 'Traits'

export const recordObservations = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/observations',
  summary: 'Record up to 500 observations, all or none; errors name the row by its index',
  tag,
  access: 'member',
  words: 'mixed',
  params: HuntParams,
  body: z.object({
    observations: z
      .array(NewObservation)
      .check(
        z.minLength(1, 'Add at least one observation'),
        z.maxLength(maxObservationsAtOnce, `At most ${maxObservationsAtOnce} at once`),
      ),
  }),
  response: z.array(Observation),
  status: 201,
})

export const listObservations = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/observations',
  summary: 'List the observations of a plant or a trait, the newest day first, including corrected ones',
  tag,
  access: 'member',
  paginated: true,
  params: HuntParams,
  query: z.object({ ...page, traitId: z.optional(Id), plantId: z.optional(Id), genotypeId: z.optional(Id) }),
  response: z.array(Observation),
})

export const getObservation = endpoint({
  method: 'GET',
  path: '/api/observations/:id',
  summary: 'Read an observation and its corrections',
  tag,
  access: 'member',
  params: IdParams,
  response: z.object({ observation: Observation, correctedBy: z.nullable(Observation) }),
})

export const getTraitRecords = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/trait-records',
  summary: 'List every current value of all plants and traits of a hunt, for score tables and rankings',
  tag,
  access: 'member',
  params: HuntParams,
  response: TraitRecords,
})
