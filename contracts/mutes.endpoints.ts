import { BusinessSummary } from './businesses.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, page } from './fields.ts'
import { Person } from './people.ts'
import * as z from './zod.ts'

const tag = 'Mutes'
const MuteState = z.object({ id: Id, isMuted: z.boolean() })

export const mutePerson = endpoint({
  method: 'PUT',
  path: '/api/people/:id/mute',
  summary: "Keep a person's posts out of your feed and notifications; they aren't notified. Idempotent.",
  tag,
  access: 'member',
  params: IdParams,
  response: MuteState,
})

export const unmutePerson = endpoint({
  method: 'DELETE',
  path: '/api/people/:id/mute',
  summary: 'Unmute a person. Idempotent.',
  tag,
  access: 'member',
  params: IdParams,
  response: MuteState,
})

export const muteBusiness = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/mute',
  summary: "Keep a business's posts out of your feed and notifications; its team isn't notified. Idempotent.",
  tag,
  access: 'member',
  params: IdParams,
  response: MuteState,
})

export const unmuteBusiness = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/mute',
  summary: 'Unmute a business. Idempotent.',
  tag,
  access: 'member',
  params: IdParams,
  response: MuteState,
})

export const listMutedPeople = endpoint({
  method: 'GET',
  path: '/api/mutes/people',
  summary: 'List the people you have muted, newest first',
  tag,
  access: 'member',
  paginated: true,
  query: z.object(page),
  response: z.array(Person),
})

export const listMutedBusinesses = endpoint({
  method: 'GET',
  path: '/api/mutes/businesses',
  summary: 'List the businesses you have muted, newest first',
  tag,
  access: 'member',
  paginated: true,
  query: z.object(page),
  response: z.array(BusinessSummary),
})
