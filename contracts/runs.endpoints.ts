import { endpoint } from './endpoint.ts'
import { Id, IdParams } from './fields.ts'
import { Day, HuntParams } from './hunts.ts'
import { maxBenchSide, maxPlantsAtOnce } from './limits.ts'
import { NewRun, Placement, Run, RunChange } from './runs.ts'
import * as z from './zod.ts'

const tag = 'Plants'

export const listRuns = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/runs',
  summary: 'List the runs of a hunt, newest first',
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

export const changeRun = endpoint({
  method: 'PATCH',
  path: '/api/runs/:id',
  summary: "Change a run. A bench can't become smaller than the plants on it need.",
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
  summary: 'Delete a run with its bench; plants, scores and harvests stay',
  tag,
  access: 'member',
  params: IdParams,
})

export const listPlacements = endpoint({
  method: 'GET',
  path: '/api/runs/:id/placements',
  summary: 'List the plants of a run by their place on the bench',
  tag,
  access: 'member',
  params: IdParams,
  response: z.array(Placement),
})

const Place = z.nullable(z.int().check(z.minimum(1, 'At least 1'), z.maximum(maxBenchSide, `At most ${maxBenchSide}`)))

export const placePlants = endpoint({
  method: 'PUT',
  path: '/api/runs/:id/placements',
  summary: "Place, move, swap or remove plants of a run; plants that aren't named stay. 409 if a place is taken.",
  tag,
  access: 'member',
  params: IdParams,
  body: z.object({
    /** Row and column, or neither for a plant in the run but not on the bench. */
    placements: z._default(z.array(z.object({ plantId: Id, row: Place, column: Place })).check(z.maxLength(maxPlantsAtOnce)), []),
    removedPlantIds: z._default(z.array(Id).check(z.maxLength(maxPlantsAtOnce)), []),
    /** Defaults to today. */
    placedOn: z.optional(Day),
  }),
  response: z.array(Placement),
})
