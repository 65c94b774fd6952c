import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Day, HuntParams } from './hunts.ts'
import { Id, IdParams } from './ids.ts'
import { page } from './pagination.ts'
import { Person } from './people.ts'
import { line } from './text.ts'

/** What a grower is to do, and by when: for those who may write in the hunt, public or not. */
export const GrowTask = z.object({
  id: Id,
  huntId: Id,
  huntName: z.string(),
  /** The genotype that it is about; null: the whole hunt. */
  genotype: z.nullable(z.object({ id: Id, number: z.int(), label: z.string() })),
  title: z.string(),
  dueOn: Day,
  /** Comes again so many days after it was due; null: once. */
  everyDays: z.nullable(z.int()),
  doneAt: z.nullable(z.iso.datetime()),
  doneBy: z.nullable(Person),
  version: z.int(),
})
export type GrowTask = z.infer<typeof GrowTask>

/** Open tasks of one hunt. */
export const maxOpenTasks = 500

const fields = {
  title: line(200, 'Say what is to be done'),
  dueOn: Day,
  everyDays: z.nullable(z.int('Must be a whole number').check(z.minimum(1, 'At least 1 day'), z.maximum(365, 'At most 365 days'))),
  genotypeId: z.nullable(Id),
}

export const NewGrowTask = z.object({
  title: fields.title,
  dueOn: fields.dueOn,
  everyDays: z._default(fields.everyDays, null),
  genotypeId: z._default(fields.genotypeId, null),
})
export type NewGrowTask = z.infer<typeof NewGrowTask>

export const GrowTaskChange = z.extend(z.partial(z.object(fields)), { version: z.int() })
export type GrowTaskChange = z.infer<typeof GrowTaskChange>

export const listGrowTasks = endpoint({
  method: 'GET',
  path: '/api/grow-tasks',
  summary: 'Open tasks of the active hunts that one can write in, the longest due first',
  tag: 'Pheno hunts',
  access: 'member',
  paginated: true,
  query: z.object({
    ...page,
    /** Due on this day or before; by itself, whenever. */
    until: z.optional(Day),
    /** Of this hunt alone, completed or not. */
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

export const changeGrowTask = endpoint({
  method: 'PATCH',
  path: '/api/grow-tasks/:id',
  summary: 'Change a task; what is not given stays',
  tag: 'Pheno hunts',
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: GrowTaskChange,
  response: GrowTask,
})

const DoneState = z.object({
  task: GrowTask,
  /** The one that comes after it, of a task that repeats. */
  next: z.nullable(GrowTask),
})

export const doGrowTask = endpoint({
  method: 'PUT',
  path: '/api/grow-tasks/:id/done',
  summary: 'Mark a task as done; one that repeats makes the next, once',
  tag: 'Pheno hunts',
  access: 'member',
  params: IdParams,
  response: DoneState,
})

export const undoGrowTask = endpoint({
  method: 'DELETE',
  path: '/api/grow-tasks/:id/done',
  summary: 'Mark a task as not done; the next one that it made is gone again, where nothing became of it yet',
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
