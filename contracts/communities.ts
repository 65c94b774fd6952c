import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlugParams, IdParams } from './ids.ts'
import { page } from './pagination.ts'
import { line } from './text.ts'

export const communityCategories = ['growing', 'strains', 'medical', 'business', 'general'] as const
export const CommunityCategory = z.enum(communityCategories, 'Choose a category')
export type CommunityCategory = z.infer<typeof CommunityCategory>

/**
 * - `public`: everybody signed in finds and reads it, and joins by themselves; members write
 * - `invite_only`: everybody signed in finds it, with its description and rules; members read and write; the others ask, or are invited
 * - `private`: it exists for its members and for whom they invite
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
  /** Null for whom its posts are not there. */
  postCount: z.nullable(z.int()),
  /** Given by an admin, never bought. */
  isVerified: z.boolean(),
  imageUrl: z.nullable(z.string()),
  visibility: CommunityVisibility,
  rules: z.array(z.string()),
  createdAt: z.iso.datetime(),
  isDemo: z.boolean(),
  /** Held by a filter, or hidden by moderators of the site: there for its owner alone. */
  isHidden: z.boolean(),
  /** What the viewer is in it; null: not a member. */
  myRole: z.nullable(CommunityRole),
  /** The viewer reads but does not write here until then. */
  mutedUntil: z.nullable(z.iso.datetime()),
  /** The viewer asked to be let in, and nobody has decided yet. */
  isRequested: z.boolean(),
  /** An open invitation names the viewer. */
  isInvited: z.boolean(),
  /** How many ask to be let in; null for whoever does not moderate. */
  requestsCount: z.nullable(z.int()),
  abilities: z.object({
    read: z.boolean(),
    post: z.boolean(),
    /** At once. */
    join: z.boolean(),
    /** Ask to be let in. */
    request: z.boolean(),
    /** The owner hands it over first. */
    leave: z.boolean(),
    invite: z.boolean(),
    moderate: z.boolean(),
    /** Its name, description, rules, picture and who sees it; roles; handing it over. */
    edit: z.boolean(),
    delete: z.boolean(),
  }),
})
export type Community = z.infer<typeof Community>

const fields = {
  name: line(60, 'Give it a name').check(z.minLength(3, 'At least 3 characters')),
  description: line(1000, 'Say what it is about'),
  category: CommunityCategory,
  visibility: CommunityVisibility,
  rules: z.array(line(200, 'Write the rule, or take it out')).check(z.maxLength(maxRules, `At most ${maxRules} rules`)),
  /** An own upload that is ready. */
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

/** What is not given stays. */
export const CommunityChange = z.partial(z.object(fields))
export type CommunityChange = z.infer<typeof CommunityChange>

/** `featured`: verified ones first, then by members. Nothing that can be bought has a part in it. */
export const CommunitySort = z.enum(['featured', 'newest', 'name'])
export type CommunitySort = z.infer<typeof CommunitySort>

export const listCommunities = endpoint({
  method: 'GET',
  path: '/api/communities',
  summary: 'Communities that can be found: public and invite-only ones, by words, category and order',
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
  summary: 'How many communities there are to find in each category',
  tag: 'Communities',
  access: 'member',
  response: z.array(z.object({ category: CommunityCategory, count: z.int() })),
})

export const listMyCommunities = endpoint({
  method: 'GET',
  path: '/api/communities/my',
  summary: 'The communities that the signed-in person is in, the last joined first',
  tag: 'Communities',
  access: 'member',
  paginated: true,
  query: z.object(page),
  response: z.array(Community),
})

/** What the signed-in person did in communities. */
export const CommunityStats = z.object({
  communities: z.int(),
  posts: z.int(),
  comments: z.int(),
  /** On those posts. */
  likes: z.int(),
})
export type CommunityStats = z.infer<typeof CommunityStats>

export const getCommunityStats = endpoint({
  method: 'GET',
  path: '/api/communities/my/stats',
  summary: 'What the signed-in person did in the communities they are in',
  tag: 'Communities',
  access: 'member',
  response: CommunityStats,
})

export const CommunitySuggestion = z.object({
  community: Community,
  /**
   * - `people`: several whom the viewer follows are in it; fewer than three are never told, so that nobody's membership is
   * - `category`: of a category that the viewer is in already
   * - `size`: neither; it is one of the largest
   */
  because: z.enum(['people', 'category', 'size']),
})
export type CommunitySuggestion = z.infer<typeof CommunitySuggestion>

export const suggestCommunities = endpoint({
  method: 'GET',
  path: '/api/communities/suggestions',
  summary: 'At most five communities to join, with the reason for each',
  tag: 'Communities',
  access: 'member',
  response: z.array(CommunitySuggestion),
})

export const getCommunity = endpoint({
  method: 'GET',
  path: '/api/communities/:id',
  summary: 'A community, by its id or address',
  tag: 'Communities',
  access: 'member',
  params: IdOrSlugParams,
  response: Community,
})

export const createCommunity = endpoint({
  method: 'POST',
  path: '/api/communities',
  summary: 'Begin a community and own it; how many one can own grows with trust (409)',
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
  summary: 'Change an own community; what is not given stays',
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
  summary: 'Delete an own community with all that is in it; its name confirms that it is meant',
  tag: 'Communities',
  access: 'member',
  params: IdParams,
  // Not in the address: those are logged.
  body: z.object({ name: line(60) }),
})

export const joinCommunity = endpoint({
  method: 'POST',
  path: '/api/communities/:id/join',
  summary: 'Join a public community or one that invited; ask to be let into an invite-only one; the same again changes nothing',
  tag: 'Communities',
  access: 'member',
  words: 'mixed',
  params: IdParams,
  /** For those who decide on the request; otherwise nobody reads it. */
  body: z._default(z.object({ message: z._default(line(maxRequestLength), '') }), { message: '' }),
  response: Community,
})

export const leaveCommunity = endpoint({
  method: 'DELETE',
  path: '/api/communities/:id/membership',
  summary: 'Leave a community, or take the own request back; the same again changes nothing',
  tag: 'Communities',
  access: 'member',
  params: IdParams,
})

export const verifyCommunity = endpoint({
  method: 'PUT',
  path: '/api/admin/communities/:id/verified',
  summary: 'Give a community the Verified badge, or take it',
  tag: 'Admin',
  access: 'admin',
  params: IdParams,
  body: z.object({ isVerified: z.boolean() }),
  response: Community,
})
