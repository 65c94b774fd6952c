import type { Media } from '#contracts/media.ts'
import type { Post } from '#contracts/posts.ts'
import { toPerson } from '#server/features/people/index.ts'
import { pictureUrl } from '#server/kernel/media-address.ts'
import type { InCommunity } from './in-community.ts'
import { postAbilities } from './posts.policy.ts'
import { type PostRow, toBusinessByline } from './posts.queries.ts'
import type { Viewer } from './viewer.ts'

export function toPost(
  viewer: Viewer | null,
  row: PostRow,
  media: Media[],
  inCommunity: InCommunity | null = null,
  heldFor: string[] = [],
): Post {
  return {
    id: row.post_id,
    businessId: row.business_id,
    business: toBusinessByline(row),
    author: row.business_id === null ? toPerson(row) : null,
    title: row.title,
    content: row.content ?? '',
    imageUrl: imageUrlOf(row, media),
    media,
    place: row.place,
    tags: row.tags ?? [],
    postType: row.post_type,
    community: inCommunity?.place ?? null,
    // Only readers who may not know of a removal get this far with a removed post.
    moderation: row.moderation === 'removed' ? null : row.moderation,
    heldFor: row.moderation === 'held' ? heldFor : [],
    isExclusive: row.is_exclusive,
    isLocked: row.is_locked,
    // A locked post also hides its counts: see comments/open-post.ts.
    likesCount: row.is_locked ? 0 : row.likes_count,
    commentsCount: row.is_locked ? 0 : row.comments_count,
    isLiked: row.is_liked && !row.is_locked,
    createdAt: row.created_at.toISOString(),
    editedAt: row.edited_at?.toISOString() ?? null,
    abilities: postAbilities(viewer, { ...row, author_id: row.id }, inCommunity?.access ?? null),
  }
}

/** The URL of the first picture, even if it is still being downloaded from another site. */
function imageUrlOf({ media_ids: ids }: PostRow, media: Media[]): string | null {
  const pending = ids?.find((id) => !media.some((each) => each.id === id))
  if (pending) return pictureUrl(pending, 'large', 'webp')
  return media.find((each) => each.kind === 'image')?.sources.at(-1)?.webp ?? null
}
