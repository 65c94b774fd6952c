import { endpoint } from './endpoint.ts'
import { Id, IdParams, line } from './fields.ts'
import { HuntParams, maxSeeds } from './hunts.ts'
import { Standing } from './plants.ts'
import * as z from './zod.ts'

const SeedType = z.enum(['regular', 'feminized', 'auto'])

const ParentElsewhere = z.object({ huntId: Id, huntName: z.string(), number: z.int(), label: z.string() })
export type ParentElsewhere = z.infer<typeof ParentElsewhere>

export const SeedLot = z.object({
  id: Id,
  huntId: Id,
  /** Strain names as entered. */
  mother: z.string(),
  father: z.string(),
  /** Set if the parent is a genotype in this hunt, or in another one that the viewer may see. */
  motherGenotypeId: z.nullable(Id),
  fatherGenotypeId: z.nullable(Id),
  motherElsewhere: z.nullable(ParentElsewhere),
  fatherElsewhere: z.nullable(ParentElsewhere),
  isSelfed: z.boolean(),
  /** F1, F2, S1, BX1, IBL, and so on. */
  generation: z.string(),
  breeder: z.string(),
  seedType: SeedType,
  /** As entered. */
  seedCount: z.int(),
  source: z.string(),
  genotypeCount: z.int(),
  version: z.int(),
})
export type SeedLot = z.infer<typeof SeedLot>

/** Per hunt. One response contains them all. */
export const maxSeedLots = 200

/** Generations in each direction. */
export const maxLineageDepth = 8
export const maxLineagePhenos = 300

/** A phenotype in another one's lineage, possibly in another hunt. */
const LineagePheno = z.object({
  genotypeId: Id,
  huntId: Id,
  huntName: z.string(),
  number: z.int(),
  label: z.string(),
  standing: z.nullable(Standing),
  livingCopies: z.int(),
  isMother: z.boolean(),
  /** The phenotype's seed lot; null if it isn't in `lots`. */
  lotId: z.nullable(Id),
})
export type LineagePheno = z.infer<typeof LineagePheno>

const LineageLot = z.extend(z.pick(SeedLot, { id: true, huntId: true, mother: true, father: true, isSelfed: true, generation: true }), {
  huntName: z.string(),
  /** The parents' IDs in `phenos`. Null if the parent isn't a phenotype that the viewer may see. */
  motherId: z.nullable(Id),
  fatherId: z.nullable(Id),
  /** All phenotypes grown from the lot. `phenos` lists only those that were kept, have a mother plant or were crossed again. */
  phenoCount: z.int(),
})
export type LineageLot = z.infer<typeof LineageLot>

export const Lineage = z.object({
  phenos: z.array(LineagePheno),
  lots: z.array(LineageLot),
  /** False if the lineage exceeds the limit of generations or phenotypes. */
  isComplete: z.boolean(),
})
export type Lineage = z.infer<typeof Lineage>

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
  summary: "List a hunt's seed lots",
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

export const updateSeedLot = endpoint({
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
  summary: 'Delete a seed lot but keep its genotypes',
  tag,
  access: 'member',
  params: IdParams,
})

export const getLineage = endpoint({
  method: 'GET',
  path: '/api/genotypes/:id/lineage',
  summary: 'Read the ancestors and descendants of a phenotype across all hunts you can see',
  tag,
  access: 'member',
  params: IdParams,
  response: Lineage,
})
