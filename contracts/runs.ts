import { Id, line } from './fields.ts'
import { Day } from './hunts.ts'
import { maxBenchSide } from './limits.ts'
import * as z from './zod.ts'

/** One room, medium and light for a few weeks, with the plants in it. */
export const Run = z.object({
  id: Id,
  huntId: Id,
  name: z.string(),
  room: z.string(),
  medium: z.string(),
  light: z.string(),
  startedOn: z.nullable(Day),
  /** When the lights were switched to 12 hours. */
  floweredOn: z.nullable(Day),
  endedOn: z.nullable(Day),
  /** The genotype repeated in every run, which makes runs comparable. */
  checkGenotypeId: z.nullable(Id),
  benchRows: z.nullable(z.int()),
  benchColumns: z.nullable(z.int()),
  placementCount: z.int(),
  version: z.int(),
})
export type Run = z.infer<typeof Run>

/** Runs per hunt, returned in one response. */
export const maxRuns = 200

const Side = z.int('Must be a whole number').check(z.minimum(1, 'At least 1'), z.maximum(maxBenchSide, `At most ${maxBenchSide}`))

const fields = {
  name: line(80, 'Name the run'),
  room: line(80),
  medium: line(80),
  light: line(80),
  startedOn: z.nullable(Day),
  floweredOn: z.nullable(Day),
  endedOn: z.nullable(Day),
  checkGenotypeId: z.nullable(Id),
  benchRows: z.nullable(Side),
  benchColumns: z.nullable(Side),
}

export const NewRun = z.object({
  /** A UUIDv7 from the client, for idempotency. */
  id: z.optional(Id),
  name: fields.name,
  room: z._default(fields.room, ''),
  medium: z._default(fields.medium, ''),
  light: z._default(fields.light, ''),
  startedOn: z._default(fields.startedOn, null),
  floweredOn: z._default(fields.floweredOn, null),
  endedOn: z._default(fields.endedOn, null),
  checkGenotypeId: z._default(fields.checkGenotypeId, null),
  benchRows: z._default(fields.benchRows, null),
  benchColumns: z._default(fields.benchColumns, null),
})
export type NewRun = z.infer<typeof NewRun>

export const RunChange = z.extend(z.partial(z.object(fields)), { version: z.int() })
export type RunChange = z.infer<typeof RunChange>

/** A plant in a run, with its place on the bench if it has one. Rows and columns count from 1. */
export const Placement = z.object({
  runId: Id,
  plantId: Id,
  genotypeId: Id,
  number: z.int(),
  /** "#7-2" */
  name: z.string(),
  label: z.string(),
  code: z.string(),
  isAlive: z.boolean(),
  row: z.nullable(z.int()),
  column: z.nullable(z.int()),
})
export type Placement = z.infer<typeof Placement>
