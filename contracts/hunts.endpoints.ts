import { endpoint } from './endpoint.ts'
import { Id, IdParams, line, page } from './fields.ts'
import { Day, Hunt, HuntChange, HuntParams, HuntSummary, HuntVisibility, NewHunt, ShareAccess } from './hunts.ts'
import { Person } from './people.ts'
import * as z from './zod.ts'

const flag = z.pipe(
  z.transform((value: unknown) => (value === 'true' ? true : value === 'false' ? false : value)),
  z.boolean('Must be true or false'),
)

export const listHunts = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts',
  summary: 'List pheno hunts, newest first: yours and those shared with you, or public ones',
  tag: 'Pheno hunts',
  access: 'member',
  paginated: true,
  query: z.object({
    ...page,
    /** `mine`: owned and shared hunts. `public`: everyone's, most recently published first. */
    scope: z._default(z.enum(['mine', 'public']), 'mine'),
    isActive: z.optional(flag),
    search: z.optional(line(80)),
  }),
  response: z.array(Hunt),
})

export const createHunt = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts',
  summary: 'Create a hunt with one numbered plant per seed; private until it is shared or made public',
  tag: 'Pheno hunts',
  access: 'member',
  words: 'draft',
  idempotent: true,
  body: NewHunt,
  response: Hunt,
  status: 201,
})

export const getHuntSummary = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/summary',
  summary: 'Count your hunts, living plants and keepers',
  tag: 'Pheno hunts',
  access: 'member',
  response: HuntSummary,
})

export const getHunt = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id',
  summary: 'Read a hunt. Returns 404 unless it is yours, shared with you or public.',
  tag: 'Pheno hunts',
  access: 'member',
  params: HuntParams,
  response: Hunt,
})

export const updateHunt = endpoint({
  method: 'PATCH',
  path: '/api/pheno-hunts/:id',
  summary: "Change a hunt's details",
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
  summary: "Delete a hunt with everything in it; this can't be undone",
  tag: 'Pheno hunts',
  access: 'member',
  params: HuntParams,
})

export const completeHunt = endpoint({
  method: 'PUT',
  path: '/api/pheno-hunts/:id/completion',
  summary: 'Mark a hunt as completed, today or on an earlier day; it can still be read and corrected',
  tag: 'Pheno hunts',
  access: 'member',
  params: HuntParams,
  body: z.object({ completedOn: z.optional(Day) }),
  response: Hunt,
})

export const reopenHunt = endpoint({
  method: 'DELETE',
  path: '/api/pheno-hunts/:id/completion',
  summary: 'Reopen a completed hunt. Idempotent.',
  tag: 'Pheno hunts',
  access: 'member',
  params: HuntParams,
  response: Hunt,
})

export const setHuntVisibility = endpoint({
  method: 'PUT',
  path: '/api/pheno-hunts/:id/visibility',
  summary: "Make a hunt public or private. Only you and the people it's shared with can see a private hunt.",
  tag: 'Pheno hunts',
  access: 'member',
  words: 'mixed',
  params: HuntParams,
  body: z.object({ visibility: HuntVisibility }),
  response: Hunt,
})

export const maxShares = 100

export const HuntShare = z.object({ person: Person, access: ShareAccess, createdAt: z.iso.datetime() })
export type HuntShare = z.infer<typeof HuntShare>

const ShareParams = z.object({ id: Id, personId: Id })

export const listHuntShares = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/shares',
  summary: 'List the people your hunt is shared with, in the order you shared it',
  tag: 'Pheno hunts',
  access: 'member',
  params: HuntParams,
  response: z.array(HuntShare),
})

export const shareHunt = endpoint({
  method: 'PUT',
  path: '/api/pheno-hunts/:id/shares/:personId',
  summary: 'Share your hunt with a person, to view or to edit. Idempotent.',
  tag: 'Pheno hunts',
  access: 'member',
  words: 'mixed',
  params: ShareParams,
  body: z.object({ access: ShareAccess }),
  response: HuntShare,
})

export const unshareHunt = endpoint({
  method: 'DELETE',
  path: '/api/pheno-hunts/:id/shares/:personId',
  summary: 'Stop sharing your hunt with a person, or leave a hunt shared with you. Idempotent.',
  tag: 'Pheno hunts',
  access: 'member',
  params: ShareParams,
})

