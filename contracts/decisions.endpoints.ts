import { endpoint } from './endpoint.ts'
import { Id, IdParams, line, page } from './fields.ts'
import { Day, HuntParams } from './hunts.ts'
import { maxPlantsAtOnce } from './limits.ts'
import { Person } from './people.ts'
import { ConfirmLastCopies, PlantRoom, Standing } from './plants.ts'
import * as z from './zod.ts'

/** What was known when the decision was made; filled in by the server. */
export const Known = z.object({
  livingCopies: z.int(),
  /** All plants, including ended ones. */
  plants: z.int(),
  logs: z.int(),
  /** Current scores. */
  observations: z.int(),
  /** Rank at the time; null if it wasn't ranked. */
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
  /** Null if the account was deleted. */
  decidedBy: z.nullable(Person),
  decidedOn: Day,
  createdAt: z.iso.datetime(),
  /** Null if it is in force. */
  undoneAt: z.nullable(z.iso.datetime()),
  undoneBy: z.nullable(Person),
})
export type Decision = z.infer<typeof Decision>

const tag = 'Plants'

export const listDecisions = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/decisions',
  summary: "List the decisions about a hunt's genotypes, or about one of them, newest first, including undone ones",
  tag,
  access: 'member',
  paginated: true,
  params: HuntParams,
  query: z.object({ ...page, genotypeId: z.optional(Id) }),
  response: z.array(Decision),
})

export const makeDecisions = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/decisions',
  summary: 'Decide about genotypes: keep, retest, breed with, or cull together with their plants',
  tag,
  access: 'member',
  words: 'mixed',
  params: HuntParams,
  body: z.object({
    /** IDs from the client (UUIDv7): sending them again returns the same decisions. */
    decisions: z
      .array(z.object({ id: Id, genotypeId: Id }))
      .check(z.minLength(1, 'Choose at least one'), z.maxLength(maxPlantsAtOnce, `At most ${maxPlantsAtOnce} at once`)),
    kind: Standing,
    reason: z._default(line(2000), ''),
    /** Defaults to today. */
    decidedOn: z.optional(Day),
    /** For a cull: the plants to end, as listed to the person deciding. Clones cut in the meantime live on. */
    endPlantIds: z._default(z.array(Id).check(z.maxLength(maxPlantsAtOnce, `At most ${maxPlantsAtOnce} at once`)), []),
    confirmLastCopies: ConfirmLastCopies,
  }),
  response: z.array(Decision),
  status: 201,
})

export const undoDecision = endpoint({
  method: 'POST',
  path: '/api/decisions/:id/undo',
  summary: 'Undo a decision: the previous one applies again, and the plants it ended are alive again. Idempotent.',
  tag,
  access: 'member',
  params: IdParams,
  response: z.object({
    decision: Decision,
    revivedPlantIds: z.array(Id),
    /** Plants it ended that have changed since; they stay as they are. */
    left: z.array(z.object({ plantId: Id, name: z.string(), reason: z.string() })),
    room: PlantRoom,
  }),
})
