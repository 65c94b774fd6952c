import { Id, line } from './fields.ts'
import { Day } from './hunts.ts'
import { Person } from './people.ts'
import * as z from './zod.ts'

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
