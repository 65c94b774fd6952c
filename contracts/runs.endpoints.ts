import { endpoint } from './endpoint.ts'
import { Id, IdParams, line } from './fields.ts'
import { Day, HuntParams } from './hunts.ts'
import { maxBenchSide, maxPlantsAtOnce } from './limits.ts'
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
  floweredOn: z.nullable(Day),
  endedOn: z.nullable(Day),
  /** The genotype of the check clones, which make runs comparable. */
  checkGenotypeId: z.nullable(Id),
  benchRows: z.nullable(z.int()),
  benchColumns: z.nullable(z.int()),
  placementCount: z.int(),
  version: z.int(),
})
export type Run = z.infer<typeof Run>

/** Per hunt. One response contains them all. */
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

/** A plant in a run, with its bench position if it has one. Rows and columns count from 1. */
export const Placement = z.object({
  runId: Id,
  plantId: Id,
  genotypeId: Id,
  number: z.int(),
  name: z.string(),
  label: z.string(),
  code: z.string(),
  isAlive: z.boolean(),
  row: z.nullable(z.int()),
  column: z.nullable(z.int()),
})
export type Placement = z.infer<typeof Placement>

const tag = 'Plants'

export const listRuns = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/runs',
  summary: "List a hunt's runs, newest first",
  tag,
  access: 'member',
  params: HuntParams,
  response: z.array(Run),
})

export const createRun = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/runs',
  summary: 'Create a run',
  tag,
  access: 'member',
  words: 'mixed',
  params: HuntParams,
  body: NewRun,
  response: Run,
  status: 201,
})

export const updateRun = endpoint({
  method: 'PATCH',
  path: '/api/runs/:id',
  summary: "Change a run. A bench can't be made too small for the plants on it.",
  tag,
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: RunChange,
  response: Run,
})

export const deleteRun = endpoint({
  method: 'DELETE',
  path: '/api/runs/:id',
  summary: 'Delete a run with its bench; plants, scores and harvests are kept',
  tag,
  access: 'member',
  params: IdParams,
})

export const listPlacements = endpoint({
  method: 'GET',
  path: '/api/runs/:id/placements',
  summary: "List a run's plants by bench position",
  tag,
  access: 'member',
  params: IdParams,
  response: z.array(Placement),
})

const Place = z.nullable(z.int().check(z.minimum(1, 'At least 1'), z.maximum(maxBenchSide, `At most ${maxBenchSide}`)))

export const placePlants = endpoint({
  method: 'PUT',
  path: '/api/runs/:id/placements',
  summary: "Place, move, swap or remove plants in a run. Plants that aren't listed don't move. Returns 409 if a position is taken.",
  tag,
  access: 'member',
  params: IdParams,
  body: z.object({
    /** Both row and column, or neither for a plant that isn't on the bench. */
    placements: z._default(z.array(z.object({ plantId: Id, row: Place, column: Place })).check(z.maxLength(maxPlantsAtOnce)), []),
    removedPlantIds: z._default(z.array(Id).check(z.maxLength(maxPlantsAtOnce)), []),
    placedOn: z.optional(Day),
  }),
  response: z.array(Placement),
})
