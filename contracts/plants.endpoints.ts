import { endpoint } from './endpoint.ts'
import { figure, Id, IdParams, line, numeric, page, wholeNumber, withoutNul } from './fields.ts'
import { Day, HuntParams } from './hunts.ts'
import { labelSheets } from './labels.rules.ts'
import { maxPlantsAtOnce } from './limits.ts'
import { Person } from './people.ts'
import {
  ConfirmLastCopies,
  EndKind,
  FoundPlant,
  Genotype,
  GenotypeKind,
  maxGenotypesPerPage,
  Plant,
  PlantCode,
  PlantRoom,
  Sex,
  Standing,
} from './plants.ts'
import * as z from './zod.ts'

const tag = 'Plants'
const tooMany = `At most ${figure(maxPlantsAtOnce)} at once`
const Ids = z.array(Id).check(z.minLength(1, 'Choose at least one'), z.maxLength(maxPlantsAtOnce, tooMany))

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

/** A phenotype with the decision keep or breed, or with a living mother plant. */
export const KeptPheno = z.object({
  genotypeId: Id,
  huntId: Id,
  huntName: z.string(),
  /** Null for the viewer's own hunts, and for owners whom the viewer can't see. */
  huntOwner: z.nullable(Person),
  number: z.int(),
  label: z.string(),
  sex: Sex,
  standing: z.nullable(Standing),
  /** When the phenotype's oldest plant germinated, rooted or was cut. */
  startedOn: z.nullable(Day),
  livingCopies: z.int(),
  /** Living mother plants by copy number; 0 is the seed plant. */
  motherCopies: z.array(z.int()),
  lastCutOn: z.nullable(Day),
  /** Who has a backup elsewhere. Empty if unknown, and for people who can't edit the hunt. */
  backupHolder: z.string(),
  canEdit: z.boolean(),
})
export type KeptPheno = z.infer<typeof KeptPheno>

export const listKeptPhenos = endpoint({
  method: 'GET',
  path: '/api/kept-phenos',
  summary: 'List the kept phenotypes in your hunts and the hunts shared with you, newest first',
  tag,
  access: 'member',
  paginated: true,
  query: z.object(page),
  response: z.array(KeptPheno),
})

export const setBackupHolder = endpoint({
  method: 'PUT',
  path: '/api/genotypes/:id/backup-holder',
  summary: 'Record who keeps a backup of a phenotype elsewhere, or clear that. Idempotent.',
  tag,
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: z.object({ backupHolder: line(120) }),
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
  summary: 'Add more seeds or check clones, each as a genotype with its plant',
  tag,
  access: 'member',
  idempotent: true,
  params: HuntParams,
  body: z.object({
    count: z.int('Must be a whole number').check(z.minimum(1, 'At least 1'), z.maximum(maxPlantsAtOnce, tooMany)),
    seedLotId: z._default(z.nullable(Id), null),
    startedOn: z._default(z.nullable(Day), null),
    kind: z._default(GenotypeKind, 'seed'),
  }),
  response: z.object({ genotypes: z.array(Genotype), room: PlantRoom }),
  status: 201,
})

export const addClones = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/clones',
  summary: 'Cut clones of one plant or of several genotypes',
  tag,
  access: 'member',
  idempotent: true,
  params: HuntParams,
  body: z.object({
    cuts: z
      .array(
        z.object({
          genotypeId: Id,
          /** Defaults to the mother plant, then the seed plant, then the first living plant. */
          fromPlantId: z._default(z.nullable(Id), null),
          count: z.int('Must be a whole number').check(z.minimum(1, 'At least 1'), z.maximum(100, 'At most 100')),
        }),
      )
      .check(z.minLength(1, 'Choose at least one'), z.maxLength(maxPlantsAtOnce, tooMany)),
    cutOn: z.optional(Day),
    rootedOn: z._default(z.nullable(Day), null),
  }),
  response: z.object({ plants: z.array(Plant), room: PlantRoom }),
  status: 201,
})

export const updateGenotype = endpoint({
  method: 'PATCH',
  path: '/api/genotypes/:id',
  summary: "Change a genotype's label, sex, notes, kind or seed lot",
  tag,
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: z.object({
    label: z.optional(line(80)),
    sex: z.optional(Sex),
    /** When the sex was observed. Defaults to today. */
    sexedOn: z.optional(Day),
    notes: z.optional(line(5000)),
    seedLotId: z.optional(z.nullable(Id)),
    /** A genotype with a decision can't become a check clone. */
    kind: z.optional(GenotypeKind),
    version: z.int(),
  }),
  response: Genotype,
})

export const setGenotypeSexes = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/sexes',
  summary: 'Set the sex of several genotypes',
  tag,
  access: 'member',
  params: HuntParams,
  body: z.object({ genotypeIds: Ids, sex: Sex, sexedOn: z.optional(Day) }),
  response: z.array(Genotype),
})

const dates = {
  startedOn: z.optional(z.nullable(Day)),
  /** `cutOn` and `rootedOn` are only for clones. */
  cutOn: z.optional(z.nullable(Day)),
  rootedOn: z.optional(z.nullable(Day)),
  isMother: z.optional(z.boolean()),
}

export const updatePlant = endpoint({
  method: 'PATCH',
  path: '/api/plants/:id',
  summary: "Change a plant's dates and notes, and whether it's a mother",
  tag,
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: z.object({ ...dates, notes: z.optional(line(5000)), version: z.int() }),
  response: Plant,
})

