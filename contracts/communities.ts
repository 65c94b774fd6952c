import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlugParams, IdParams } from './ids.ts'
import { page } from './pagination.ts'
import { line } from './text.ts'

export const communityCategories = ['growing', 'strains', 'medical', 'business', 'general'] as const
export const CommunityCategory = z.enum(communityCategories, 'Choose a category')
export type CommunityCategory = z.infer<typeof CommunityCategory>

/**
 * - `public`: signed-in people find, read and join it; members write
 * - `invite_only`: signed-in people find it with its description and rules; only members read and write; others request to join or are
 *   invited
 * - `private`: visible only to members and people they invite
 */
export const communityVisibilities = ['public', 'private', 'invite_only'] as const
export const CommunityVisibility = z.enum(communityVisibilities, 'Choose who can see it')
export type CommunityVisibility = z.infer<typeof CommunityVisibility>

export const communityRoles = ['owner', 'moderator', 'member'] as const
export const CommunityRole = z.enum(communityRoles)
export type CommunityRole = z.infer<typeof CommunityRole>

export const maxRules = 15
export const maxRequestLength = 500

export const Community = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  category: CommunityCategory,
  memberCount: z.int(),
  /** Null if the viewer can't see its posts. */
  postCount: z.nullable(z.int()),
  /** Granted by an admin, never bought. */
  isVerified: z.boolean(),
  imageUrl: z.nullable(z.string()),
  visibility: CommunityVisibility,
  rules: z.array(z.string()),
  createdAt: z.iso.datetime(),
  isDemo: z.boolean(),
  /** Held by a filter or hidden by site moderators: visible only to its owner. */
  isHidden: z.boolean(),
  /** The viewer's role; null if they aren't a member. */
  myRole: z.nullable(CommunityRole),
  /** The viewer can't write here until then. */
  mutedUntil: z.nullable(z.iso.datetime()),
  isRequested: z.boolean(),
  /** The viewer has an open invitation. */
  isInvited: z.boolean(),
  /** Number of pending join requests; null unless the viewer moderates. */
  requestsCount: z.nullable(z.int()),
  abilities: z.object({
    read: z.boolean(),
    post: z.boolean(),
    /** Without a request. */
    join: z.boolean(),
    request: z.boolean(),
    /** The owner must transfer it first. */
    leave: z.boolean(),
    invite: z.boolean(),
    moderate: z.boolean(),
    /** Edit its details, visibility and roles, and transfer it. */
    edit: z.boolean(),
    delete: z.boolean(),
  }),
})
export type Community = z.infer<typeof Community>

const fields = {
  name: line(60, 'Enter a name').check(z.minLength(3, 'At least 3 characters')),
  description: line(1000, 'Describe the community'),
  category: CommunityCategory,
  visibility: CommunityVisibility,
  rules: z.array(line(200, 'Enter the rule or remove it')).check(z.maxLength(maxRules, `At most ${maxRules} rules`)),
  /** One of the person's uploads, already processed. */
  imageId: z.nullable(Id),
}

export const NewCommunity = z.object({
  name: fields.name,
  description: fields.description,
  category: fields.category,
  visibility: fields.visibility,
  rules: z._default(fields.rules, []),
  imageId: z._default(fields.imageId, null),
})
export type NewCommunity = z.infer<typeof NewCommunity>

/** Omitted fields stay. */
export const CommunityChange = z.partial(z.object(fields))
export type CommunityChange = z.infer<typeof CommunityChange>

/** `featured`: verified ones first, then by members. Payment plays no part. */
export const CommunitySort = z.enum(['featured', 'newest', 'name'])
export type CommunitySort = z.infer<typeof CommunitySort>

export const listCommunities = endpoint({
  method: 'GET',
  path: '/api/communities',
  summary: 'Find public and invite-only communities by words, category and order',
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
  summary: 'List the communities you are in, the last joined first',
  tag: 'Communities',
  access: 'member',
  paginated: true,
  query: z.object(page),
  response: z.array(Community),
})

export const CommunityStats = z.object({
  communities: z.int(),
  posts: z.int(),
  comments: z.int(),
  /** Likes on those posts. */
  likes: z.int(),
})
export type CommunityStats = z.infer<typeof CommunityStats>

export const getCommunityStats = endpoint({
  method: 'GET',
  path: '/api/communities/my/stats',
  summary: 'Read what you did in your communities',
  tag: 'Communities',
  access: 'member',
  response: CommunityStats,
})

export const CommunitySuggestion = z.object({
  community: Community,
  /**
   * - `people`: several people the viewer follows are members; fewer than three are never counted, to protect their privacy
   * - `category`: the viewer is in a community of this category
   * - `size`: one of the largest
   */
  because: z.enum(['people', 'category', 'size']),
})
export type CommunitySuggestion = z.infer<typeof CommunitySuggestion>

export const suggestCommunities = endpoint({
  method: 'GET',
  path: '/api/communities/suggestions',
  summary: 'Suggest at most five communities to join, with the reason for each',
  tag: 'Communities',
  access: 'member',
  response: z.array(CommunitySuggestion),
})

export const getCommunity = endpoint({
  method: 'GET',
  path: '/api/communities/:id',
  summary: 'Read a community by its id or address',
  tag: 'Communities',
  access: 'member',
  params: IdOrSlugParams,
  response: Community,
})

export const createCommunity = endpoint({
  method: 'POST',
  path: '/api/communities',
  summary: 'Create a community and own it; how many you can own grows with trust (409)',
  tag: 'Communities',
  access: 'member',
  words: 'published',
  idempotent: true,
  body: NewCommunity,
  response: Community,
  status: 201,
})

export const changeCommunity = endpoint({
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
  summary: 'Delete your community with everything in it; its name confirms the deletion',
  tag: 'Communities',
  access: 'member',
  params: IdParams,
  // Not in the URL, because URLs are logged.
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
  /** Visible only to those who decide on the request. */
  body: z._default(z.object({ message: z._default(line(maxRequestLength), '') }), { message: '' }),
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
