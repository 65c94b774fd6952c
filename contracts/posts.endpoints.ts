import { endpoint } from './endpoint.ts'
import { Id, IdOrSlugParams, IdParams, line, nearPlace, page } from './fields.ts'
import { FeedPost, feedTypes, maxMedia, NewMentions, NewPost, Post, PostType, postFields, Tag } from './posts.ts'
import * as z from './zod.ts'

export const createPost = endpoint({
  method: 'POST',
  path: '/api/posts',
  summary: 'Publish a post for a business or under your own name',
  tag: 'Posts',
  access: 'member',
  words: 'published',
  rateLimit: 'post',
  idempotent: true,
  body: NewPost,
  response: Post,
  status: 201,
})

export const getPost = endpoint({
  method: 'GET',
  path: '/api/posts/:id',
  summary: "Read a post. For an exclusive post you can't open, returns only the title.",
  tag: 'Posts',
  access: 'member',
  params: IdParams,
  response: Post,
})

export const updatePost = endpoint({
  method: 'PATCH',
  path: '/api/posts/:id',
  summary: "Change a post. A community post's type can't be changed. Returns 409 if you send an outdated `editedAt`.",
  tag: 'Posts',
  access: 'member',
  words: 'published',
  params: IdParams,
  body: z.object({
    title: z.optional(postFields.title),
    /** May be empty only for a poll. */
    content: z.optional(line(10_000)),
    postType: z.optional(PostType),
    isExclusive: z.optional(z.boolean()),
    mediaIds: z.optional(z.array(Id).check(z.maxLength(maxMedia, `At most ${maxMedia} pictures and videos`))),
    place: z.optional(postFields.place.def.innerType),
    tags: z.optional(z.array(Tag).check(z.maxLength(10, 'At most 10 tags'))),
    /** If omitted and the content changes, earlier mentions become plain text. */
    mentions: z.optional(NewMentions),
    /** The post's `editedAt` as the editor read it. If omitted, edits made since are overwritten. */
    editedAt: z.optional(z.nullable(z.iso.datetime())),
  }),
  response: Post,
})

export const deletePost = endpoint({
  method: 'DELETE',
  path: '/api/posts/:id',
  summary: "Delete your own post, or your business's, with its comments and likes",
  tag: 'Posts',
  access: 'member',
  params: IdParams,
})

const LikeState = z.object({ id: Id, isLiked: z.boolean(), likesCount: z.int() })

export const toggleLike = endpoint({
  method: 'POST',
  path: '/api/posts/:id/like',
  summary: 'Like a post, or remove your like',
  tag: 'Posts',
  access: 'member',
  params: IdParams,
  response: LikeState,
})

export const likePost = endpoint({
  method: 'PUT',
  path: '/api/posts/:id/like',
  summary: 'Like a post. Idempotent.',
  tag: 'Posts',
  access: 'member',
  params: IdParams,
  response: LikeState,
})

export const unlikePost = endpoint({
  method: 'DELETE',
  path: '/api/posts/:id/like',
  summary: 'Remove your like from a post, even if you no longer see it. Idempotent.',
  tag: 'Posts',
  access: 'member',
  params: IdParams,
  response: LikeState,
})

const SavedState = z.object({ id: Id, isSaved: z.boolean() })

export const savePost = endpoint({
  method: 'PUT',
  path: '/api/posts/:id/save',
  summary: 'Save a post to your private list. Idempotent.',
  tag: 'Posts',
  access: 'member',
  params: IdParams,
  response: SavedState,
})

export const unsavePost = endpoint({
  method: 'DELETE',
  path: '/api/posts/:id/save',
  summary: 'Remove a post from your saved posts. Idempotent.',
  tag: 'Posts',
  access: 'member',
  params: IdParams,
  response: SavedState,
})

export const listSavedPosts = endpoint({
  method: 'GET',
  path: '/api/saved-posts',
  summary: 'List the posts you saved and can still see, most recently saved first',
  tag: 'Posts',
  access: 'member',
  paginated: true,
  query: z.object(page),
  response: z.array(Post),
})

const HiddenState = z.object({ id: Id, isHidden: z.boolean() })

export const hidePost = endpoint({
  method: 'PUT',
  path: '/api/posts/:id/hidden',
  summary: 'Hide a post from your feeds. Idempotent.',
  tag: 'Posts',
  access: 'member',
  params: IdParams,
  response: HiddenState,
})

export const unhidePost = endpoint({
  method: 'DELETE',
  path: '/api/posts/:id/hidden',
  summary: 'Show a post in your feeds again. Idempotent.',
  tag: 'Posts',
  access: 'member',
  params: IdParams,
  response: HiddenState,
})

export const listBusinessPosts = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/posts',
  summary: "List a business's posts, newest first; promotions and products only for viewers of the jurisdiction's legal age",
  tag: 'Posts',
  access: 'public',
  paginated: true,
  params: IdOrSlugParams,
  query: z.object(page),
  response: z.array(Post),
})

export const listPersonPosts = endpoint({
  method: 'GET',
  path: '/api/people/:id/posts',
  summary: "List a person's own posts, newest first; none if the profile is private, unless it's yours",
  tag: 'Posts',
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object(page),
  response: z.array(Post),
})

const feedFilter = { type: z.optional(z.enum(feedTypes)) }

export const getFeed = endpoint({
  method: 'GET',
  path: '/api/feed',
  summary: 'List posts by the businesses and people you follow, and your own, newest first',
  tag: 'Feed',
  access: 'member',
  paginated: true,
  query: z.object({ ...page, ...feedFilter }),
  response: z.array(FeedPost),
})

export const getSuggestions = endpoint({
  method: 'GET',
  path: '/api/feed/suggestions',
  summary: "List recent popular posts by businesses you don't follow, to fill a short feed; those near a place come first",
  tag: 'Feed',
  access: 'member',
  query: z.object({ ...feedFilter, near: nearPlace }),
  response: z.array(FeedPost),
})
