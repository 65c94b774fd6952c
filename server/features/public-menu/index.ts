import * as contract from '#contracts/public-menu.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { registerEmbed, registerMenuFeed } from './embed.ts'
import { registerQrCodes } from './qr-codes.ts'
import { closeFeed, getSharing, openFeed, rotateFeed, setEmbed } from './sharing.ts'

export { businessData, listedData, menuData } from './business-data.ts'
export { readItemPage, readMenuPage } from './menu-page.ts'

export function registerPublicMenu(api: Api): void {
  route(api, contract.getMenuSharing, ({ ctx, actor, params }) => getSharing(ctx, actor, params.id))
  route(api, contract.saveMenuSharing, ({ ctx, actor, params, body }) => setEmbed(ctx, actor, params.id, body.isEmbedOn))
  route(api, contract.openMenuFeed, ({ ctx, actor, params }) => openFeed(ctx, actor, params.id))
  route(api, contract.rotateMenuFeed, ({ ctx, actor, params, idempotency }) => rotateFeed(ctx, actor, params.id, idempotency))
  route(api, contract.closeMenuFeed, ({ ctx, actor, params }) => closeFeed(ctx, actor, params.id))
  registerMenuFeed(api)
  registerEmbed(api)
  registerQrCodes(api)
}
