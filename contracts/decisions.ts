import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Day, HuntParams } from './hunts.ts'
import { Id, IdParams } from './ids.ts'
import { page } from './pagination.ts'
import { Person } from './people.ts'
import { ConfirmLastCopies, maxAtOnce, PlantRoom, Standing } from './plants.ts'
import { line } from './text.ts'

/** What was known when a decision was made, filled in by the server. */
export const Known = z.object({
  livingCopies: z.int(),
  /** Plants that there were, the ended ones too. */
  plants: z.int(),
  logs: z.int(),
  /** Scores that stood. */
  observations: z.int(),
  /** In the ranking of that moment; null where there was none. */
  rank: z.nullable(z.int()),
  rankedOf: z.nullable(z.int()),
  /** Between 0 and 1. */
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
  /** The plants that it ended. */
  endedPlantIds: z.array(Id),
  /** Null once the account is gone. */
  decidedBy: z.nullable(Person),
  decidedOn: Day,
  createdAt: z.iso.datetime(),
  /** Null: it stands. */
  undoneAt: z.nullable(z.iso.datetime()),
  undoneBy: z.nullable(Person),
})
export type Decision = z.infer<typeof Decision>

const tag = 'Plants'

export const listDecisions = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/decisions',
  summary: 'Decisions about the genotypes of a hunt, or about one of them, newest first; those that were undone too',
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
  summary: 'Decide about one genotype or many: keep, retest, breed with, or cull together with plants of theirs',
  tag,
  access: 'member',
  words: 'mixed',
  params: HuntParams,
  body: z.object({
    /** Ids made by the sender (UUIDv7): sending them again answers the same decisions and changes nothing. */
    decisions: z
      .array(z.object({ id: Id, genotypeId: Id }))
      .check(z.minLength(1, 'Choose at least one'), z.maxLength(maxAtOnce, `At most ${maxAtOnce} at once`)),
    kind: Standing,
    reason: z._default(line(2000), ''),
    /** Today by itself. */
    decidedOn: z.optional(Day),
    /** Of a cull, the plants that it ends, as whoever decides saw them. What was cut meanwhile lives on. */
    endPlantIds: z._default(z.array(Id).check(z.maxLength(maxAtOnce, `At most ${maxAtOnce} at once`)), []),
    confirmLastCopies: ConfirmLastCopies,
  }),
  response: z.array(Decision),
  status: 201,
})

export const undoDecision = endpoint({
  method: 'POST',
  path: '/api/decisions/:id/undo',
  summary: 'Undo a decision: the one before it stands again, and the plants that it ended live; undoing it again changes nothing',
  tag,
  access: 'member',
  params: IdParams,
  response: z.object({
    decision: Decision,
    revivedPlantIds: z.array(Id),
    /** Plants that it ended and that something else happened to since: they stay as they are. */
    left: z.array(z.object({ plantId: Id, name: z.string(), reason: z.string() })),
    room: PlantRoom,
  }),
})
