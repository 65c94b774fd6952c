import * as contract from '#contracts/page-extras.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { readManagedPageExtras, readPageExtras, saveGallery, saveSocialLinks } from './page-extras.ts'

export { isGalleryItemShown, mayReadGalleryMedia } from './page-extras.queries.ts'

export function registerPageExtras(api: Api): void {
  route(api, contract.getPageExtras, ({ ctx, actor, params }) => readPageExtras(ctx.db, actor?.id ?? null, params.id, ctx.clock.now()))
  route(api, contract.getManagedPageExtras, ({ ctx, actor, params }) => readManagedPageExtras(ctx.db, actor, params.id, ctx.clock.now()))
  route(api, contract.saveGallery, ({ ctx, actor, params, body }) => saveGallery(ctx, actor, params.id, body))
  route(api, contract.saveSocialLinks, ({ ctx, actor, params, body }) => saveSocialLinks(ctx, actor, params.id, body))
}
