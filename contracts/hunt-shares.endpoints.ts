import { endpoint } from './endpoint.ts'
import { Id, line } from './fields.ts'
import { HuntParams, ShareAccess } from './hunts.ts'
import { Person } from './people.ts'
import * as z from './zod.ts'

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
