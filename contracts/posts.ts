import { BusinessTypeSchema, Id, line, WebAddressOrEmpty } from './fields.ts'
import { maxMentions } from './limits.ts'
import { Media } from './media.ts'
import { Person } from './people.ts'
import { placeName } from './place-name.ts'
import * as z from './zod.ts'

const MentionKind = z.enum(['person', 'business'])

/** A mention covers `length` UTF-16 code units from `start`: `@` and the name. */
export const NewMention = z.object({
  kind: MentionKind,
  id: Id,
  start: z.int().check(z.minimum(0), z.maximum(10_000)),
  length: z.int().check(z.minimum(2), z.maximum(300)),
})
export type NewMention = z.infer<typeof NewMention>

export const NewMentions = z.array(NewMention).check(z.maxLength(maxMentions, 'At most 10 mentions'))

/** Mentions that the viewer may not see are plain text. */
export const Mention = z.object({
  kind: MentionKind,
  id: Id,
  start: z.int(),
  length: z.int(),
  path: z.string(),
})
export type Mention = z.infer<typeof Mention>

export const Poll = z.object({
  options: z.array(
    z.object({
      position: z.int(),
      label: z.string(),
      /** Null until the viewer has voted or the poll is closed, so results don't influence votes. */
      votesCount: z.nullable(z.int()),
    }),
  ),
  /** The number of voters, which is always visible. */
  votesCount: z.int(),
  closesAt: z.nullable(z.iso.datetime()),
  isClosed: z.boolean(),
  /** Index of the viewer's choice. Votes are secret. */
  myVote: z.nullable(z.int()),
})
export type Poll = z.infer<typeof Poll>

export const PostLinkKind = z.enum(['hunt', 'strain', 'business', 'product'])
export type PostLinkKind = z.infer<typeof PostLinkKind>

export const PostLink = z.object({
  kind: PostLinkKind,
  /** Null for strains, which are identified by name. */
  id: z.nullable(Id),
  name: z.string(),
  /** A business's city and state, if known, or the name of a menu item's business. Null for hunts and strains. */
  detail: z.nullable(z.string()),
  path: z.string(),
})
export type PostLink = z.infer<typeof PostLink>

export const PostInCommunity = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  visibility: z.enum(['public', 'private', 'invite_only']),
  isPinned: z.boolean(),
  /** For a question, its accepted answer, while the viewer can read it. */
  acceptedCommentId: z.nullable(Id),
  poll: z.nullable(Poll),
  /** Null without a link, and for viewers who may not see what the post links to, such as a private hunt. */
  link: z.nullable(PostLink),
  may: z.object({ pin: z.boolean(), accept: z.boolean(), vote: z.boolean() }),
})
export type PostInCommunity = z.infer<typeof PostInCommunity>

export const PostType = z.enum(['update', 'promotion', 'educational', 'product'])
export type PostType = z.infer<typeof PostType>

export const CommunityPostType = z.enum(['grow_update', 'question', 'discussion', 'poll'])
export type CommunityPostType = z.infer<typeof CommunityPostType>

/** One enum instead of a union of two, because responses are serialized without validation. */
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
  /** Positions in `content`; empty while `isLocked`. */
  mentions: z.array(Mention),
  postType: AnyPostType,
  /** Null for posts in the feed and on profiles. */
  community: z.nullable(PostInCommunity),
  /** If set, only the author can see the post, or the team if it is a business's. Moderators see it in its case. */
  moderation: z.nullable(z.enum(['held', 'hidden'])),
  /** Sentences that tell the author why the post was held. */
  heldFor: z.array(z.string()),
  isExclusive: z.boolean(),
  /** The post is exclusive and the viewer may not read it, so only the title is included. */
  isLocked: z.boolean(),
  likesCount: z.int(),
  commentsCount: z.int(),
  isLiked: z.boolean(),
  isSaved: z.boolean(),
  createdAt: z.iso.datetime(),
  editedAt: z.nullable(z.iso.datetime()),
  abilities: z.object({ like: z.boolean(), comment: z.boolean(), edit: z.boolean(), delete: z.boolean(), report: z.boolean() }),
})
export type Post = z.infer<typeof Post>

export const FeedPost = z.extend(Post, {
  /** `text` is one line, such as "You follow Green Hills Farm". */
  reason: z.object({ kind: z.enum(['own', 'subscription', 'business', 'person', 'suggestion']), text: z.string() }),
})
export type FeedPost = z.infer<typeof FeedPost>

export const Tag = z.string().check(
  z.trim(),
  z.toLowerCase(),
  z.regex(/^#?[\p{L}\p{N}][\p{L}\p{N}_-]{0,39}$/u, 'A tag is one word of letters and numbers, up to 40 characters'),
  z.overwrite((text) => text.replace(/^#/, '')),
)

/** Per post; also a database constraint. */
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
  /** URL of a picture on another site, which the server downloads once. */
  imageUrl: z._default(WebAddressOrEmpty, ''),
  /** Null publishes under the person's own name. If omitted, publishes as the only business that they work for, or under their own name. */
  businessId: z.optional(z.nullable(Id)),
})
export type NewPost = z.infer<typeof NewPost>

export const feedTypes = ['farm', 'dispensary'] as const
