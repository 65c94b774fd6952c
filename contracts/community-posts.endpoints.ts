import { communityPostSorts, topPeriods } from './choices.ts'
import { Comment } from './comments.endpoints.ts'
import { CommunityPost, NewCommunityPost, TrendingTag } from './community-posts.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, page } from './fields.ts'
import { pollLimits } from './limits.ts'
import { CommunityPostType, Poll, Tag } from './posts.ts'
import * as z from './zod.ts'

const tag = 'Community posts'

export const listCommunityPosts = endpoint({
  method: 'GET',
  path: '/api/community-posts',
  summary: 'List the posts in one community or in all your communities, newest first by default',
  tag,
  access: 'member',
  paginated: true,
  query: z.object({
    ...page,
    communityId: z.optional(Id),
    type: z.optional(CommunityPostType),
    tag: z.optional(Tag),
    /** `top`: most likes; `active`: latest post or comment. Only `new` works without a community. */
    sort: z._default(z.enum(communityPostSorts), 'new'),
    /** For `top`: only posts from the last 7 or 30 days. */
    period: z._default(z.enum(topPeriods), 'all'),
    /** `true`: only posts pinned by the community's moderators, most recently pinned first. Requires a community. */
    pinned: z.optional(z.literal('true')),
  }),
  response: z.array(CommunityPost),
})

export const createCommunityPost = endpoint({
  method: 'POST',
  path: '/api/community-posts',
  summary: "Post in a community that you're a member of",
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
  summary: 'Pin a post to the top of its community, as a moderator of the community; at most 3',
  tag,
  access: 'member',
  params: IdParams,
  response: PinState,
})

export const unpinPost = endpoint({
  method: 'DELETE',
  path: '/api/community-posts/:id/pin',
  summary: 'Unpin a post, as a moderator of the community. Idempotent.',
  tag,
  access: 'member',
  params: IdParams,
  response: PinState,
})

const AnswerState = z.object({ id: Id, acceptedCommentId: z.nullable(Id) })

export const getAcceptedAnswer = endpoint({
  method: 'GET',
  path: '/api/community-posts/:id/accepted-answer',
  summary: "Read the accepted answer to a question. Returns 404 if there is none or you can't see it.",
  tag,
  access: 'member',
  params: IdParams,
  response: Comment,
})

export const acceptAnswer = endpoint({
  method: 'PUT',
  path: '/api/community-posts/:id/accepted-answer',
  summary: 'Accept an answer, as the person who asked or a moderator of the community; it replaces the previous one',
  tag,
  access: 'member',
  params: IdParams,
  body: z.object({ commentId: Id }),
  response: AnswerState,
})

export const unacceptAnswer = endpoint({
  method: 'DELETE',
  path: '/api/community-posts/:id/accepted-answer',
  summary: 'Unmark the accepted answer to a question',
  tag,
  access: 'member',
  params: IdParams,
  response: AnswerState,
})

const VoteState = z.object({ id: Id, poll: Poll })

export const votePoll = endpoint({
  method: 'PUT',
  path: '/api/community-posts/:id/vote',
  summary: 'Vote in a poll, or change your vote. Idempotent.',
  tag,
  access: 'member',
  params: IdParams,
  body: z.object({ position: z.int().check(z.minimum(0), z.maximum(pollLimits.maxOptions - 1)) }),
  response: VoteState,
})

export const unvotePoll = endpoint({
  method: 'DELETE',
  path: '/api/community-posts/:id/vote',
  summary: 'Withdraw your vote while the poll is open, even after leaving the community. Idempotent.',
  tag,
  access: 'member',
  params: IdParams,
  /** The poll is null if the person can no longer see the post. */
  response: z.object({ id: Id, poll: z.nullable(Poll) }),
})

export const listTags = endpoint({
  method: 'GET',
  path: '/api/communities/:id/tags',
  summary: "List a community's popular topics",
  tag,
  access: 'member',
  params: IdParams,
  response: z.array(TrendingTag),
})

export const listTrendingTags = endpoint({
  method: 'GET',
  path: '/api/community-tags',
  summary: 'List popular topics in your communities and in public ones',
  tag,
  access: 'member',
  response: z.array(TrendingTag),
})
