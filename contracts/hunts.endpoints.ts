import { endpoint } from './endpoint.ts'
import { Id, line, page } from './fields.ts'
import { Day, Hunt, HuntChange, HuntParams, HuntSummary, HuntVisibility, NewHunt, ShareAccess } from './hunts.ts'
import { Person } from './people.ts'
import * as z from './zod.ts'

/** `true` or `false` in a query string. */
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
    /** `mine`: owned and shared hunts. `public`: everyone's, last published first. */
    scope: z._default(z.enum(['mine', 'public']), 'mine'),
    isActive: z.optional(flag),
    /** Searches names and breeders. */
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
  summary: 'Read a hunt; 404 unless it is yours, shared with you or public',
  tag: 'Pheno hunts',
  access: 'member',
  params: HuntParams,
  response: Hunt,
})

export const changeHunt = endpoint({
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
  summary: 'Make a hunt public, or private again; then only people it is shared with see it',
  tag: 'Pheno hunts',
  access: 'member',
  words: 'mixed',
  params: HuntParams,
  body: z.object({ visibility: HuntVisibility }),
  response: Hunt,
})

/** People a hunt can be shared with. */
export const maxShares = 100

export const HuntShare = z.object({ person: Person, access: ShareAccess, createdAt: z.iso.datetime() })
export type HuntShare = z.infer<typeof HuntShare>

const ShareParams = z.object({ id: Id, personId: Id })

export const listHuntShares = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/shares',
  summary: 'List the people your hunt is shared with, in the order of sharing',
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
  summary: 'End a share of your hunt, or leave a hunt shared with you. Idempotent.',
  tag: 'Pheno hunts',
  access: 'member',
  params: ShareParams,
})

export const suggestPeopleToShareWith = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/people',
  summary: 'Find people to share your hunt with, by the beginning of a name: those you follow or who follow you',
  tag: 'Pheno hunts',
  access: 'member',
  params: HuntParams,
  query: z.object({ search: z._default(line(80), '') }),
  response: z.array(Person),
})
