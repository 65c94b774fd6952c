import { Id } from './fields.ts'
import * as z from './zod.ts'

export const Poll = z.object({
  options: z.array(
    z.object({
      position: z.int(),
      label: z.string(),
      /** Null until the viewer has voted or the poll is closed, so that results don't influence votes. */
      votesCount: z.nullable(z.int()),
    }),
  ),
  /** Total voters; always visible. */
  votesCount: z.int(),
  closesAt: z.nullable(z.iso.datetime()),
  isClosed: z.boolean(),
  /** Index of the viewer's choice. Votes are secret. */
  myVote: z.nullable(z.int()),
})
export type Poll = z.infer<typeof Poll>

export const PostLinkKind = z.enum(['hunt', 'strain', 'business', 'product'])
export type PostLinkKind = z.infer<typeof PostLinkKind>

/** What a post links to. Hidden from viewers who may not see it, such as a private hunt. */
export const PostLink = z.object({
  kind: PostLinkKind,
  /** Null for strains, which are identified by name. */
  id: z.nullable(Id),
  name: z.string(),
  /** Who grows, makes or sells it; null if unknown. */
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
  /** For a question: the answer accepted by its author, while it is readable. */
  acceptedCommentId: z.nullable(Id),
  poll: z.nullable(Poll),
  link: z.nullable(PostLink),
  /** What this viewer may do here, in addition to `abilities`. */
  may: z.object({ pin: z.boolean(), accept: z.boolean(), vote: z.boolean() }),
})
export type PostInCommunity = z.infer<typeof PostInCommunity>
