import * as contract from '#contracts/community-posts.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { listCommunityPosts, listTags, listTrendingTags } from './read-community-posts.ts'
import { changeAnswer, changePin, changeVote, createCommunityPost, readAnswer, withdrawVote } from './write-community-posts.ts'

declare module '#server/kernel/events.ts' {
  interface EventData {
    /** The answer and its author are read from the post. */
    'answer.accepted': { postId: string; acceptedBy: string }
  }
}

export function registerCommunityPosts(api: Api): void {
  route(api, contract.listCommunityPosts, ({ ctx, actor, query }) => listCommunityPosts(ctx, actor, query))
  route(api, contract.createCommunityPost, ({ ctx, actor, body, idempotency }) => createCommunityPost(ctx, actor, body, idempotency))
  route(api, contract.pinPost, ({ ctx, actor, params }) => changePin(ctx, actor, params.id, true))
  route(api, contract.unpinPost, ({ ctx, actor, params }) => changePin(ctx, actor, params.id, false))
  route(api, contract.getAcceptedAnswer, ({ ctx, actor, params }) => readAnswer(ctx, actor, params.id))
  route(api, contract.acceptAnswer, ({ ctx, actor, params, body }) => changeAnswer(ctx, actor, params.id, body.commentId))
  route(api, contract.unacceptAnswer, ({ ctx, actor, params }) => changeAnswer(ctx, actor, params.id, null))
  route(api, contract.votePoll, ({ ctx, actor, params, body }) => changeVote(ctx, actor, params.id, body.position))
  route(api, contract.unvotePoll, ({ ctx, actor, params }) => withdrawVote(ctx, actor, params.id))
  route(api, contract.listTags, ({ ctx, actor, params }) => listTags(ctx, actor, params.id))
  route(api, contract.listTrendingTags, ({ ctx, actor }) => listTrendingTags(ctx, actor))
}
