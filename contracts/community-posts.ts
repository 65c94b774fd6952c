import { Id, line } from './fields.ts'
import { pollLimits } from './limits.ts'
import { Person } from './people.ts'
import { CommunityPostType, Post, PostInCommunity, postFields } from './posts.ts'
import * as z from './zod.ts'

/** Adds fields that the specification names. */
export const CommunityPost = z.extend(Post, {
  author: z.extend(Person, { displayName: z.string(), profileImageUrl: z.nullable(z.string()) }),
  postType: CommunityPostType,
  community: PostInCommunity,
  /** URLs of its pictures at full width; `media` has all sizes and the videos. */
  images: z.array(z.string()),
})
export type CommunityPost = z.infer<typeof CommunityPost>

const PollOptions = z.array(line(pollLimits.optionLength, 'Enter the option or remove it')).check(
  z.minLength(pollLimits.minOptions, 'Add at least 2 options'),
  z.maxLength(pollLimits.maxOptions, 'At most 10 options'),
  z.refine((labels) => new Set(labels.map((label) => label.toLowerCase())).size === labels.length, 'Each option must be different'),
)

export const NewPoll = z.object({
  options: PollOptions,
  /** Every poll closes, so everyone eventually sees the result. */
  closesInDays: z._default(z.int().check(z.minimum(1), z.maximum(pollLimits.maxDays, 'At most 30 days')), 7),
})

/** What a post links to. Must be visible to the author. */
export const NewLink = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hunt'), id: Id }),
  z.object({ kind: z.literal('business'), id: Id }),
  z.object({ kind: z.literal('product'), id: Id }),
  z.object({ kind: z.literal('strain'), name: line(120, 'Choose a strain') }),
])
export type NewLink = z.infer<typeof NewLink>

export const NewCommunityPost = z
  .object({
    communityId: Id,
    postType: CommunityPostType,
    title: postFields.title,
    /** May be empty for a poll, because its title is enough. */
    content: line(10_000),
    mediaIds: postFields.mediaIds,
    tags: postFields.tags,
    mentions: postFields.mentions,
    poll: z._default(z.nullable(NewPoll), null),
    link: z._default(z.nullable(NewLink), null),
  })
  .check(
    z.refine((post) => post.postType === 'poll' || post.content !== '', { path: ['content'], message: 'Content is required' }),
    z.refine((post) => post.postType !== 'poll' || post.poll !== null, { path: ['poll'], message: 'Add at least 2 options' }),
    z.refine((post) => post.postType === 'poll' || post.poll === null, { path: ['poll'], message: 'Only polls can have options' }),
  )
export type NewCommunityPost = z.infer<typeof NewCommunityPost>

/** Recently popular tags. `score` counts uses with a half-life of one week. */
export const TrendingTag = z.object({ tag: z.string(), score: z.number() })
export type TrendingTag = z.infer<typeof TrendingTag>
