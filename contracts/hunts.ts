import { Id, IdParams, line } from './fields.ts'
import { Person } from './people.ts'
import * as z from './zod.ts'

/** Each level includes the previous ones. */
export const HuntAccess = z.enum(['view', 'write', 'own'])
export type HuntAccess = z.infer<typeof HuntAccess>

export const ShareAccess = z.enum(['view', 'write'])
export type ShareAccess = z.infer<typeof ShareAccess>

/** `private`: visible to the owner and the people it is shared with. `public`: also visible to anyone signed in. */
export const HuntVisibility = z.enum(['private', 'public'])
export type HuntVisibility = z.infer<typeof HuntVisibility>

/** `YYYY-MM-DD`. */
export const Day = z.iso.date('Choose a day').check(z.refine((day) => day >= '1900', 'Choose a day in 1900 or later'))

export const maxSeeds = 10_000

export const HuntCounts = z.object({
  genotypes: z.int(),
  livingPlants: z.int(),
  logs: z.int(),
  keepers: z.int(),
  culled: z.int(),
})
export type HuntCounts = z.infer<typeof HuntCounts>

/** The first day of each stage, as far as it is known from germination, logs, runs and harvests. */
export const HuntStages = z.object({
  germinatedOn: z.nullable(Day),
  vegetativeOn: z.nullable(Day),
  flowerOn: z.nullable(Day),
  harvestedOn: z.nullable(Day),
  /** Drying, or curing if no drying was logged. */
  driedOn: z.nullable(Day),
})
export type HuntStages = z.infer<typeof HuntStages>

export const Hunt = z.object({
  id: Id,
  huntName: z.string(),
  breeders: z.array(z.string()),
  /** As entered. `counts.genotypes` is the number of numbered seeds. */
  seedCount: z.int(),
  isActive: z.boolean(),
  growEnvironment: z.string(),
  germinationDate: z.nullable(Day),
  goals: z.string(),
  /** The legal limit on living plants where the grower lives. Null if not entered or not visible to the viewer. */
  plantLimit: z.nullable(z.int()),
  /** Only males compete to be kept. */
  selectsMales: z.boolean(),
  /** Phenotypes compete even if only a jar of them is left. */
  ranksHarvested: z.boolean(),
  visibility: HuntVisibility,
  publishedAt: z.nullable(z.iso.datetime()),
  access: HuntAccess,
  owner: Person,
  isOwnerFollowed: z.boolean(),
  sharesCount: z.nullable(z.int()),
  counts: HuntCounts,
  stages: HuntStages,
  commentsCount: z.int(),
  /** Photos in an imported archive that haven't been uploaded yet; 0 for people who can't edit the hunt. */
  photosAwaited: z.int(),
  isDemo: z.boolean(),
  /** Changes with every write to the hunt itself. Send it with an edit; a stale version is rejected (409). */
  version: z.int(),
  completedOn: z.nullable(Day),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  abilities: z.object({
    /** The hunt's details and everything in it: plants, logs, scores, decisions. */
    write: z.boolean(),
    /** Includes completing, reopening, sharing and deleting the hunt, and changing its visibility. */
    own: z.boolean(),
    leave: z.boolean(),
    comment: z.boolean(),
    report: z.boolean(),
  }),
})
export type Hunt = z.infer<typeof Hunt>

export const HuntParams = IdParams

const fields = {
  huntName: line(120, 'Hunt name is required'),
  breeders: z.array(line(80, 'Enter a breeder')).check(z.maxLength(20, 'At most 20 breeders')),
  growEnvironment: line(120),
  germinationDate: z.nullable(Day),
  goals: line(2000),
  plantLimit: z.nullable(z.int('Must be a whole number').check(z.minimum(1, 'At least 1'), z.maximum(100_000, 'At most 100,000'))),
}

const SeedNumber = z.int('Must be a whole number').check(z.minimum(0, 'At least 0'), z.maximum(maxSeeds, 'At most 10,000'))

/** Mother × father, or a selfed mother. */
export const NewHuntCross = z.object({
  mother: z._default(line(120), ''),
  father: z._default(line(120), ''),
  isSelfed: z._default(z.boolean(), false),
  generation: z._default(line(20), ''),
  seedType: z._default(z.enum(['regular', 'feminized', 'auto']), 'regular'),
})
export type NewHuntCross = z.infer<typeof NewHuntCross>

export const NewHunt = z.object({
  huntName: fields.huntName,
  breeders: z._default(fields.breeders, []),
  seedCount: z._default(SeedNumber, 0),
  growEnvironment: z._default(fields.growEnvironment, ''),
  germinationDate: z._default(fields.germinationDate, null),
  goals: z._default(fields.goals, ''),
  plantLimit: z._default(fields.plantLimit, null),
  cross: z._default(z.nullable(NewHuntCross), null),
})
export type NewHunt = z.infer<typeof NewHunt>

/** Omitted fields are unchanged. Changing `seedCount` neither creates nor deletes plants. */
export const HuntChange = z.extend(
  z.partial(z.object({ ...fields, seedCount: SeedNumber, selectsMales: z.boolean(), ranksHarvested: z.boolean() })),
  { version: z.int() },
)
export type HuntChange = z.infer<typeof HuntChange>

/** All figures are about owned hunts, not those shared with the person. */
export const HuntSummary = z.object({
  active: z.int(),
  completed: z.int(),
  livingPlants: z.int(),
  keepers: z.int(),
})
export type HuntSummary = z.infer<typeof HuntSummary>

/** Visible only to people with write access, even in public hunts. */
export const GrowTask = z.object({
  id: Id,
  huntId: Id,
  huntName: z.string(),
  /** Null for the whole hunt. */
  genotype: z.nullable(z.object({ id: Id, number: z.int(), label: z.string() })),
  title: z.string(),
  dueOn: Day,
  /** The interval at which the task repeats, counted from the due date. Null if it doesn't repeat. */
  everyDays: z.nullable(z.int()),
  doneAt: z.nullable(z.iso.datetime()),
  doneBy: z.nullable(Person),
  version: z.int(),
})
export type GrowTask = z.infer<typeof GrowTask>

export const maxOpenTasks = 500

const taskFields = {
  title: line(200, 'Enter a task'),
  dueOn: Day,
  everyDays: z.nullable(z.int('Must be a whole number').check(z.minimum(1, 'At least 1 day'), z.maximum(365, 'At most 365 days'))),
  genotypeId: z.nullable(Id),
}

export const NewGrowTask = z.object({
  title: taskFields.title,
  dueOn: taskFields.dueOn,
  everyDays: z._default(taskFields.everyDays, null),
  genotypeId: z._default(taskFields.genotypeId, null),
})
export type NewGrowTask = z.infer<typeof NewGrowTask>

export const GrowTaskChange = z.extend(z.partial(z.object(taskFields)), { version: z.int() })
export type GrowTaskChange = z.infer<typeof GrowTaskChange>
