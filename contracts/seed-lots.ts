import { Id, line } from './fields.ts'
import { maxSeeds } from './hunts.ts'
import * as z from './zod.ts'

export const SeedType = z.enum(['regular', 'feminized', 'auto'])
export type SeedType = z.infer<typeof SeedType>

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
