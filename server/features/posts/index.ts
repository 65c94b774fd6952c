import * as contract from '../../../contracts/posts.ts'
import { type Api, route } from '../../kernel/route.ts'
import { listBusinessPosts } from './list-business-posts.ts'

export function registerPosts(api: Api): void {
  route(api, contract.listBusinessPosts, ({ ctx, actor, params, query }) => listBusinessPosts(ctx, actor, params.id, query))
}