export const updatePlants = endpoint({
  method: 'PATCH',
  path: '/api/pheno-hunts/:id/plants',
  summary: 'Set the same dates for several plants, and whether they are mothers',
  tag,
  access: 'member',
  params: HuntParams,
  body: z.object({ plantIds: Ids, ...dates }),
  response: z.array(Plant),
})

export const endPlants = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/plants/end',
  summary: 'End plants. Ending a last living copy requires confirmation unless the plant died. Idempotent.',
  tag,
  access: 'member',
  idempotent: true,
  params: HuntParams,
  body: z.object({
    plantIds: Ids,
    endedHow: EndKind,
    endedOn: z.optional(Day),
    confirmLastCopies: ConfirmLastCopies,
  }),
  response: z.array(Plant),
})

export const revivePlants = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/plants/revive',
  summary: 'Mark ended plants as living again. Idempotent.',
  tag,
  access: 'member',
  params: HuntParams,
  body: z.object({ plantIds: Ids }),
  response: z.object({ plants: z.array(Plant), room: PlantRoom }),
})

export const findPlantByCode = endpoint({
  method: 'GET',
  path: '/api/plant-codes/:code',
  summary: 'Read the plant on a scanned label. Returns 404 unless you can see its hunt.',
  tag,
  access: 'member',
  params: z.object({ code: PlantCode }),
  response: FoundPlant,
})

export const LabelSheetName = z.enum(Object.keys(labelSheets) as [keyof typeof labelSheets, ...(keyof typeof labelSheets)[]])
export type LabelSheetName = z.infer<typeof LabelSheetName>

export const LabelsQuery = z.object({
  /** `living`, or plant names without the number sign: `7,7-2`. */
  plants: z._default(
    z.string().check(z.maxLength(8000), z.regex(/^(living|\d{1,9}(-\d{1,5})?(,\d{1,9}(-\d{1,5})?)*)$/, 'Enter plants such as 7,7-2')),
    'living',
  ),
  sheet: z._default(LabelSheetName, 'avery-5160'),
  /** Where the first label goes on the first sheet, counted by rows from 1 at the top left. */
  start: z._default(wholeNumber(1, 100), 1),
  /** Whether to print the hunt's name. Without it, only the grower knows what a lost label means. */
  name: z._default(z.enum(['yes', 'no']), 'no'),
})
export type LabelsQuery = z.output<typeof LabelsQuery>

/** What was known when the decision was made. The server fills it in. */
export const Known = z.object({
  livingCopies: z.int(),
  /** Includes ended plants. */
  plants: z.int(),
  logs: z.int(),
  /** Counts only current scores. */
  observations: z.int(),
  /** At the time of the decision; null if unranked. */
  rank: z.nullable(z.int()),
  rankedOf: z.nullable(z.int()),
  /** From 0 to 1. */
  chanceBest: z.nullable(z.number()),
})
export type Known = z.infer<typeof Known>

export const Decision = z.object({
  id: Id,
  huntId: Id,
  genotypeId: Id,
  number: z.int(),
  label: z.string(),
  kind: Standing,
  reason: z.string(),
  known: Known,
  endedPlantIds: z.array(Id),
  decidedBy: z.nullable(Person),
  decidedOn: Day,
  createdAt: z.iso.datetime(),
  /** Null unless the decision was undone. */
  undoneAt: z.nullable(z.iso.datetime()),
  undoneBy: z.nullable(Person),
})
export type Decision = z.infer<typeof Decision>

export const listDecisions = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/decisions',
  summary: "List the decisions about a hunt's genotypes, or about one of them, newest first, including undone ones",
  tag: 'Plants',
  access: 'member',
  paginated: true,
  params: HuntParams,
  query: z.object({ ...page, genotypeId: z.optional(Id) }),
  response: z.array(Decision),
})

export const makeDecisions = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/decisions',
  summary: 'Record decisions about genotypes: keep, retest, breed with, or cull together with their plants',
  tag: 'Plants',
  access: 'member',
  words: 'mixed',
  params: HuntParams,
  body: z.object({
    /** UUIDv7s from the client. Repeating them returns the same decisions. */
    decisions: z
      .array(z.object({ id: Id, genotypeId: Id }))
      .check(z.minLength(1, 'Choose at least one'), z.maxLength(maxPlantsAtOnce, tooMany)),
    kind: Standing,
    reason: z._default(line(2000), ''),
    decidedOn: z.optional(Day),
    /** For a cull, the plants to end: those that were shown to the person deciding. Clones cut since then stay alive. */
    endPlantIds: z._default(z.array(Id).check(z.maxLength(maxPlantsAtOnce, tooMany)), []),
    confirmLastCopies: ConfirmLastCopies,
  }),
  response: z.array(Decision),
  status: 201,
})

export const undoDecision = endpoint({
  method: 'POST',
  path: '/api/decisions/:id/undo',
  summary: 'Undo a decision: the previous one applies again, and plants that the undone one ended are alive again. Idempotent.',
  tag: 'Plants',
  access: 'member',
  params: IdParams,
  response: z.object({
    decision: Decision,
    revivedPlantIds: z.array(Id),
    /** Plants that the decision ended and that have changed since. Undoing the decision leaves them as they are. */
    left: z.array(z.object({ plantId: Id, name: z.string(), reason: z.string() })),
    room: PlantRoom,
  }),
})
