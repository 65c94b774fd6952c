import * as z from 'zod/mini'
import { Id } from './ids.ts'

export const Poll = z.object({
  options: z.array(
    z.object({
      position: z.int(),
      label: z.string(),
      /** Null until the viewer has voted or the poll is closed: nobody is led by how others voted. */
      votesCount: z.nullable(z.int()),
    }),
  ),
  /** How many voted; for everybody, at all times. */
  votesCount: z.int(),
  closesAt: z.nullable(z.iso.datetime()),
  isClosed: z.boolean(),
  /** The position that the viewer voted for. Who voted for what is told to nobody else. */
  myVote: z.nullable(z.int()),
})
export type Poll = z.infer<typeof Poll>

export const PostLinkKind = z.enum(['hunt', 'strain', 'business', 'product'])
export type PostLinkKind = z.infer<typeof PostLinkKind>

/** What a post is about. Only for whoever may see that: somebody's private hunt is no link for others. */
export const PostLink = z.object({
  kind: PostLinkKind,
  /** A strain is known by its name alone. */
  id: z.nullable(Id),
  name: z.string(),
  /** Who grows, makes or sells it; null where there is nothing to say. */
  detail: z.nullable(z.string()),
  /** Where it is in the app. */
  path: z.string(),
})
export type PostLink = z.infer<typeof PostLink>

/** What a post has besides because it is in a community. */
export const PostInCommunity = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  visibility: z.enum(['public', 'private', 'invite_only']),
  isPinned: z.boolean(),
  /** Of a question: the answer that whoever asked has accepted, while it is there to read. */
  acceptedCommentId: z.nullable(Id),
  poll: z.nullable(Poll),
  link: z.nullable(PostLink),
  /** What this viewer may do here, besides `abilities`. */
  may: z.object({ pin: z.boolean(), accept: z.boolean(), vote: z.boolean() }),
})
export type PostInCommunity = z.infer<typeof PostInCommunity>
