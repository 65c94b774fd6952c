import * as contract from '#contracts/comments.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { listComments, listReplies } from './read-comments.ts'
import { createComment, deleteComment, updateComment } from './write-comment.ts'

export { type NotifiedComment, notifiedComments, publicComments } from './comments.queries.ts'
export { audienceOfComment, loadComments } from './read-comments.ts'

declare module '#server/kernel/events.ts' {
  interface EventData {
    'comment.written': { commentId: string }
  }
}

export function registerComments(api: Api): void {
  route(api, contract.listComments, ({ ctx, actor, params, query }) => listComments(ctx, actor, params.id, query))
  route(api, contract.listReplies, ({ ctx, actor, params, query }) => listReplies(ctx, actor, params.id, query))
  route(api, contract.createComment, ({ ctx, actor, params, body, idempotency }) => createComment(ctx, actor, params.id, body, idempotency))
  route(api, contract.updateComment, ({ ctx, actor, params, body }) => updateComment(ctx, actor, params.id, body))
  route(api, contract.deleteComment, ({ ctx, actor, params }) => deleteComment(ctx, actor, params.id))
}
