import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { GrowthStage } from './grow-logs.ts'
import { Day, HuntParams } from './hunts.ts'
import { Id, IdParams } from './ids.ts'
import { numeric, wholeNumber } from './pagination.ts'
import { line, withoutNul } from './text.ts'

export const Sex = z.enum(['unknown', 'female', 'male', 'intersex'])
export type Sex = z.infer<typeof Sex>

/** What a decision says; that of the last one which was not undone is where a genotype stands. */
export const Standing = z.enum(['keep', 'retest', 'cull', 'breed'])
export type Standing = z.infer<typeof Standing>

export const EndKind = z.enum(['culled', 'harvested', 'died', 'given_away'])
export type EndKind = z.infer<typeof EndKind>

export const genotypeName = (number: number): string => `#${number}`
/** The seed's own plant is called as its genotype is; its second clone is "#7-2". */
export const plantName = (number: number, copy: number): string => (copy === 0 ? `#${number}` : `#${number}-${copy}`)

/** The plant of a seed, or a clone of it. */
export const Plant = z.object({
  id: Id,
  genotypeId: Id,
  kind: z.enum(['seed', 'clone']),
  /** Within its genotype: 0 is the seed's own plant, clones count from 1. */
  copy: z.int(),
  /** "#7", or "#7-2" for its second clone. */
  name: z.string(),
  /** Eight characters on its label; they lead to it (`findPlantByCode`). */
  code: z.string(),
  /** Of a clone, the plant that it was cut from, where that is known. */
  cutFromId: z.nullable(Id),
  startedOn: z.nullable(Day),
  cutOn: z.nullable(Day),
  rootedOn: z.nullable(Day),
  isMother: z.boolean(),
  notes: z.string(),
  /** It lives while it has no end. */
  endedOn: z.nullable(Day),
  endedHow: z.nullable(EndKind),
  endedByDecisionId: z.nullable(Id),
  /** Where it stands: in the last of its runs, one that has not ended before one that has. */
  placement: z.nullable(z.object({ runId: Id, runName: z.string(), row: z.nullable(z.int()), column: z.nullable(z.int()) })),
  /** As its last log says, or flower once its run was put into flower after that. Null: nobody said. */
  stage: z.nullable(GrowthStage),
  lastLoggedOn: z.nullable(Day),
  version: z.int(),
})
export type Plant = z.infer<typeof Plant>

/** One seed: what its plant and all its clones share. */
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
  /** The seed's plant first, then the clones in the order of their cutting; those that ended too. */
  plants: z.array(Plant),
  version: z.int(),
})
export type Genotype = z.infer<typeof Genotype>

/** How many plants live, beside how many may; more is told and never refused. */
export const PlantRoom = z.object({
  livingPlants: z.int(),
  plantLimit: z.nullable(z.int()),
  /** So many more than the limit; 0 without one. */
  overBy: z.int(),
})
export type PlantRoom = z.infer<typeof PlantRoom>

export const maxGenotypesPerPage = 500
/** Seeds, clones or plants in one call. */
export const maxAtOnce = 1000

const tag = 'Plants'
const Ids = z.array(Id).check(z.minLength(1, 'Choose at least one'), z.maxLength(maxAtOnce, `At most ${maxAtOnce} at once`))

export const listGenotypes = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/genotypes',
  summary: 'The genotypes of a hunt by their number, each with all its plants; up to 500 a page',
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
  summary: 'One genotype of a hunt with all its plants',
  tag,
  access: 'member',
  params: z.object({ id: Id, number: numeric(z.int().check(z.minimum(1), z.maximum(2_000_000_000))) }),
  response: Genotype,
})

export const addSeeds = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/seeds',
  summary: 'Number more seeds: each is a genotype with its plant',
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
          /** Null: its mother plant, or else the seed's, or else the first that lives. */
          fromPlantId: z._default(z.nullable(Id), null),
          count: z.int('Must be a whole number').check(z.minimum(1, 'At least 1'), z.maximum(100, 'At most 100')),
        }),
      )
      .check(z.minLength(1, 'Choose at least one'), z.maxLength(maxAtOnce, `At most ${maxAtOnce} at once`)),
    /** Today by itself. */
    cutOn: z.optional(Day),
    rootedOn: z._default(z.nullable(Day), null),
  }),
  response: z.object({ plants: z.array(Plant), room: PlantRoom }),
  status: 201,
})

export const changeGenotype = endpoint({
  method: 'PATCH',
  path: '/api/genotypes/:id',
  summary: 'Change the label, sex, notes or seed lot of a genotype; what is not given stays',
  tag,
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: z.object({
    label: z.optional(line(80)),
    sex: z.optional(Sex),
    /** When its sex was seen; today by itself. */
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
  summary: 'State the sex of many genotypes at once',
  tag,
  access: 'member',
  params: HuntParams,
  body: z.object({ genotypeIds: Ids, sex: Sex, sexedOn: z.optional(Day) }),
  response: z.array(Genotype),
})

const dates = {
  startedOn: z.optional(z.nullable(Day)),
  /** Of clones alone. */
  cutOn: z.optional(z.nullable(Day)),
  rootedOn: z.optional(z.nullable(Day)),
  isMother: z.optional(z.boolean()),
}

export const changePlant = endpoint({
  method: 'PATCH',
  path: '/api/plants/:id',
  summary: 'Change the dates and notes of a plant, and whether it is a mother; what is not given stays',
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
  summary: 'Give many plants the same dates',
  tag,
  access: 'member',
  params: HuntParams,
  body: z.object({ plantIds: Ids, ...dates }),
  response: z.array(Plant),
})

/**
 * Genotypes whose last living copy is to go, each as "#7", exactly these: typed by whoever ends them. What is missing or too many is
 * refused with 409 `last_copy`, whose `fields` name each genotype ("#7") with a sentence.
 */
export const ConfirmLastCopies = z._default(z.array(z.string().check(z.regex(/^#\d{1,10}$/, 'Like #7'))).check(z.maxLength(maxAtOnce)), [])

export const endPlants = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/plants/end',
  summary: 'End plants; what ended already in this way stays as it is. A death needs no confirmation, all else does for last copies',
  tag,
  access: 'member',
  idempotent: true,
  params: HuntParams,
  body: z.object({
    plantIds: Ids,
    endedHow: EndKind,
    /** Today by itself. */
    endedOn: z.optional(Day),
    confirmLastCopies: ConfirmLastCopies,
  }),
  response: z.array(Plant),
})

export const revivePlants = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/plants/revive',
  summary: 'Take back the end of plants; those that live stay as they are',
  tag,
  access: 'member',
  params: HuntParams,
  body: z.object({ plantIds: Ids }),
  response: z.object({ plants: z.array(Plant), room: PlantRoom }),
})

/** As printed on a label; a reader may take O for 0 and I or L for 1, in lower case too. */
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
  summary: 'The plant whose label was scanned; 404 for whoever may not see its hunt',
  tag,
  access: 'member',
  params: z.object({ code: PlantCode }),
  response: FoundPlant,
})
