export { audienceOf } from './audience.ts'
export { businessBylineColumns, toBusinessByline } from './byline.ts'
export { decayed } from './community-tags.ts'
export { attachPicture, distinct, publishPost, screenPost, storePost } from './create-post.ts'
export { mayAccept } from './in-community.ts'
export { isPollClosed, loadPolls } from './like-post.ts'
export { linkColumns } from './links.ts'
export { lockPost } from './lock-post.ts'
export { requireFitting, requirePublishable } from './post-rules.ts'
export { changeCommentsCount, membershipIn } from './post-writes.queries.ts'
export { isOwnPost } from './posts.policy.ts'
export { isAfter, type PostFacts, postFacts } from './posts.queries.ts'
export { registerPosts } from './posts.routes.ts'
export { getSuggestions, isPostMediaPublic, loadPosts, mayReadPostMedia } from './read-posts.ts'
export { requireTakingPart } from './taking-part.ts'
export { type Viewer, viewerOf } from './viewer.ts'
export {
  isBusinessVisible,
  isLocked,
  isMember,
  isOpen,
  isVisible,
  type Reader,
  readerOf,
} from './visible-posts.ts'
