import {
  Community,
  CommunityCategory,
  CommunityChange,
  CommunitySort,
  CommunityStats,
  CommunitySuggestion,
  NewCommunity,
} from './communities.ts'
import { endpoint } from './endpoint.ts'
import { IdOrSlugParams, IdParams, line, page } from './fields.ts'
import { maxJoinRequestLength } from './limits.ts'
import * as z from './zod.ts'

export const listCommunities = endpoint({
  method: 'GET',
  path: '/api/communities',
  summary: 'Find public and invite-only communities by text and category',
  tag: 'Communities',
  access: 'member',
  paginated: true,
  query: z.object({
    ...page,
    q: z._default(line(120), ''),
    category: z.optional(CommunityCategory),
    sort: z._default(CommunitySort, 'featured'),
  }),
  response: z.array(Community),
})

export const countCommunities = endpoint({
  method: 'GET',
  path: '/api/communities/categories',
  summary: 'Count the communities in each category',
  tag: 'Communities',
  access: 'member',
  response: z.array(z.object({ category: CommunityCategory, count: z.int() })),
})

export const listMyCommunities = endpoint({
  method: 'GET',
  path: '/api/communities/my',
  summary: 'List your communities, most recently joined first',
  tag: 'Communities',
  access: 'member',
  paginated: true,
  query: z.object(page),
  response: z.array(Community),
})

export const getCommunityStats = endpoint({
  method: 'GET',
  path: '/api/communities/my/stats',
  summary: 'Count your activity in your communities',
  tag: 'Communities',
  access: 'member',
  response: CommunityStats,
})

export const suggestCommunities = endpoint({
  method: 'GET',
  path: '/api/communities/suggestions',
  summary: 'Suggest up to five communities to join, with the reason for each',
  tag: 'Communities',
  access: 'member',
  response: z.array(CommunitySuggestion),
})

export const getCommunity = endpoint({
  method: 'GET',
  path: '/api/communities/:id',
  summary: 'Read a community by ID or slug',
  tag: 'Communities',
  access: 'member',
  params: IdOrSlugParams,
  response: Community,
})

export const createCommunity = endpoint({
  method: 'POST',
  path: '/api/communities',
  summary: 'Create a community and become its owner. Returns 409 at your limit, which grows with trust.',
  tag: 'Communities',
  access: 'member',
  words: 'published',
  idempotent: true,
  body: NewCommunity,
  response: Community,
  status: 201,
})

export const updateCommunity = endpoint({
  method: 'PATCH',
  path: '/api/communities/:id',
  summary: 'Change your community',
  tag: 'Communities',
  access: 'member',
  words: 'published',
  params: IdParams,
  body: CommunityChange,
  response: Community,
})

export const deleteCommunity = endpoint({
  method: 'DELETE',
  path: '/api/communities/:id',
  summary: 'Delete your community with everything in it. Requires its name as confirmation.',
  tag: 'Communities',
  access: 'member',
  params: IdParams,
  // Sent in the body rather than the URL, because URLs are logged.
  body: z.object({ name: line(60) }),
})

export const joinCommunity = endpoint({
  method: 'POST',
  path: '/api/communities/:id/join',
  summary: 'Join a public community or one that invited you, or ask to join an invite-only one. Idempotent.',
  tag: 'Communities',
  access: 'member',
  words: 'mixed',
  params: IdParams,
  /** Only people who decide on join requests can see the message. */
  body: z._default(z.object({ message: z._default(line(maxJoinRequestLength), '') }), { message: '' }),
  response: Community,
})

export const leaveCommunity = endpoint({
  method: 'DELETE',
  path: '/api/communities/:id/membership',
  summary: 'Leave a community or withdraw a join request. Idempotent.',
  tag: 'Communities',
  access: 'member',
  params: IdParams,
})

export const verifyCommunity = endpoint({
  method: 'PUT',
  path: '/api/admin/communities/:id/verified',
  summary: 'Give a community the Verified badge, or remove it',
  tag: 'Admin',
  access: 'admin',
  params: IdParams,
  body: z.object({ isVerified: z.boolean() }),
  response: Community,
})
