import * as z from 'zod/mini'
import { Comment } from './comments.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdParams } from './ids.ts'
import { page } from './pagination.ts'
import { Person } from './people.ts'
import { Poll, PostInCommunity } from './post-in-community.ts'
import { CommunityPostType, Post, postFields, Tag } from './posts.ts'
import { line } from './text.ts'

/** With the names of the specification beside our own. */
export const CommunityPost = z.extend(Post, {
  author: z.extend(Person, { displayName: z.string(), profileImageUrl: z.nullable(z.string()) }),
  postType: CommunityPostType,
  community: PostInCommunity,
  /** The addresses of its pictures, each at its widest; `media` has all sizes, and the videos. */
  images: z.array(z.string()),
})
export type CommunityPost = z.infer<typeof CommunityPost>

export const pollLimits = { leastOptions: 2, mostOptions: 10, mostDays: 30, optionLength: 80 }

const PollOptions = z.array(line(pollLimits.optionLength, 'Write something, or take the option away')).check(
  z.minLength(pollLimits.leastOptions, 'Give at least 2 options'),
  z.maxLength(pollLimits.mostOptions, 'At most 10 options'),
  z.refine((labels) => new Set(labels.map((label) => label.toLowerCase())).size === labels.length, 'Each option only once'),
)

export const NewPoll = z.object({
  options: PollOptions,
  /** Every poll ends, so that everybody sees at last how it went. */
  closesInDays: z._default(z.int().check(z.minimum(1), z.maximum(pollLimits.mostDays, 'At most 30 days')), 7),
})

/** What a post is about; whoever links to it must be able to see it. */
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
    /** A poll may say everything in its title. */
    content: line(10_000),
    mediaIds: postFields.mediaIds,
    tags: postFields.tags,
    poll: z._default(z.nullable(NewPoll), null),
    link: z._default(z.nullable(NewLink), null),
  })
  .check(
    z.refine((post) => post.postType === 'poll' || post.content !== '', { path: ['content'], message: 'Content is required' }),
    z.refine((post) => post.postType !== 'poll' || post.poll !== null, { path: ['poll'], message: 'Give at least 2 options' }),
    z.refine((post) => post.postType === 'poll' || post.poll === null, { path: ['poll'], message: 'Only a poll has options' }),
  )
export type NewCommunityPost = z.infer<typeof NewCommunityPost>

const tag = 'Community posts'

export const listCommunityPosts = endpoint({
  method: 'GET',
  path: '/api/community-posts',
  summary: 'Posts of one community, or without one of all that the signed-in person is a member of; newest first',
  tag,
  access: 'member',
  paginated: true,
  query: z.object({
    ...page,
    communityId: z.optional(Id),
    type: z.optional(CommunityPostType),
    tag: z.optional(Tag),
    /** `true`: those its moderators have pinned alone, the last pinned first. Only with a community. */
    pinned: z.optional(z.literal('true')),
  }),
  response: z.array(CommunityPost),
})

export const createCommunityPost = endpoint({
  method: 'POST',
  path: '/api/community-posts',
  summary: 'Post in a community that one is a member of',
  tag,
  access: 'member',
  words: 'published',
  rateLimit: 'post',
  idempotent: true,
  body: NewCommunityPost,
  response: CommunityPost,
  status: 201,
})

const PinState = z.object({ id: Id, isPinned: z.boolean() })

export const pinPost = endpoint({
  method: 'PUT',
  path: '/api/community-posts/:id/pin',
  summary: 'Pin a post to the top of its community, as its moderator; at most 3',
  tag,
  access: 'member',
  params: IdParams,
  response: PinState,
})

export const unpinPost = endpoint({
  method: 'DELETE',
  path: '/api/community-posts/:id/pin',
  summary: 'Take a pin away, as a moderator of the community; again changes nothing',
  tag,
  access: 'member',
  params: IdParams,
  response: PinState,
})

const AnswerState = z.object({ id: Id, acceptedCommentId: z.nullable(Id) })

export const getAcceptedAnswer = endpoint({
  method: 'GET',
  path: '/api/community-posts/:id/accepted-answer',
  summary: 'The answer to a question that whoever asked has accepted; 404 where there is none to read',
  tag,
  access: 'member',
  params: IdParams,
  response: Comment,
})

export const acceptAnswer = endpoint({
  method: 'PUT',
  path: '/api/community-posts/:id/accepted-answer',
  summary: 'Accept an answer, as whoever asked or a moderator of the community; another one takes its place',
  tag,
  access: 'member',
  params: IdParams,
  body: z.object({ commentId: Id }),
  response: AnswerState,
})

export const unacceptAnswer = endpoint({
  method: 'DELETE',
  path: '/api/community-posts/:id/accepted-answer',
  summary: 'Take it back that an answer was accepted',
  tag,
  access: 'member',
  params: IdParams,
  response: AnswerState,
})

const VoteState = z.object({ id: Id, poll: Poll })

export const votePoll = endpoint({
  method: 'PUT',
  path: '/api/community-posts/:id/vote',
  summary: 'Vote in a poll, or move the vote; voting the same again changes nothing',
  tag,
  access: 'member',
  params: IdParams,
  body: z.object({ position: z.int().check(z.minimum(0), z.maximum(pollLimits.mostOptions - 1)) }),
  response: VoteState,
})

export const unvotePoll = endpoint({
  method: 'DELETE',
  path: '/api/community-posts/:id/vote',
  summary: 'Take a vote back while the poll is open; again changes nothing',
  tag,
  access: 'member',
  params: IdParams,
  response: VoteState,
})

/** What is talked about lately: how often a tag was used, each use counting half as much every week. */
export const TrendingTag = z.object({ tag: z.string(), score: z.number() })
export type TrendingTag = z.infer<typeof TrendingTag>

export const listTags = endpoint({
  method: 'GET',
  path: '/api/communities/:id/tags',
  summary: 'What is talked about in a community lately',
  tag,
  access: 'member',
  params: IdParams,
  response: z.array(TrendingTag),
})

export const listTrendingTags = endpoint({
  method: 'GET',
  path: '/api/community-tags',
  summary: "What is talked about lately in the signed-in person's communities and in public ones",
  tag,
  access: 'member',
  response: z.array(TrendingTag),
})
