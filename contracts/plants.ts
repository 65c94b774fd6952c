import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { GrowthStage } from './grow-logs.ts'
import { Day, HuntParams } from './hunts.ts'
import { Id, IdParams } from './ids.ts'
import { numeric, wholeNumber } from './pagination.ts'
import { line, withoutNul } from './text.ts'

export const Sex = z.enum(['unknown', 'female', 'male', 'intersex'])
export type Sex = z.infer<typeof Sex>

/** A decision's outcome. A genotype's standing is that of its latest decision that wasn't undone. */
export const Standing = z.enum(['keep', 'retest', 'cull', 'breed'])
export type Standing = z.infer<typeof Standing>

export const EndKind = z.enum(['culled', 'harvested', 'died', 'given_away'])
export type EndKind = z.infer<typeof EndKind>

export const genotypeName = (number: number): string => `#${number}`
/** The seed plant has its genotype's name; its second clone is "#7-2". */
export const plantName = (number: number, copy: number): string => (copy === 0 ? `#${number}` : `#${number}-${copy}`)

export const Plant = z.object({
  id: Id,
  genotypeId: Id,
  kind: z.enum(['seed', 'clone']),
  /** Number within its genotype: 0 is the seed plant, clones count from 1. */
  copy: z.int(),
  /** "#7", or "#7-2" for its second clone. */
  name: z.string(),
  /** The eight-character code on its label (see `findPlantByCode`). */
  code: z.string(),
  /** For a clone, the plant it was cut from, if known. */
  cutFromId: z.nullable(Id),
  startedOn: z.nullable(Day),
  cutOn: z.nullable(Day),
  rootedOn: z.nullable(Day),
  isMother: z.boolean(),
  notes: z.string(),
  /** Null while it is alive. */
  endedOn: z.nullable(Day),
  endedHow: z.nullable(EndKind),
  endedByDecisionId: z.nullable(Id),
  /** Its place in its latest run; a current run takes precedence. */
  placement: z.nullable(z.object({ runId: Id, runName: z.string(), row: z.nullable(z.int()), column: z.nullable(z.int()) })),
  /** From its last log, or flower if its run was flipped after that. Null if unknown. */
  stage: z.nullable(GrowthStage),
  lastLoggedOn: z.nullable(Day),
  version: z.int(),
})
export type Plant = z.infer<typeof Plant>

/** One seed, with its plant and all clones. */
export const Genotype = z.object({
  id: Id,
  huntId: Id,
  number: z.int(),
  /** "#7" */
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
  /** Plants above the limit; 0 if there is no limit. */
  overBy: z.int(),
})
export type PlantRoom = z.infer<typeof PlantRoom>

export const maxGenotypesPerPage = 500
/** Seeds, clones or plants per call. */
export const maxAtOnce = 1000

const tag = 'Plants'
const Ids = z.array(Id).check(z.minLength(1, 'Choose at least one'), z.maxLength(maxAtOnce, `At most ${maxAtOnce} at once`))

export const listGenotypes = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/genotypes',
  summary: "List a hunt's genotypes by number, each with all its plants; up to 500 a page",
  tag,
  access: 'member',
  paginated: true,
  params: HuntParams,
  query: z.object({
    limit: z._default(wholeNumber(1, maxGenotypesPerPage), maxGenotypesPerPage),
    cursor: z.optional(z.string().check(z.maxLength(500), withoutNul)),
  }),
  response: z.array(Genotype),
})

export const getGenotype = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/genotypes/:number',
  summary: 'Read a genotype with all its plants',
  tag,
  access: 'member',
  params: z.object({ id: Id, number: numeric(z.int().check(z.minimum(1), z.maximum(2_000_000_000))) }),
  response: Genotype,
})

export const addSeeds = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/seeds',
  summary: 'Add more seeds, each as a genotype with its plant',
  tag,
  access: 'member',
  idempotent: true,
  params: HuntParams,
  body: z.object({
    count: z.int('Must be a whole number').check(z.minimum(1, 'At least 1'), z.maximum(maxAtOnce, `At most ${maxAtOnce} at once`)),
    seedLotId: z._default(z.nullable(Id), null),
    startedOn: z._default(z.nullable(Day), null),
  }),
  response: z.object({ genotypes: z.array(Genotype), room: PlantRoom }),
  status: 201,
})

