import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlugParams } from './ids.ts'
import { page } from './pagination.ts'

export const PostType = z.enum(['update', 'promotion', 'educational', 'product'])
export type PostType = z.infer<typeof PostType>

export const Post = z.object({
  id: Id,
  businessId: z.nullable(Id),
  business: z.nullable(z.object({ id: Id, slug: z.string(), name: z.string(), imageUrl: z.nullable(z.string()) })),
  title: z.string(),
  /** Empty while `isLocked`. */
  content: z.string(),
  imageUrl: z.nullable(z.string()),
  postType: PostType,
  isExclusive: z.boolean(),
  /** Exclusive, and the viewer is not a subscriber: only the title is here. */
  isLocked: z.boolean(),
  likesCount: z.int(),
  commentsCount: z.int(),
  isLiked: z.boolean(),
  createdAt: z.iso.datetime(),
})
export type Post = z.infer<typeof Post>

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
