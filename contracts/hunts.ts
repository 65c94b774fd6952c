import { Id, IdParams, line } from './fields.ts'
import { Person } from './people.ts'
import * as z from './zod.ts'

/** Access to a hunt; each level includes the previous ones. */
export const HuntAccess = z.enum(['view', 'write', 'own'])
export type HuntAccess = z.infer<typeof HuntAccess>

export const ShareAccess = z.enum(['view', 'write'])
export type ShareAccess = z.infer<typeof ShareAccess>

/** `private`: the owner and people it is shared with. `public`: also viewable by everyone signed in. */
export const HuntVisibility = z.enum(['private', 'public'])
export type HuntVisibility = z.infer<typeof HuntVisibility>

/** A calendar day, `YYYY-MM-DD`. */
export const Day = z.iso.date('Choose a day').check(z.refine((day) => day >= '1900', 'Choose a later day'))

export const maxSeeds = 10_000

export const HuntCounts = z.object({
  /** Numbered seeds, shown as phenos. */
  genotypes: z.int(),
  livingPlants: z.int(),
  logs: z.int(),
  /** Genotypes whose current decision is keep or breed. */
  keepers: z.int(),
  culled: z.int(),
})
export type HuntCounts = z.infer<typeof HuntCounts>

/** The first day of each stage, as far as known from germination, logs, runs and harvests. */
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
  /** As stated; `counts.genotypes` is how many are numbered. */
  seedCount: z.int(),
  isActive: z.boolean(),
  growEnvironment: z.string(),
  germinationDate: z.nullable(Day),
  goals: z.string(),
  /** The legal limit of living plants where the grower lives; null if not stated or not visible to this viewer. */
  plantLimit: z.nullable(z.int()),
  /** Males are wanted: they compete to be kept, and females don't. */
  selectsMales: z.boolean(),
  /** Phenotypes compete even if only a jar of them is left. */
  ranksHarvested: z.boolean(),
  visibility: HuntVisibility,
  publishedAt: z.nullable(z.iso.datetime()),
  access: HuntAccess,
  owner: Person,
  isOwnerFollowed: z.boolean(),
  /** Number of people it is shared with; null for everyone but the owner. */
  sharesCount: z.nullable(z.int()),
  counts: HuntCounts,
  stages: HuntStages,
  commentsCount: z.int(),
  isDemo: z.boolean(),
  /** Changes with every write to the hunt itself. Send it back with an edit; a stale version is rejected (409). */
  version: z.int(),
  completedOn: z.nullable(Day),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  abilities: z.object({
    /** Edit its details and everything in it: plants, logs, scores, decisions. */
    write: z.boolean(),
    /** Complete and reopen it, share it, change its visibility, delete it. */
    own: z.boolean(),
    /** Give up access to a hunt shared with the viewer. */
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

/** The seeds' cross, if known: mother × father, or a selfed mother. */
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
  /** Number of plants to create. */
  seedCount: z._default(SeedNumber, 0),
  growEnvironment: z._default(fields.growEnvironment, ''),
  germinationDate: z._default(fields.germinationDate, null),
  goals: z._default(fields.goals, ''),
  plantLimit: z._default(fields.plantLimit, null),
  cross: z._default(z.nullable(NewHuntCross), null),
})
export type NewHunt = z.infer<typeof NewHunt>

/** Omitted fields are unchanged. `seedCount` is only informational: changing it neither creates nor deletes plants. */
export const HuntChange = z.extend(
  z.partial(z.object({ ...fields, seedCount: SeedNumber, selectsMales: z.boolean(), ranksHarvested: z.boolean() })),
  { version: z.int() },
)
export type HuntChange = z.infer<typeof HuntChange>

export const HuntSummary = z.object({
  /** Owned hunts, excluding those shared with the person. */
  active: z.int(),
  completed: z.int(),
  livingPlants: z.int(),
  keepers: z.int(),
})
export type HuntSummary = z.infer<typeof HuntSummary>
