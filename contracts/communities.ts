import { communityCategories, communityVisibilities } from './choices.ts'
import { Id, line } from './fields.ts'
import { maxCommunityRules } from './limits.ts'
import * as z from './zod.ts'

export const CommunityCategory = z.enum(communityCategories, 'Choose a category')
export type CommunityCategory = z.infer<typeof CommunityCategory>

export const CommunityVisibility = z.enum(communityVisibilities, 'Choose who can see it')
export type CommunityVisibility = z.infer<typeof CommunityVisibility>

export const communityRoles = ['owner', 'moderator', 'member'] as const
export const CommunityRole = z.enum(communityRoles)
export type CommunityRole = z.infer<typeof CommunityRole>

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
  rules: z.array(line(200, 'Enter the rule or remove it')).check(z.maxLength(maxCommunityRules, `At most ${maxCommunityRules} rules`)),
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

/** Omitted fields are unchanged. */
export const CommunityChange = z.partial(z.object(fields))
export type CommunityChange = z.infer<typeof CommunityChange>

/** `featured`: verified ones first, then by members. Payment plays no part. */
export const CommunitySort = z.enum(['featured', 'newest', 'name'])
export type CommunitySort = z.infer<typeof CommunitySort>

export const CommunityStats = z.object({
  communities: z.int(),
  posts: z.int(),
  comments: z.int(),
  /** Likes on those posts. */
  likes: z.int(),
})
export type CommunityStats = z.infer<typeof CommunityStats>

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
