import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Day, HuntParams } from './hunts.ts'
import { Id, IdParams } from './ids.ts'
import { Media } from './media.ts'
import { page } from './pagination.ts'
import { Person } from './people.ts'
import { line } from './text.ts'

/** Values of one call. */
export const maxObservationsAtOnce = 500

/** By the trait's kind: a number (ordinal, number), a day (date), values of options (category: one; checks: any), or a photo. */
export const ObservedValue = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('number'),
    number: z.number('Must be a number').check(z.minimum(-1e9, 'Too small'), z.maximum(1e9, 'Too large')),
  }),
  z.object({ kind: z.literal('date'), date: Day }),
  z.object({ kind: z.literal('options'), options: z.array(z.int()).check(z.maxLength(40)) }),
  z.object({ kind: z.literal('photo'), mediaId: Id }),
])
export type ObservedValue = z.infer<typeof ObservedValue>

/** What was seen of one trait of one plant. It is never changed: a later one corrects it. */
export const Observation = z.object({
  id: Id,
  huntId: Id,
  traitId: Id,
  plantId: Id,
  runId: z.nullable(Id),
  observedOn: Day,
  /** Of these four the one that the trait's kind has; none where it takes back what it corrects. */
  number: z.nullable(z.number()),
  date: z.nullable(Day),
  options: z.nullable(z.array(z.int())),
  photo: z.nullable(Media),
  isWithdrawn: z.boolean(),
  note: z.string(),
  isBlind: z.boolean(),
  observedBy: z.nullable(Person),
  /** What it stands in the place of. */
  correctsId: z.nullable(Id),
  /** False once another one corrects it. */
  isCurrent: z.boolean(),
  createdAt: z.iso.datetime(),
})
export type Observation = z.infer<typeof Observation>

export const NewObservation = z.object({
  /** A UUIDv7 made by whoever observes: sending it again changes nothing; with another content it is refused (409). */
  id: Id,
  traitId: Id,
  plantId: Id,
  observedOn: Day,
  /** Null takes back what `correctsId` says. */
  value: z.nullable(ObservedValue),
  note: z._default(line(1000), ''),
  isBlind: z._default(z.boolean(), false),
  /**
   * The observation that this one corrects. Where another one corrected it meanwhile, nothing is written (409 `conflict`). Null: one
   * more observation, beside those that there are.
   */
  correctsId: z._default(z.nullable(Id), null),
})
export type NewObservation = z.infer<typeof NewObservation>

const tag = 'Traits'

export const recordObservations = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/observations',
  summary: 'Write down up to 500 observations, all or none; wrong rows are named by their place',
  tag,
  access: 'member',
  words: 'mixed',
  params: HuntParams,
  body: z.object({
    observations: z
      .array(NewObservation)
      .check(z.minLength(1, 'Nothing was observed'), z.maxLength(maxObservationsAtOnce, `At most ${maxObservationsAtOnce} at once`)),
  }),
  response: z.array(Observation),
  status: 201,
})

export const listObservations = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/observations',
  summary: 'Observations of a plant or a trait, the newest day first, with those that were corrected',
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
  summary: 'One observation, and what corrected it',
  tag,
  access: 'member',
  params: IdParams,
  response: z.object({ observation: Observation, correctedBy: z.nullable(Observation) }),
})

/** One value that stands. What does not apply is left out: there are thousands of these in one answer. */
const StandingValue = z.object({
  on: Day,
  number: z.optional(z.number()),
  date: z.optional(Day),
  options: z.optional(z.array(z.int())),
  photo: z.optional(Media),
  /** Where the plant stood then: a place in `runIds`. */
  run: z.optional(z.int()),
  isBlind: z.optional(z.boolean()),
  /** A lab could not quantify it: `number` is half of its limit. */
  isBelowLimit: z.optional(z.boolean()),
})

/** Records of one answer: 200 plants × 40 traits, several times over. */
export const maxTraitRecords = 50_000

/**
 * Ids stand once, and everything else points to their places: written out in each value they would be most of the answer. `traitRecordsOf`
 * writes them out.
 */
export const TraitRecords = z.object({
  /** Whose plants these are. */
  plants: z.array(z.object({ plantId: Id, genotypeId: Id })),
  runIds: z.array(Id),
  traits: z.array(
    z.object({
      traitId: Id,
      /** Of each plant that was measured (a place in `plants`) its values, the newest first. */
      measured: z.array(z.object({ plant: z.int(), values: z.array(StandingValue) })),
    }),
  ),
  /** False where there are more than 50,000: the newest are here. */
  isComplete: z.boolean(),
})
export type TraitRecords = z.infer<typeof TraitRecords>

export const getTraitRecords = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/trait-records',
  summary: 'Every value that stands, of all plants and traits of a hunt: what a table of scores and a ranking are made of',
  tag,
  access: 'member',
  params: HuntParams,
  response: TraitRecords,
})

/** One value that stands, of which trait, plant and genotype, and in which run. */
export type TraitRecord = Omit<z.infer<typeof StandingValue>, 'run'> & {
  traitId: string
  plantId: string
  genotypeId: string
  runId: string | null
}

/** Every value with its ids; trait by trait, plant by plant, the newest first. */
export function traitRecordsOf({ plants, runIds, traits }: TraitRecords): TraitRecord[] {
  return traits.flatMap(({ traitId, measured }) =>
    measured.flatMap(({ plant, values }) => {
      const of = plants[plant]
      if (!of) return []
      return values.map(({ run, ...value }) => ({ ...value, traitId, ...of, runId: (run === undefined ? null : runIds[run]) ?? null }))
    }),
  )
}