export const suggestPeopleToShareWith = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/people',
  summary: 'Find people to share your hunt with, by the start of a name: those you follow or who follow you',
  tag: 'Pheno hunts',
  access: 'member',
  params: HuntParams,
  query: z.object({ search: z._default(line(80), '') }),
  response: z.array(Person),
})

export const huntEventKinds = [
  'hunt.created',
  'hunt.completed',
  'hunt.reopened',
  'seeds.added',
  'plant.cut',
  'plant.rooted',
  'plant.placed',
  'plant.changed',
  'plant.ended',
  'plant.revived',
  'genotype.sexed',
  'log.written',
  'log.changed',
  'log.deleted',
  'observation.made',
  'observation.corrected',
  'harvest.recorded',
  'harvest.changed',
  'harvest.deleted',
  'lab.recorded',
  'decision.made',
  'decision.undone',
  'panel.opened',
  'panel.filled',
  'panel.closed',
] as const
export const HuntEventKind = z.enum(huntEventKinds)
export type HuntEventKind = z.infer<typeof HuntEventKind>

export const HuntEvent = z.object({
  id: Id,
  huntId: Id,
  huntName: z.string(),
  kind: HuntEventKind,
  /** Null if the entry is about the whole hunt. */
  genotype: z.nullable(z.object({ id: Id, number: z.int(), label: z.string() })),
  plant: z.nullable(z.object({ id: Id, copy: z.int() })),
  subjectId: z.nullable(Id),
  /** Depends on the kind: how many seeds, which decision, how a plant ended. */
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** One line without a person or time, such as "Clone 2 of #7 rooted". */
  summary: z.string(),
  happenedOn: Day,
  recordedBy: z.nullable(Person),
  recordedAt: z.iso.datetime(),
})
export type HuntEvent = z.infer<typeof HuntEvent>

export const listHuntActivity = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/activity',
  summary: "List a hunt's activity, most recently recorded first",
  tag: 'Pheno hunts',
  access: 'member',
  paginated: true,
  params: HuntParams,
  query: z.object(page),
  response: z.array(HuntEvent),
})

export const listOwnActivity = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/activity',
  summary: 'List the activity in your hunts and the hunts shared with you, most recently recorded first',
  tag: 'Pheno hunts',
  access: 'member',
  paginated: true,
  query: z.object(page),
  response: z.array(HuntEvent),
})

export const HuntComment = z.object({
  id: Id,
  huntId: Id,
  author: Person,
  content: z.string(),
  createdAt: z.iso.datetime(),
  editedAt: z.nullable(z.iso.datetime()),
  /** Set only on the viewer's own comments. */
  moderation: z.nullable(z.enum(['held', 'hidden', 'removed'])),
  /** Sentences that tell the author why the comment was held. */
  heldFor: z.array(z.string()),
  abilities: z.object({ edit: z.boolean(), delete: z.boolean(), report: z.boolean() }),
})
export type HuntComment = z.infer<typeof HuntComment>

const content = line(2000, 'Write something first')

export const listHuntComments = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/comments',
  summary: 'List the comments on a hunt, oldest first',
  tag: 'Pheno hunts',
  access: 'member',
  paginated: true,
  params: HuntParams,
  query: z.object(page),
  response: z.array(HuntComment),
})

export const createHuntComment = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/comments',
  summary: 'Comment on a public hunt',
  tag: 'Pheno hunts',
  access: 'member',
  words: 'published',
  rateLimit: 'post',
  idempotent: true,
  params: HuntParams,
  body: z.object({ content }),
  response: HuntComment,
  status: 201,
})

export const updateHuntComment = endpoint({
  method: 'PATCH',
  path: '/api/hunt-comments/:id',
  summary: 'Change your own comment',
  tag: 'Pheno hunts',
  access: 'member',
  words: 'published',
  params: IdParams,
  body: z.object({ content }),
  response: HuntComment,
})

export const deleteHuntComment = endpoint({
  method: 'DELETE',
  path: '/api/hunt-comments/:id',
  summary: 'Delete your own comment, or one on your hunt',
  tag: 'Pheno hunts',
  access: 'member',
  params: IdParams,
})
