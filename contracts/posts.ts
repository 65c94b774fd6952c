import * as z from 'zod/mini'
import { BusinessTypeSchema } from './business-type-schema.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlugParams, IdParams } from './ids.ts'
import { Media } from './media.ts'
import { page } from './pagination.ts'
import { Person } from './people.ts'
import { placeName } from './place-name.ts'
import { PostInCommunity } from './post-in-community.ts'
import { line, WebAddressOrEmpty } from './text.ts'

export const PostType = z.enum(['update', 'promotion', 'educational', 'product'])
export type PostType = z.infer<typeof PostType>

/** What is posted in a community. */
export const CommunityPostType = z.enum(['grow_update', 'question', 'discussion', 'poll'])
export type CommunityPostType = z.infer<typeof CommunityPostType>

/** One list and not a union of two: answers are written without a validation. */
const AnyPostType = z.enum([...PostType.options, ...CommunityPostType.options])

export const BusinessByline = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  type: BusinessTypeSchema,
  imageUrl: z.nullable(z.string()),
})
export type BusinessByline = z.infer<typeof BusinessByline>

export const Post = z.object({
  id: Id,
  businessId: z.nullable(Id),
  /** Under whose name it went out: the business, or else `author`. */
  business: z.nullable(BusinessByline),
  /** Null for a business's post: who of the business wrote it is theirs to know. */
  author: z.nullable(Person),
  title: z.string(),
  /** Empty while `isLocked`. */
  content: z.string(),
  /** The first picture; null while `isLocked`. */
  imageUrl: z.nullable(z.string()),
  media: z.array(Media),
  place: z.nullable(z.string()),
  tags: z.array(z.string()),
  postType: AnyPostType,
  /** Where it was posted; null for what stands in the feed and on profiles. */
  community: z.nullable(PostInCommunity),
  /** Taken from view: held until a moderator has looked at it, or hidden by one. Then its writers alone get it at all. */
  moderation: z.nullable(z.enum(['held', 'hidden'])),
  /** While it is held: why, in sentences for its writer. Else empty. */
  heldFor: z.array(z.string()),
  isExclusive: z.boolean(),
  /** Exclusive, and the viewer is not a subscriber: only the title is here. */
  isLocked: z.boolean(),
  likesCount: z.int(),
  commentsCount: z.int(),
  isLiked: z.boolean(),
  createdAt: z.iso.datetime(),
  editedAt: z.nullable(z.iso.datetime()),
  /** What this viewer may do with it. */
  abilities: z.object({ like: z.boolean(), comment: z.boolean(), edit: z.boolean(), delete: z.boolean(), report: z.boolean() }),
})
export type Post = z.infer<typeof Post>

export const FeedPost = z.extend(Post, {
  /** Why it is here, in one line: "You follow Green Hills Farm". */
  reason: z.object({ kind: z.enum(['own', 'subscription', 'business', 'person', 'suggestion']), text: z.string() }),
})
export type FeedPost = z.infer<typeof FeedPost>

export const Tag = z.string().check(
  z.trim(),
  z.toLowerCase(),
  z.regex(/^#?[\p{L}\p{N}][\p{L}\p{N}_-]{0,39}$/u, 'A tag is one word of letters and numbers, at most 40'),
  z.overwrite((text) => text.replace(/^#/, '')),
)

/** Pictures and videos of a post. The database has no place for more. */
export const maxMedia = 10

export const postFields = {
  title: line(160, 'Title is required'),
  content: line(10_000, 'Content is required'),
  postType: z._default(PostType, 'update'),
  isExclusive: z._default(z.boolean(), false),
  /** Ready uploads of the writer's own, in order. */
  mediaIds: z._default(z.array(Id).check(z.maxLength(maxMedia, `At most ${maxMedia} pictures and videos`)), []),
  /** A city, as typed or chosen: "Denver, CO". */
  place: z._default(placeName(), ''),
  tags: z._default(z.array(Tag).check(z.maxLength(10, 'At most 10 tags')), []),
}

export const NewPost = z.object({
  ...postFields,
  /** A picture elsewhere: it is fetched once and shown from here. */
  imageUrl: z._default(WebAddressOrEmpty, ''),
  /** `null`: under the person's own name. Not given: under the business of somebody who runs exactly one, else the person. */
  businessId: z.optional(z.nullable(Id)),
})
export type NewPost = z.infer<typeof NewPost>

export const createPost = endpoint({
  method: 'POST',
  path: '/api/posts',
  summary: 'Publish a post, under a business or the own name',
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
  summary: 'One post; of an exclusive one, strangers see the title alone',
  tag: 'Posts',
  access: 'member',
  params: IdParams,
  response: Post,
})

export const editPost = endpoint({
  method: 'PATCH',
  path: '/api/posts/:id',
  summary: 'Change a post; what is not given stays. In a community it keeps its type',
  tag: 'Posts',
  access: 'member',
  words: 'published',
  params: IdParams,
  body: z.object({
    title: z.optional(postFields.title),
    /** Empty for a poll alone. */
    content: z.optional(line(10_000)),
    postType: z.optional(PostType),
    isExclusive: z.optional(z.boolean()),
    mediaIds: z.optional(z.array(Id).check(z.maxLength(maxMedia, `At most ${maxMedia} pictures and videos`))),
    place: z.optional(postFields.place.def.innerType),
    tags: z.optional(z.array(Tag).check(z.maxLength(10, 'At most 10 tags'))),
  }),
  response: Post,
})

export const deletePost = endpoint({
  method: 'DELETE',
  path: '/api/posts/:id',
  summary: "Delete a post with its comments and likes: one's own, or as a moderator of the site",
  tag: 'Posts',
  access: 'member',
  params: IdParams,
})

const LikeState = z.object({ id: Id, isLiked: z.boolean(), likesCount: z.int() })

export const toggleLike = endpoint({
  method: 'POST',
  path: '/api/posts/:id/like',
  summary: 'Like a post, or take the like back',
  tag: 'Posts',
  access: 'member',
  params: IdParams,
  response: LikeState,
})

export const likePost = endpoint({
  method: 'PUT',
  path: '/api/posts/:id/like',
  summary: 'Like a post; liking again changes nothing',
  tag: 'Posts',
  access: 'member',
  params: IdParams,
  response: LikeState,
})

export const unlikePost = endpoint({
  method: 'DELETE',
  path: '/api/posts/:id/like',
  summary: 'Take a like back; taking it back again changes nothing',
  tag: 'Posts',
  access: 'member',
  params: IdParams,
  response: LikeState,
})

export const listBusinessPosts = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/posts',
  summary: "A business's posts, newest first; promotions and products only for viewers of the jurisdiction's age",
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
  summary: 'What a person posted under their own name, newest first; of a profile that is not public, nothing',
  tag: 'Posts',
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object(page),
  response: z.array(Post),
})

/** The feed's buttons. */
export const feedTypes = ['farm', 'dispensary'] as const
const feedFilter = { type: z.optional(z.enum(feedTypes)) }

export const getFeed = endpoint({
  method: 'GET',
  path: '/api/feed',
  summary: 'Posts of the businesses and people that the signed-in person follows, and their own, newest first',
  tag: 'Feed',
  access: 'member',
  paginated: true,
  query: z.object({ ...page, ...feedFilter }),
  response: z.array(FeedPost),
})

export const getSuggestions = endpoint({
  method: 'GET',
  path: '/api/feed/suggestions',
  summary: 'Recent well-liked posts of businesses that the signed-in person does not follow, for a thin feed',
  tag: 'Feed',
  access: 'member',
  query: z.object(feedFilter),
  response: z.array(FeedPost),
})
