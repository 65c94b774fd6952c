import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Day, HuntParams } from './hunts.ts'
import { Id, IdParams } from './ids.ts'
import { page } from './pagination.ts'
import { Person } from './people.ts'
import { line } from './text.ts'

/** A grower's task, visible to members with write access, even in public hunts. */
export const GrowTask = z.object({
  id: Id,
  huntId: Id,
  huntName: z.string(),
  /** Null: the whole hunt. */
  genotype: z.nullable(z.object({ id: Id, number: z.int(), label: z.string() })),
  title: z.string(),
  dueOn: Day,
  /** Repeats this many days after the due date; null: once. */
  everyDays: z.nullable(z.int()),
  doneAt: z.nullable(z.iso.datetime()),
  doneBy: z.nullable(Person),
  version: z.int(),
})
export type GrowTask = z.infer<typeof GrowTask>

/** Open tasks per hunt. */
export const maxOpenTasks = 500

const fields = {
  title: line(200, 'Enter a task'),
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
  summary: 'List open tasks of the active hunts you can write in, the longest due first',
  tag: 'Pheno hunts',
  access: 'member',
  paginated: true,
  query: z.object({
    ...page,
    /** Due on or before this day; omitted: any time. */
    until: z.optional(Day),
    /** Only this hunt's tasks, active or completed. */
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
  /** The next occurrence of a repeating task. */
  next: z.nullable(GrowTask),
})

export const doGrowTask = endpoint({
  method: 'PUT',
  path: '/api/grow-tasks/:id/done',
  summary: 'Mark a task as done; a repeating task creates the next one, once',
  tag: 'Pheno hunts',
  access: 'member',
  params: IdParams,
  response: DoneState,
})

export const undoGrowTask = endpoint({
  method: 'DELETE',
  path: '/api/grow-tasks/:id/done',
  summary: 'Mark a task as not done; deletes the next one it created, if that is untouched',
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
