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
  /** Granted by an admin; can't be bought. */
  isVerified: z.boolean(),
  imageUrl: z.nullable(z.string()),
  visibility: CommunityVisibility,
  rules: z.array(z.string()),
  createdAt: z.iso.datetime(),
  isDemo: z.boolean(),
  /** Held by a filter or hidden by site moderators, so only the owner sees the community. */
  isHidden: z.boolean(),
  myRole: z.nullable(CommunityRole),
  mutedUntil: z.nullable(z.iso.datetime()),
  isRequested: z.boolean(),
  isInvited: z.boolean(),
  /** Pending join requests; null unless the viewer moderates the community. */
  requestsCount: z.nullable(z.int()),
  abilities: z.object({
    read: z.boolean(),
    post: z.boolean(),
    join: z.boolean(),
    request: z.boolean(),
    /** An owner must transfer the community before leaving. */
    leave: z.boolean(),
    invite: z.boolean(),
    moderate: z.boolean(),
    /** Includes visibility, roles and transferring the community. */
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

export const CommunityChange = z.partial(z.object(fields))
export type CommunityChange = z.infer<typeof CommunityChange>

/** `featured`: verified communities first, then by number of members. Payment plays no part. */
export const CommunitySort = z.enum(['featured', 'newest', 'name'])
export type CommunitySort = z.infer<typeof CommunitySort>

export const CommunityStats = z.object({
  communities: z.int(),
  posts: z.int(),
  comments: z.int(),
  likes: z.int(),
})
export type CommunityStats = z.infer<typeof CommunityStats>

export const CommunitySuggestion = z.object({
  community: Community,
  /**
   * - `people`: at least three people the viewer follows are members; a smaller number could reveal who they are
   * - `category`: the viewer is in a community of this category
   * - `size`: one of the largest
   */
  because: z.enum(['people', 'category', 'size']),
})
export type CommunitySuggestion = z.infer<typeof CommunitySuggestion>
