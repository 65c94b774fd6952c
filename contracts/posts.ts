import { BusinessTypeSchema, Id, line, WebAddressOrEmpty } from './fields.ts'
import { Media } from './media.ts'
import { Mention, NewMentions } from './mentions.ts'
import { Person } from './people.ts'
import { placeName } from './place-name.ts'
import { PostInCommunity } from './post-in-community.ts'
import * as z from './zod.ts'

export const PostType = z.enum(['update', 'promotion', 'educational', 'product'])
export type PostType = z.infer<typeof PostType>

export const CommunityPostType = z.enum(['grow_update', 'question', 'discussion', 'poll'])
export type CommunityPostType = z.infer<typeof CommunityPostType>

/** A flat list instead of a union, because responses are serialized without validation. */
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
  /** Null for a personal post. */
  business: z.nullable(BusinessByline),
  /** Null for a business's post: only its team knows who wrote it. */
  author: z.nullable(Person),
  title: z.string(),
  /** Empty while `isLocked`. */
  content: z.string(),
  /** The first picture; null while `isLocked`. */
  imageUrl: z.nullable(z.string()),
  media: z.array(Media),
  place: z.nullable(z.string()),
  tags: z.array(z.string()),
  /** In `content`; none while `isLocked`. */
  mentions: z.array(Mention),
  postType: AnyPostType,
  /** Null for posts in the feed and on profiles. */
  community: z.nullable(PostInCommunity),
  /** Held for review or hidden by a moderator; only its authors can see it then. */
  moderation: z.nullable(z.enum(['held', 'hidden'])),
  /** If held, the reasons as sentences for the author; otherwise empty. */
  heldFor: z.array(z.string()),
  isExclusive: z.boolean(),
  /** Exclusive, and the viewer isn't a subscriber: only the title is included. */
  isLocked: z.boolean(),
  likesCount: z.int(),
  commentsCount: z.int(),
  isLiked: z.boolean(),
  /** In the viewer's private list. */
  isSaved: z.boolean(),
  createdAt: z.iso.datetime(),
  editedAt: z.nullable(z.iso.datetime()),
  abilities: z.object({ like: z.boolean(), comment: z.boolean(), edit: z.boolean(), delete: z.boolean(), report: z.boolean() }),
})
export type Post = z.infer<typeof Post>

export const FeedPost = z.extend(Post, {
  /** Why it is shown, in one line: "You follow Green Hills Farm". */
  reason: z.object({ kind: z.enum(['own', 'subscription', 'business', 'person', 'suggestion']), text: z.string() }),
})
export type FeedPost = z.infer<typeof FeedPost>

export const Tag = z.string().check(
  z.trim(),
  z.toLowerCase(),
  z.regex(/^#?[\p{L}\p{N}][\p{L}\p{N}_-]{0,39}$/u, 'A tag is one word of letters and numbers, up to 40 characters'),
  z.overwrite((text) => text.replace(/^#/, '')),
)

/** Maximum media per post; a database constraint, too. */
export const maxMedia = 10

export const postFields = {
  title: line(160, 'Title is required'),
  content: line(10_000, 'Content is required'),
  postType: z._default(PostType, 'update'),
  isExclusive: z._default(z.boolean(), false),
  /** The author's processed uploads, in order. */
  mediaIds: z._default(z.array(Id).check(z.maxLength(maxMedia, `At most ${maxMedia} pictures and videos`)), []),
  /** A city, typed or selected: "Denver, CO". */
  place: z._default(placeName(), ''),
  mentions: z._default(NewMentions, []),
  tags: z._default(z.array(Tag).check(z.maxLength(10, 'At most 10 tags')), []),
}

export const NewPost = z.object({
  ...postFields,
  /** URL of a picture on another site, downloaded once and served from here. */
  imageUrl: z._default(WebAddressOrEmpty, ''),
  /** `null`: under the person's own name. Omitted: under the author's business if they have exactly one, otherwise the person. */
  businessId: z.optional(z.nullable(Id)),
})
export type NewPost = z.infer<typeof NewPost>

export const feedTypes = ['farm', 'dispensary'] as const
