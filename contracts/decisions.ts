import { Id } from './fields.ts'
import { Day } from './hunts.ts'
import { Person } from './people.ts'
import { Standing } from './plants.ts'
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
