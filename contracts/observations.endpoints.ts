import { endpoint } from './endpoint.ts'
import { flag, Id, IdParams, line, page } from './fields.ts'
import { Day, HuntParams } from './hunts.ts'
import { maxObservationsAtOnce } from './limits.ts'
import { Media } from './media.ts'
import { Person } from './people.ts'
import * as z from './zod.ts'

/** Depends on the trait's kind: a number (ordinal, number), a date, option values (category: one; checks: any), or a photo. */
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

/** Immutable: corrections are new observations. */
export const Observation = z.object({
  id: Id,
  huntId: Id,
  traitId: Id,
  plantId: Id,
  runId: z.nullable(Id),
  observedOn: Day,
  /** Only the field for the trait's kind is set, or none if the observation withdraws the value it corrects. */
  number: z.nullable(z.number()),
  date: z.nullable(Day),
  options: z.nullable(z.array(z.int())),
  photo: z.nullable(Media),
  isWithdrawn: z.boolean(),
  note: z.string(),
  isBlind: z.boolean(),
  observedBy: z.nullable(Person),
  /**
   * Who measured the value before the hunt was imported: a name, or a number if the file had no names. Only for people who can edit the
   * hunt.
   */
  scorer: z.nullable(z.string()),
  correctsId: z.nullable(Id),
  isCurrent: z.boolean(),
  createdAt: z.iso.datetime(),
})
export type Observation = z.infer<typeof Observation>

export const NewObservation = z.object({
  /** A UUIDv7 from the client. Repeating it changes nothing; with different content, it is rejected (409). */
  id: Id,
  traitId: Id,
  plantId: Id,
  observedOn: Day,
  /** Null withdraws the value of `correctsId`. If that value was never recorded, nothing is recorded. */
  value: z.nullable(ObservedValue),
  note: z._default(line(1000), ''),
  isBlind: z._default(z.boolean(), false),
  /** The observation to correct. Rejected if someone has corrected it since (409 `conflict`). Null adds an observation. */
  correctsId: z._default(z.nullable(Id), null),
  /**
   * What happens if you scored this trait of this plant earlier that day. `correct` replaces your score, which remains in the history;
   * `add` keeps both; `once` records nothing if you already recorded the same value, even if it has been corrected since. Otherwise,
   * `once` replaces your score, or adds to it if the call has several values for that day. A value that a call repeats counts each time.
   * Other people's scores never change.
   */
  sameDay: z._default(z.enum(['add', 'correct', 'once']), 'add'),
})
export type NewObservation = z.infer<typeof NewObservation>

/** Inapplicable fields are omitted, because a response has thousands of values. */
const StandingValue = z.object({
  on: Day,
  number: z.optional(z.number()),
  date: z.optional(Day),
  options: z.optional(z.array(z.int())),
  photo: z.optional(Media),
  /** The plant's run at the time, or the run of its harvest, as an index into `runIds`. */
  run: z.optional(z.int()),
  /** Who measured it: the same number for the same person, tester or lab. Omitted if unknown. */
  by: z.optional(z.int()),
  isBlind: z.optional(z.boolean()),
  /** Below the lab's limit of quantification; `number` is half the limit. */
  isBelowLimit: z.optional(z.boolean()),
})
export type StandingValue = z.infer<typeof StandingValue>

/** Values refer to IDs by index, because repeated IDs would make up most of the response. `traitRecordsOf` expands them. */
export const TraitRecords = z.object({
  plants: z.array(z.object({ plantId: Id, genotypeId: Id })),
  runIds: z.array(Id),
  traits: z.array(
    z.object({
      traitId: Id,
      /** Newest first. `plant` is an index into `plants`. */
      measured: z.array(z.object({ plant: z.int(), values: z.array(StandingValue) })),
    }),
  ),
  /** The viewer's own number in `by`. Omitted if none of the values are theirs. */
  me: z.optional(z.int()),
  /**
   * Names by the numbers in `by`, only for people who can edit the hunt. Null for testers, whose names appear only in their panel, and for
   * people whom the viewer can't see.
   */
  names: z.optional(z.array(z.nullable(z.string()))),
  /** False if there are more than 50,000 values; the response then contains only the newest. */
  isComplete: z.boolean(),
})
export type TraitRecords = z.infer<typeof TraitRecords>

const tag = 'Traits'

export const recordObservations = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/observations',
  summary: 'Record up to 500 observations, all or nothing; errors name the row by its index',
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
  summary: "List a hunt's observations, or those of one trait, plant or genotype, newest day first, including corrected ones",
  tag,
  access: 'member',
  paginated: true,
  params: HuntParams,
  query: z.object({
    ...page,
    traitId: z.optional(Id),
    plantId: z.optional(Id),
    genotypeId: z.optional(Id),
    withoutRun: z.optional(flag()),
  }),
  response: z.array(Observation),
})

export const setObservationRuns = endpoint({
  method: 'PUT',
  path: '/api/pheno-hunts/:id/observation-runs',
  summary: 'Assign current observations to a run, or unassign them. Idempotent.',
  tag,
  access: 'member',
  params: HuntParams,
  body: z.object({
    runId: z.nullable(Id),
    observationIds: z
      .array(Id)
      .check(
        z.minLength(1, 'Choose at least one observation'),
        z.maxLength(maxObservationsAtOnce, `At most ${maxObservationsAtOnce} at once`),
      ),
  }),
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
  summary: "List the current values of a hunt's plants for all traits that aren't archived, for score tables and rankings",
  tag,
  access: 'member',
  params: HuntParams,
  response: TraitRecords,
})
