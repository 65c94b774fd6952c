import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { HuntParams, ShareAccess } from './hunts.ts'
import { Id } from './ids.ts'
import { Person } from './people.ts'
import { line } from './text.ts'

/** With how many people one hunt can be shared. */
export const maxShares = 100

export const HuntShare = z.object({ person: Person, access: ShareAccess, createdAt: z.iso.datetime() })
export type HuntShare = z.infer<typeof HuntShare>

export const ShareParams = z.object({ id: Id, personId: Id })

export const listHuntShares = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/shares',
  summary: 'With whom an own hunt is shared, by when it was',
  tag: 'Pheno hunts',
  access: 'member',
  params: HuntParams,
  response: z.array(HuntShare),
})

export const shareHunt = endpoint({
  method: 'PUT',
  path: '/api/pheno-hunts/:id/shares/:personId',
  summary: 'Share an own hunt with a person, to look at or to write in; the same again changes nothing',
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
  summary: 'Take a share back, or give an own one back; one that is not there changes nothing',
  tag: 'Pheno hunts',
  access: 'member',
  params: ShareParams,
})

export const suggestPeopleToShareWith = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/people',
  summary: 'People to share an own hunt with: who follows or is followed, by the beginning of a name',
  tag: 'Pheno hunts',
  access: 'member',
  params: HuntParams,
  query: z.object({ search: z._default(line(80), '') }),
  response: z.array(Person),
})
