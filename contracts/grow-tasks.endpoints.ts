import { endpoint } from './endpoint.ts'
import { Id, IdParams, page } from './fields.ts'
import { Day, GrowTask, GrowTaskChange, HuntParams, NewGrowTask } from './hunts.ts'
import * as z from './zod.ts'

export const listGrowTasks = endpoint({
  method: 'GET',
  path: '/api/grow-tasks',
  summary: 'List open tasks of the active hunts you can write in, longest overdue first',
  tag: 'Pheno hunts',
  access: 'member',
  paginated: true,
  query: z.object({
    ...page,
    until: z.optional(Day),
    /** Lists only this hunt's open tasks, even if the hunt is completed. */
    huntId: z.optional(Id),
  }),
  response: z.array(GrowTask),
})

export const createGrowTask = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/tasks',
  summary: 'Add a task to a hunt',
  tag: 'Pheno hunts',
  access: 'member',
  words: 'mixed',
  idempotent: true,
  params: HuntParams,
  body: NewGrowTask,
  response: GrowTask,
  status: 201,
})

export const updateGrowTask = endpoint({
  method: 'PATCH',
  path: '/api/grow-tasks/:id',
  summary: 'Change a task',
  tag: 'Pheno hunts',
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: GrowTaskChange,
  response: GrowTask,
})

const DoneState = z.object({
  task: GrowTask,
  next: z.nullable(GrowTask),
})

export const completeGrowTask = endpoint({
  method: 'PUT',
  path: '/api/grow-tasks/:id/done',
  summary: 'Mark a task as done. A repeating task creates the next one. Idempotent.',
  tag: 'Pheno hunts',
  access: 'member',
  params: IdParams,
  /** `doneOn` is the person's local day. Defaults to the day in UTC. */
  body: z.object({ doneOn: z.optional(Day) }),
  response: DoneState,
})

export const reopenGrowTask = endpoint({
  method: 'DELETE',
  path: '/api/grow-tasks/:id/done',
  summary: 'Mark a task as not done. Deletes the next task it created, unless someone completed or changed that one.',
  tag: 'Pheno hunts',
  access: 'member',
  params: IdParams,
  response: GrowTask,
})

export const deleteGrowTask = endpoint({
  method: 'DELETE',
  path: '/api/grow-tasks/:id',
  summary: 'Delete a task',
  tag: 'Pheno hunts',
  access: 'member',
  params: IdParams,
})
