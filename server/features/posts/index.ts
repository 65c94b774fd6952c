export { attachPicture } from './attach-picture.ts'
export { audienceOf } from './audience.ts'
export { businessBylineColumns, toBusinessByline } from './byline.ts'
export { decayed } from './community-tags.ts'
export { distinct, publishPost, screenPost, storePost } from './create-post.ts'
export { getSuggestions } from './get-suggestions.ts'
export { mayAccept } from './in-community.ts'
export { linkColumns } from './links.ts'
export { lockPost } from './lock-post.ts'
export { isPostMediaPublic, mayReadPostMedia } from './media-access.ts'
export { isPollClosed, loadPolls } from './polls.ts'
export { requireFitting, requirePublishable } from './post-rules.ts'
export { changeCommentsCount, membershipIn } from './post-writes.queries.ts'
export { isOwnPost } from './posts.policy.ts'
export { isAfter, type PostFacts, postFacts } from './posts.queries.ts'
export { registerPosts } from './posts.routes.ts'
export { loadPosts } from './read-posts.ts'
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
