import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdParams } from './ids.ts'
import { page } from './pagination.ts'
import { Person } from './people.ts'
import { line } from './text.ts'

/** What somebody may do with a hunt: each includes the ones before it. */
export const HuntAccess = z.enum(['view', 'write', 'own'])
export type HuntAccess = z.infer<typeof HuntAccess>

/** What a share can give. */
export const ShareAccess = z.enum(['view', 'write'])
export type ShareAccess = z.infer<typeof ShareAccess>

/** `private`: for the owner and those it is shared with. `public`: for everybody signed in, too, to look at. */
export const HuntVisibility = z.enum(['private', 'public'])
export type HuntVisibility = z.infer<typeof HuntVisibility>

/** A calendar day, `YYYY-MM-DD`. */
export const Day = z.iso.date('Choose a day').check(z.refine((day) => day >= '1900', 'Choose a later day'))

export const maxSeeds = 10_000

export const HuntCounts = z.object({
  /** Numbered seeds: phenotypes. */
  genotypes: z.int(),
  /** Plants of seed and clones that have not ended. */
  livingPlants: z.int(),
  logs: z.int(),
  /** Genotypes whose decision stands at keep or at breed. */
  keepers: z.int(),
  culled: z.int(),
})
export type HuntCounts = z.infer<typeof HuntCounts>

/** The first day of each stage, as far as germination, logs, runs and harvests tell it. */
export const HuntStages = z.object({
  germinatedOn: z.nullable(Day),
  vegetativeOn: z.nullable(Day),
  flowerOn: z.nullable(Day),
  harvestedOn: z.nullable(Day),
  /** Drying, or curing where no drying was logged. */
  driedOn: z.nullable(Day),
})
export type HuntStages = z.infer<typeof HuntStages>

export const Hunt = z.object({
  id: Id,
  huntName: z.string(),
  breeders: z.array(z.string()),
  /** As stated; `counts.genotypes` says how many are numbered. */
  seedCount: z.int(),
  isActive: z.boolean(),
  growEnvironment: z.string(),
  germinationDate: z.nullable(Day),
  goals: z.string(),
  /** How many plants may live at once where the grower lives; null: not stated, or not for this viewer. */
  plantLimit: z.nullable(z.int()),
  visibility: HuntVisibility,
  publishedAt: z.nullable(z.iso.datetime()),
  /** What the viewer may do with it. */
  access: HuntAccess,
  owner: Person,
  /** Whether the viewer follows the owner. */
  isOwnerFollowed: z.boolean(),
  /** With how many people it is shared; null for everybody but the owner. */
  sharesCount: z.nullable(z.int()),
  counts: HuntCounts,
  stages: HuntStages,
  commentsCount: z.int(),
  isDemo: z.boolean(),
  /** Changes with every change of the hunt itself; sent back with a change, it refuses one that was made on an older state (409). */
  version: z.int(),
  completedOn: z.nullable(Day),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  abilities: z.object({
    /** Its name, goals and other facts, and everything in it: plants, logs, scores, decisions. */
    write: z.boolean(),
    /** Complete and reopen it, share it, make it public or private, delete it. */
    own: z.boolean(),
    /** A share of one's own can be given back. */
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

/** What the seeds are, where it is known: mother × father, or mother selfed. */
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
  /** So many numbered plants come with it. */
  seedCount: z._default(SeedNumber, 0),
  growEnvironment: z._default(fields.growEnvironment, ''),
  germinationDate: z._default(fields.germinationDate, null),
  goals: z._default(fields.goals, ''),
  plantLimit: z._default(fields.plantLimit, null),
  cross: z._default(z.nullable(NewHuntCross), null),
})
export type NewHunt = z.infer<typeof NewHunt>

/** What is not given stays. `seedCount` is what is stated: it makes and takes no plants. */
export const HuntChange = z.extend(z.partial(z.object({ ...fields, seedCount: SeedNumber })), { version: z.int() })
export type HuntChange = z.infer<typeof HuntChange>

/** `true` and `false` of a query string. */
const flag = z.pipe(
  z.transform((value: unknown) => (value === 'true' ? true : value === 'false' ? false : value)),
  z.boolean('Must be true or false'),
)

export const listHunts = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts',
  summary: 'Pheno hunts, newest first: the own ones and those shared with one, or the public ones',
  tag: 'Pheno hunts',
  access: 'member',
  paginated: true,
  query: z.object({
    ...page,
    /** `mine`: own and shared. `public`: of everybody, the last published first. */
    scope: z._default(z.enum(['mine', 'public']), 'mine'),
    isActive: z.optional(flag),
    /** In names and breeders. */
    search: z.optional(line(80)),
  }),
  response: z.array(Hunt),
})

export const createHunt = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts',
  summary: 'Begin a hunt, with as many numbered plants as there are seeds; private until it is shared or made public',
  tag: 'Pheno hunts',
  access: 'member',
  words: 'draft',
  idempotent: true,
  body: NewHunt,
  response: Hunt,
  status: 201,
})

export const HuntSummary = z.object({
  /** Own hunts, not those shared with one. */
  active: z.int(),
  completed: z.int(),
  livingPlants: z.int(),
  keepers: z.int(),
})
export type HuntSummary = z.infer<typeof HuntSummary>

export const getHuntSummary = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/summary',
  summary: 'How many hunts, living plants and keepers the signed-in person has',
  tag: 'Pheno hunts',
  access: 'member',
  response: HuntSummary,
})

export const getHunt = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id',
  summary: 'One hunt; 404 for whoever it is neither shared with nor public for',
  tag: 'Pheno hunts',
  access: 'member',
  params: HuntParams,
  response: Hunt,
})

export const changeHunt = endpoint({
  method: 'PATCH',
  path: '/api/pheno-hunts/:id',
  summary: 'Change the facts of a hunt',
  tag: 'Pheno hunts',
  access: 'member',
  words: 'mixed',
  params: HuntParams,
  body: HuntChange,
  response: Hunt,
})

export const deleteHunt = endpoint({
  method: 'DELETE',
  path: '/api/pheno-hunts/:id',
  summary: 'Delete a hunt with everything in it; nothing of it can be brought back',
  tag: 'Pheno hunts',
  access: 'member',
  params: HuntParams,
})

export const completeHunt = endpoint({
  method: 'PUT',
  path: '/api/pheno-hunts/:id/completion',
  summary: 'Mark a hunt as completed, today or on a day before; it can still be read and corrected',
  tag: 'Pheno hunts',
  access: 'member',
  params: HuntParams,
  body: z.object({ completedOn: z.optional(Day) }),
  response: Hunt,
})

export const reopenHunt = endpoint({
  method: 'DELETE',
  path: '/api/pheno-hunts/:id/completion',
  summary: 'Have a completed hunt active again; one that is active stays so',
  tag: 'Pheno hunts',
  access: 'member',
  params: HuntParams,
  response: Hunt,
})

export const setHuntVisibility = endpoint({
  method: 'PUT',
  path: '/api/pheno-hunts/:id/visibility',
  summary: 'Make a hunt public, or private again: from then on nobody sees it whom it is not shared with',
  tag: 'Pheno hunts',
  access: 'member',
  words: 'mixed',
  params: HuntParams,
  body: z.object({ visibility: HuntVisibility }),
  response: Hunt,
})
