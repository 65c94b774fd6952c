import * as contract from '#contracts/posts.endpoints.ts'
import { readLastWrite } from '#server/kernel/replica-reads.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { createPost } from './create-post.ts'
import { changeHidden, changeSaved, listSavedPosts } from './keep-post.ts'
import { changeLike } from './like-post.ts'
import { sharedPart } from './post-fields.ts'
import { getFeed, getSuggestions, listBusinessPosts, listPersonPosts, readPost } from './read-posts.ts'
import { deletePost, updatePost } from './update-post.ts'
import { viewerOf } from './visible-posts.ts'

export { attachPicture, distinct, publishPost, requireFitting, requirePublishable, screenPost, storePost } from './create-post.ts'
export { mayAccept } from './in-community.ts'
export { isPollClosed, loadPolls, requireTakingPart } from './like-post.ts'
export { linkColumns } from './links.ts'
export { changeCommentsCount, decayed, linkProductsAgain, membershipIn, rankPosts } from './post-writes.queries.ts'
export { isOwnPost } from './posts.policy.ts'
export {
  businessBylineColumns,
  heldPostKeys,
  isAfter,
  lockPost,
  mergeNewest,
  type NotifiedPost,
  notifiedPosts,
  type PostFacts,
  postFacts,
  publicPosts,
  toBusinessByline,
} from './posts.queries.ts'
export { getSuggestions, isPostMediaPublic, loadPosts, mayReadPostMedia } from './read-posts.ts'
export {
  audienceOf,
  compileForReader,
  compileForReaders,
  isBusinessVisible,
  isInFeeds,
  isLocked,
  isMember,
  isOpen,
  isPersonNotMuted,
  isPublic,
  isVisible,
  lookUpRelation,
  plannedReaderOf,
  type Reader,
  readerOf,
  relationLookedUp,
  type Viewer,
  viewerOf,
} from './visible-posts.ts'

declare module '#server/kernel/events.ts' {
  interface EventData {
    'post.published': { postId: string }
    'post.liked': { postId: string; userId: string }
  }
}

export function registerPosts(api: Api): void {
  route(api, contract.createPost, ({ ctx, actor, body, idempotency }) => createPost(ctx, actor, body, idempotency))
  route(api, contract.getPost, ({ ctx, actor, params }) => readPost(ctx.db, viewerOf(actor, ctx.clock.now()), params.id))
  route(api, contract.updatePost, ({ ctx, actor, params, body }) => updatePost(ctx, actor, params.id, body))
  route(api, contract.deletePost, ({ ctx, actor, params }) => deletePost(ctx, actor, params.id))
  route(api, contract.toggleLike, ({ ctx, actor, params }) => changeLike(ctx, actor, params.id, 'toggle'))
  route(api, contract.likePost, ({ ctx, actor, params }) => changeLike(ctx, actor, params.id, true))
  route(api, contract.unlikePost, ({ ctx, actor, params }) => changeLike(ctx, actor, params.id, false))
  route(api, contract.savePost, ({ ctx, actor, params }) => changeSaved(ctx, actor, params.id, true))
  route(api, contract.unsavePost, ({ ctx, actor, params }) => changeSaved(ctx, actor, params.id, false))
  route(api, contract.listSavedPosts, ({ ctx, actor, query }) => listSavedPosts(ctx, actor, query))
  route(api, contract.hidePost, ({ ctx, actor, params }) => changeHidden(ctx, actor, params.id, true))
  route(api, contract.unhidePost, ({ ctx, actor, params }) => changeHidden(ctx, actor, params.id, false))
  route(
    api,
    contract.listBusinessPosts,
    ({ ctx, actor, params, query, request }) => listBusinessPosts(ctx, actor, params.id, query, readLastWrite(ctx, request).isRecent),
    { sharedPart },
  )
  route(api, contract.listPersonPosts, ({ ctx, actor, params, query }) => listPersonPosts(ctx, actor, params.id, query))
  route(api, contract.getFeed, ({ ctx, session, query, request }) => getFeed(ctx, session, query, readLastWrite(ctx, request).isRecent), {
    sharedPart,
  })
  route(api, contract.getSuggestions, ({ ctx, actor, query }) => getSuggestions(ctx, actor, query))
}