export const addClones = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/clones',
  summary: 'Cut clones of one plant or of many genotypes at once',
  tag,
  access: 'member',
  idempotent: true,
  params: HuntParams,
  body: z.object({
    cuts: z
      .array(
        z.object({
          genotypeId: Id,
          /** Null: its mother plant, otherwise the seed plant, otherwise the first living one. */
          fromPlantId: z._default(z.nullable(Id), null),
          count: z.int('Must be a whole number').check(z.minimum(1, 'At least 1'), z.maximum(100, 'At most 100')),
        }),
      )
      .check(z.minLength(1, 'Choose at least one'), z.maxLength(maxAtOnce, `At most ${maxAtOnce} at once`)),
    /** Defaults to today. */
    cutOn: z.optional(Day),
    rootedOn: z._default(z.nullable(Day), null),
  }),
  response: z.object({ plants: z.array(Plant), room: PlantRoom }),
  status: 201,
})

export const changeGenotype = endpoint({
  method: 'PATCH',
  path: '/api/genotypes/:id',
  summary: 'Change the label, sex, notes or seed lot of a genotype',
  tag,
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: z.object({
    label: z.optional(line(80)),
    sex: z.optional(Sex),
    /** When the sex was observed; defaults to today. */
    sexedOn: z.optional(Day),
    notes: z.optional(line(5000)),
    seedLotId: z.optional(z.nullable(Id)),
    version: z.int(),
  }),
  response: Genotype,
})

export const sexGenotypes = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/sexes',
  summary: 'Set the sex of many genotypes at once',
  tag,
  access: 'member',
  params: HuntParams,
  body: z.object({ genotypeIds: Ids, sex: Sex, sexedOn: z.optional(Day) }),
  response: z.array(Genotype),
})

const dates = {
  startedOn: z.optional(z.nullable(Day)),
  /** Only for clones. */
  cutOn: z.optional(z.nullable(Day)),
  rootedOn: z.optional(z.nullable(Day)),
  isMother: z.optional(z.boolean()),
}

export const changePlant = endpoint({
  method: 'PATCH',
  path: '/api/plants/:id',
  summary: 'Change the dates and notes of a plant, and whether it is a mother',
  tag,
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: z.object({ ...dates, notes: z.optional(line(5000)), version: z.int() }),
  response: Plant,
})

export const changePlants = endpoint({
  method: 'PATCH',
  path: '/api/pheno-hunts/:id/plants',
  summary: 'Set the same dates for many plants',
  tag,
  access: 'member',
  params: HuntParams,
  body: z.object({ plantIds: Ids, ...dates }),
  response: z.array(Plant),
})

/**
 * Exactly the genotypes that lose their last living copy, each as "#7", typed as a confirmation. Missing or extra ones are rejected with
 * 409 `last_copy`, whose `fields` have a sentence per genotype ("#7").
 */
export const ConfirmLastCopies = z._default(
  z.array(z.string().check(z.regex(/^#\d{1,10}$/, 'Must be like #7'))).check(z.maxLength(maxAtOnce)),
  [],
)

export const endPlants = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/plants/end',
  summary: 'End plants. Ending a last living copy needs confirmation, except for a death. Idempotent.',
  tag,
  access: 'member',
  idempotent: true,
  params: HuntParams,
  body: z.object({
    plantIds: Ids,
    endedHow: EndKind,
    /** Defaults to today. */
    endedOn: z.optional(Day),
    confirmLastCopies: ConfirmLastCopies,
  }),
  response: z.array(Plant),
})

export const revivePlants = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/plants/revive',
  summary: 'Bring plants back to life. Idempotent.',
  tag,
  access: 'member',
  params: HuntParams,
  body: z.object({ plantIds: Ids }),
  response: z.object({ plants: z.array(Plant), room: PlantRoom }),
})

/** As printed on a label. Accepts lowercase, O for 0, and I or L for 1. */
export const PlantCode = z.string().check(z.trim(), z.minLength(1), z.maxLength(40), withoutNul)

export const FoundPlant = z.object({
  huntId: Id,
  huntName: z.string(),
  genotypeId: Id,
  number: z.int(),
  label: z.string(),
  plantId: Id,
  /** "#7-2" */
  name: z.string(),
  isAlive: z.boolean(),
})
export type FoundPlant = z.infer<typeof FoundPlant>

export const findPlantByCode = endpoint({
  method: 'GET',
  path: '/api/plant-codes/:code',
  summary: 'Read the plant of a scanned label; 404 unless you can see its hunt',
  tag,
  access: 'member',
  params: z.object({ code: PlantCode }),
  response: FoundPlant,
})
