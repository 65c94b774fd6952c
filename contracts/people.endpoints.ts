import { BusinessSummary } from './businesses.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlug, IdOrSlugParams, IdParams, page } from './fields.ts'
import { Person, PersonInList, Profile } from './people.ts'
import * as z from './zod.ts'

export const getProfile = endpoint({
  method: 'GET',
  path: '/api/people/:id',
  summary: "Read a person's profile, or only the name if the profile isn't public",
  tag: 'People',
  access: 'member',
  params: IdParams,
  response: Profile,
})

const FollowState = z.object({ id: Id, isFollowing: z.boolean() })

export const followPerson = endpoint({
  method: 'PUT',
  path: '/api/people/:id/follow',
  summary: 'Follow a person. Idempotent.',
  tag: 'Follows',
  access: 'member',
  params: IdParams,
  response: FollowState,
})

export const unfollowPerson = endpoint({
  method: 'DELETE',
  path: '/api/people/:id/follow',
  summary: 'Unfollow a person. Idempotent.',
  tag: 'Follows',
  access: 'member',
  params: IdParams,
  response: FollowState,
})

export const followBusiness = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/follow',
  summary: 'Follow a business for free. Idempotent.',
  tag: 'Follows',
  access: 'member',
  params: IdParams,
  response: FollowState,
})

export const unfollowBusiness = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/follow',
  summary: 'Unfollow a business. Returns 409 for its subscribers. Idempotent.',
  tag: 'Follows',
  access: 'member',
  params: IdParams,
  response: FollowState,
})

export const listFollowers = endpoint({
  method: 'GET',
  path: '/api/people/:id/followers',
  summary:
    "List a person's followers, newest first. Other people's lists contain only public profiles. Returns 403 if the person's profile is private.",
  tag: 'Follows',
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object(page),
  response: z.array(PersonInList),
})

export const listFollowedPeople = endpoint({
  method: 'GET',
  path: '/api/people/:id/following/people',
  summary:
    "List the people a person follows, newest first. Other people's lists contain only public profiles. Returns 403 if the person's profile is private.",
  tag: 'Follows',
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object(page),
  response: z.array(PersonInList),
})

export const listFollowedBusinesses = endpoint({
  method: 'GET',
  path: '/api/people/:id/following/businesses',
  summary: 'List the businesses a person follows, newest first. Returns 403 if the profile is private.',
  tag: 'Follows',
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object(page),
  response: z.array(BusinessSummary),
})

const BlockState = z.object({ id: Id, isBlocked: z.boolean() })

export const blockPerson = endpoint({
  method: 'PUT',
  path: '/api/people/:id/block',
  summary: "Block a person: you'll no longer see or follow each other",
  tag: 'Blocks',
  access: 'member',
  params: IdParams,
  response: BlockState,
})

export const unblockPerson = endpoint({
  method: 'DELETE',
  path: '/api/people/:id/block',
  summary: "Unblock a person; earlier follows and shares aren't restored",
  tag: 'Blocks',
  access: 'member',
  params: IdParams,
  response: BlockState,
})

export const blockBusiness = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/block',
  summary: "Block a business: you'll no longer see its posts, follow it or subscribe to it",
  tag: 'Blocks',
  access: 'member',
  params: IdParams,
  response: BlockState,
})

export const unblockBusiness = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/block',
  summary: 'Unblock a business',
  tag: 'Blocks',
  access: 'member',
  params: IdParams,
  response: BlockState,
})

const BlockedByBusiness = z.object({ id: IdOrSlug, personId: Id })

export const blockForBusiness = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/blocked-people/:personId',
  summary: "Block a person for a business: they can't write to it, comment on its posts, follow it or subscribe to it",
  tag: 'Blocks',
  access: 'member',
  params: BlockedByBusiness,
  response: BlockState,
})

export const unblockForBusiness = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/blocked-people/:personId',
  summary: 'Unblock a person for a business. Idempotent.',
  tag: 'Blocks',
  access: 'member',
  params: BlockedByBusiness,
  response: BlockState,
})

export const listBlockedByBusiness = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/blocked-people',
  summary: 'List the people a business has blocked, newest first (owner and managers only)',
  tag: 'Blocks',
  access: 'member',
  paginated: true,
  params: IdOrSlugParams,
  query: z.object(page),
  response: z.array(Person),
})

export const listBlockedPeople = endpoint({
  method: 'GET',
  path: '/api/blocks/people',
  summary: 'List the people you have blocked, newest first',
  tag: 'Blocks',
  access: 'member',
  paginated: true,
  query: z.object(page),
  response: z.array(Person),
})

export const listBlockedBusinesses = endpoint({
  method: 'GET',
  path: '/api/blocks/businesses',
  summary: 'List the businesses you have blocked, newest first',
  tag: 'Blocks',
  access: 'member',
  paginated: true,
  query: z.object(page),
  response: z.array(BusinessSummary),
})

const MuteState = z.object({ id: Id, isMuted: z.boolean() })

export const mutePerson = endpoint({
  method: 'PUT',
  path: '/api/people/:id/mute',
  summary: "Keep a person's posts out of your feed and notifications; they aren't notified. Idempotent.",
  tag: 'Mutes',
  access: 'member',
  params: IdParams,
  response: MuteState,
})

export const unmutePerson = endpoint({
  method: 'DELETE',
  path: '/api/people/:id/mute',
  summary: 'Unmute a person. Idempotent.',
  tag: 'Mutes',
  access: 'member',
  params: IdParams,
  response: MuteState,
})

export const muteBusiness = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/mute',
  summary: "Keep a business's posts out of your feed and notifications; its team isn't notified. Idempotent.",
  tag: 'Mutes',
  access: 'member',
  params: IdParams,
  response: MuteState,
})

export const unmuteBusiness = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/mute',
  summary: 'Unmute a business. Idempotent.',
  tag: 'Mutes',
  access: 'member',
  params: IdParams,
  response: MuteState,
})

export const listMutedPeople = endpoint({
  method: 'GET',
  path: '/api/mutes/people',
  summary: 'List the people you have muted, newest first',
  tag: 'Mutes',
  access: 'member',
  paginated: true,
  query: z.object(page),
  response: z.array(Person),
})

export const listMutedBusinesses = endpoint({
  method: 'GET',
  path: '/api/mutes/businesses',
  summary: 'List the businesses you have muted, newest first',
  tag: 'Mutes',
  access: 'member',
  paginated: true,
  query: z.object(page),
  response: z.array(BusinessSummary),
})
