import { endpoint } from './endpoint.ts'
import { Id, IdParams, line } from './fields.ts'
import { HuntParams, maxSeeds } from './hunts.ts'
import * as z from './zod.ts'

const SeedType = z.enum(['regular', 'feminized', 'auto'])

export const SeedLot = z.object({
  id: Id,
  huntId: Id,
  /** Strain names, as stated. */
  mother: z.string(),
  father: z.string(),
  /** Set if the parent is a genotype of this hunt. */
  motherGenotypeId: z.nullable(Id),
  fatherGenotypeId: z.nullable(Id),
  isSelfed: z.boolean(),
  /** F1, F2, S1, BX1, IBL, and so on. */
  generation: z.string(),
  breeder: z.string(),
  seedType: SeedType,
  /** As stated. */
  seedCount: z.int(),
  source: z.string(),
  /** Genotypes grown from it. */
  genotypeCount: z.int(),
  version: z.int(),
})
export type SeedLot = z.infer<typeof SeedLot>

/** Lots per hunt, returned in one response. */
export const maxSeedLots = 200

const fields = {
  mother: line(120),
  father: line(120),
  motherGenotypeId: z.nullable(Id),
  fatherGenotypeId: z.nullable(Id),
  isSelfed: z.boolean(),
  generation: line(20),
  breeder: line(80),
  seedType: SeedType,
  seedCount: z.int('Must be a whole number').check(z.minimum(0, 'At least 0'), z.maximum(maxSeeds, 'At most 10,000')),
  source: line(200),
}

export const NewSeedLot = z.object({
  /** A UUIDv7 from the client, for idempotency. */
  id: z.optional(Id),
  mother: z._default(fields.mother, ''),
  father: z._default(fields.father, ''),
  motherGenotypeId: z._default(fields.motherGenotypeId, null),
  fatherGenotypeId: z._default(fields.fatherGenotypeId, null),
  isSelfed: z._default(fields.isSelfed, false),
  generation: z._default(fields.generation, ''),
  breeder: z._default(fields.breeder, ''),
  seedType: z._default(fields.seedType, 'regular'),
  seedCount: z._default(fields.seedCount, 0),
  source: z._default(fields.source, ''),
})
export type NewSeedLot = z.infer<typeof NewSeedLot>

export const SeedLotChange = z.extend(z.partial(z.object(fields)), { version: z.int() })
export type SeedLotChange = z.infer<typeof SeedLotChange>

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
