import { Id, withoutNul } from './fields.ts'
import { GrowthStage } from './grow-logs.ts'
import { Day } from './hunts.ts'
import { maxPlantsAtOnce } from './limits.ts'
import * as z from './zod.ts'

export const Sex = z.enum(['unknown', 'female', 'male', 'intersex'])
export type Sex = z.infer<typeof Sex>

/** A genotype has the outcome of its latest decision that wasn't undone. */
export const Standing = z.enum(['keep', 'retest', 'cull', 'breed'])
export type Standing = z.infer<typeof Standing>

/** `check`: a clone, often from outside the hunt, grown in several runs to compare them; never ranked. */
export const GenotypeKind = z.enum(['seed', 'check'])
export type GenotypeKind = z.infer<typeof GenotypeKind>

export const EndKind = z.enum(['culled', 'harvested', 'died', 'given_away'])
export type EndKind = z.infer<typeof EndKind>

export const genotypeName = (number: number): string => `#${number}`
/** The seed plant has its genotype's name; its second clone is "#7-2". */
export const plantName = (number: number, copy: number): string => (copy === 0 ? `#${number}` : `#${number}-${copy}`)

export const Plant = z.object({
  id: Id,
  genotypeId: Id,
  kind: z.enum(['seed', 'clone']),
  /** 0 is the seed plant; clones count from 1. */
  copy: z.int(),
  name: z.string(),
  /** The eight characters on the plant's label (see `findPlantByCode`). */
  code: z.string(),
  /** The plant that a clone was cut from, if known. */
  cutFromId: z.nullable(Id),
  startedOn: z.nullable(Day),
  cutOn: z.nullable(Day),
  rootedOn: z.nullable(Day),
  isMother: z.boolean(),
  notes: z.string(),
  endedOn: z.nullable(Day),
  endedHow: z.nullable(EndKind),
  endedByDecisionId: z.nullable(Id),
  /** In the plant's current run or, if it has none, in its latest. */
  placement: z.nullable(z.object({ runId: Id, runName: z.string(), row: z.nullable(z.int()), column: z.nullable(z.int()) })),
  /** From the last log that states one, or flower if the run was flipped after that; drying or curing once harvested. Null if unknown. */
  stage: z.nullable(GrowthStage),
  lastLoggedOn: z.nullable(Day),
  version: z.int(),
})
export type Plant = z.infer<typeof Plant>

export const Genotype = z.object({
  id: Id,
  huntId: Id,
  kind: GenotypeKind,
  number: z.int(),
  name: z.string(),
  label: z.string(),
  sex: Sex,
  notes: z.string(),
  seedLotId: z.nullable(Id),
  standing: z.nullable(Standing),
  livingCopies: z.int(),
  /** The seed plant first, then clones by number, including ended ones. */
  plants: z.array(Plant),
  version: z.int(),
})
export type Genotype = z.infer<typeof Genotype>

/** Living plants compared with the limit. Exceeding it is reported but never rejected. */
export const PlantRoom = z.object({
  livingPlants: z.int(),
  plantLimit: z.nullable(z.int()),
  /** 0 if there is no limit. */
  overBy: z.int(),
})
export type PlantRoom = z.infer<typeof PlantRoom>

export const maxGenotypesPerPage = 500

/**
 * To confirm, the person types each genotype that would lose its last living copy ("#7"). Missing or extra ones are rejected with 409
 * `last_copy`, whose `fields` have a sentence for each genotype.
 */
export const ConfirmLastCopies = z._default(
  z.array(z.string().check(z.regex(/^#\d{1,10}$/, 'Enter a number such as #7'))).check(z.maxLength(maxPlantsAtOnce)),
  [],
)

/** As printed on a label. Accepts lowercase, O for 0, and I or L for 1. */
export const PlantCode = z.string().check(z.trim(), z.minLength(1), z.maxLength(40), withoutNul)

export const FoundPlant = z.object({
  huntId: Id,
  huntName: z.string(),
  genotypeId: Id,
  number: z.int(),
  label: z.string(),
  plantId: Id,
  name: z.string(),
  isAlive: z.boolean(),
})
export type FoundPlant = z.infer<typeof FoundPlant>
