import * as z from 'zod/mini'
import { AccountType } from './accounts.ts'
import { BusinessSummary } from './businesses.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlug, IdOrSlugParams, IdParams } from './ids.ts'
import { page } from './pagination.ts'

/** Somebody, as others see them beside what they wrote. */
export const Person = z.object({ id: Id, name: z.string(), imageUrl: z.nullable(z.string()) })
export type Person = z.infer<typeof Person>

export const PersonInList = z.extend(Person, {
  /** Whether the viewer follows them. */
  isFollowing: z.boolean(),
  isSelf: z.boolean(),
})
export type PersonInList = z.infer<typeof PersonInList>

/** What is `null` is not for this viewer: a profile that is not public shows its name alone. */
export const Profile = z.extend(Person, {
  isProfilePublic: z.boolean(),
  isSelf: z.boolean(),
  isFollowing: z.boolean(),
  isBlocked: z.boolean(),
  userType: z.nullable(AccountType),
  location: z.nullable(z.string()),
  bio: z.nullable(z.string()),
  interests: z.array(z.string()),
  followingCount: z.nullable(z.int()),
  followersCount: z.nullable(z.int()),
  /** Under the own name. */
  postsCount: z.nullable(z.int()),
  createdAt: z.nullable(z.iso.datetime()),
})
export type Profile = z.infer<typeof Profile>

export const getProfile = endpoint({
  method: 'GET',
  path: '/api/people/:id',
  summary: "A person's profile; of one that is not public, the name alone",
  tag: 'People',
  access: 'member',
  params: IdParams,
  response: Profile,
})

const FollowState = z.object({ id: Id, isFollowing: z.boolean() })

export const followPerson = endpoint({
  method: 'PUT',
  path: '/api/people/:id/follow',
  summary: 'Follow a person; following again changes nothing',
  tag: 'Follows',
  access: 'member',
  params: IdParams,
  response: FollowState,
})

export const unfollowPerson = endpoint({
  method: 'DELETE',
  path: '/api/people/:id/follow',
  summary: 'Stop following a person; stopping again changes nothing',
  tag: 'Follows',
  access: 'member',
  params: IdParams,
  response: FollowState,
})

export const followBusiness = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/follow',
  summary: 'Follow a business, for free; following again changes nothing',
  tag: 'Follows',
  access: 'member',
  params: IdParams,
  response: FollowState,
})

export const unfollowBusiness = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/follow',
  summary: 'Stop following a business; a subscriber goes on following (409)',
  tag: 'Follows',
  access: 'member',
  params: IdParams,
  response: FollowState,
})

export const listFollowers = endpoint({
  method: 'GET',
  path: '/api/people/:id/followers',
  summary: 'Who follows a person, newest first: all for the person, those with a public profile for others',
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
  summary: 'Whom a person follows, newest first: all for the person, those with a public profile for others',
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
  summary: 'The businesses that a person follows, newest first',
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
  summary: 'Block a person: neither sees the other any more, and neither follows the other',
  tag: 'Blocks',
  access: 'member',
  params: IdParams,
  response: BlockState,
})

export const unblockPerson = endpoint({
  method: 'DELETE',
  path: '/api/people/:id/block',
  summary: 'End a block; what was followed or shared before is not any more',
  tag: 'Blocks',
  access: 'member',
  params: IdParams,
  response: BlockState,
})

export const blockBusiness = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/block',
  summary: 'Block a business: its posts and reviews are nowhere, and it is not followed or subscribed to',
  tag: 'Blocks',
  access: 'member',
  params: IdParams,
  response: BlockState,
})

export const unblockBusiness = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/block',
  summary: 'End the block of a business',
  tag: 'Blocks',
  access: 'member',
  params: IdParams,
  response: BlockState,
})

const BlockedByBusiness = z.object({ id: IdOrSlug, personId: Id })

export const blockForBusiness = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/blocked-people/:personId',
  summary: 'Block a person in the name of a business: they cannot write to it, comment under its posts, follow it or subscribe to it',
  tag: 'Blocks',
  access: 'member',
  params: BlockedByBusiness,
  response: BlockState,
})

export const unblockForBusiness = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/blocked-people/:personId',
  summary: 'End the block of a person by a business. Idempotent.',
  tag: 'Blocks',
  access: 'member',
  params: BlockedByBusiness,
  response: BlockState,
})

export const listBlockedByBusiness = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/blocked-people',
  summary: 'List the people whom a business has blocked, newest first; only for its owner and managers',
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
  summary: 'Whom the signed-in person has blocked, newest first',
  tag: 'Blocks',
  access: 'member',
  paginated: true,
  query: z.object(page),
  response: z.array(Person),
})

export const listBlockedBusinesses = endpoint({
  method: 'GET',
  path: '/api/blocks/businesses',
  summary: 'The businesses that the signed-in person has blocked, newest first',
  tag: 'Blocks',
  access: 'member',
  paginated: true,
  query: z.object(page),
  response: z.array(BusinessSummary),
})
