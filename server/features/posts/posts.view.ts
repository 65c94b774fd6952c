import type { Post } from '../../../contracts/posts.ts'
import type { PostRow } from './posts.queries.ts'

export const toPost = (row: PostRow): Post => ({
  id: row.id,
  businessId: row.business_id,
  business: { id: row.business_id, slug: row.business_slug, name: row.business_name, imageUrl: row.business_image_url },
  title: row.title,
  content: row.content ?? '',
  imageUrl: row.image_url,
  postType: row.post_type,
  isExclusive: row.is_exclusive,
  isLocked: Boolean(row.is_locked),
  likesCount: row.likes_count,
  commentsCount: row.comments_count,
  // Likes come with the feed; nobody has liked anything yet.
  isLiked: false,
  createdAt: row.created_at.toISOString(),
})
