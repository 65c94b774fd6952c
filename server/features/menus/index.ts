import * as contract from '#contracts/menus.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { getMenuSettings, saveMenuSettings } from './menu-settings.ts'
import { getMenu, getProduct, listMenuItems, listProducts } from './read-menu.ts'
import { addMenuItem, confirmMenu, removeMenuItems, updateMenuItems } from './update-menu-items.ts'

export {
  checkItem,
  checkTogether,
  checkVariant,
  emptyRow,
  emptyVariant,
  itemWords,
  mayReadProductMedia,
  variantWords,
  weightOf,
  withoutIdlePeriod,
  withoutPassedSale,
  wordsOf,
} from './item-input.ts'
export { storedFields, valuesOf } from './menu-fields.ts'
export { changeMenu, freeItems, itemLimit, lockMenu, maxItems, noRoom, requireMenuEditor, requireRoom } from './menu-lock.ts'
export { shownCentsInSql, stateTax } from './menu-settings.ts'
export { menuJobs, menuSchedules } from './menus.jobs.ts'
export {
  confirmItems,
  deleteItems,
  type ItemRow,
  insertItems,
  itemColumns,
  itemsById,
  type MenuRow,
  menuPages,
  type StoredItem,
  setPictures,
  updateItems,
  wholeMenu,
} from './product-rows.queries.ts'
export { decodeMenuCursor, itemCount, keyOfItem, menuItemsPage } from './products.queries.ts'
export { menuPage, menuProduct, menuProducts, menuSummary } from './read-menu.ts'
export { isGoodNews, restoreMenu } from './update-menu-items.ts'
export { dayAt, gramsOf, isFluid, saleNow, type VariantRow, variantColumns } from './variant-rows.queries.ts'

export function registerMenus(api: Api): void {
  const read = { replicaFor: 'visitors' } as const
  route(api, contract.listProducts, ({ ctx, actor, params, query }) => listProducts(ctx, actor, params.id, query), read)
  route(api, contract.getMenu, ({ ctx, actor, params, query }) => getMenu(ctx, actor, params.id, query.location ?? null), read)
  route(api, contract.getProduct, ({ ctx, actor, params, query }) => getProduct(ctx, actor, params.id, query), read)
  route(api, contract.listMenuItems, ({ ctx, actor, params, query }) => listMenuItems(ctx, actor, params.id, query))
  route(api, contract.addMenuItem, ({ ctx, actor, params, body, idempotency }) => addMenuItem(ctx, actor, params.id, body, idempotency))
  route(api, contract.updateMenuItems, ({ ctx, actor, params, body }) => updateMenuItems(ctx, actor, params.id, body.changes))
  route(api, contract.removeMenuItems, ({ ctx, actor, params, body }) => removeMenuItems(ctx, actor, params.id, body.ids))
  route(api, contract.confirmMenu, ({ ctx, actor, params, body }) => confirmMenu(ctx, actor, params.id, body.ids))
  route(api, contract.getMenuSettings, ({ ctx, actor, params }) => getMenuSettings(ctx, actor, params.id))
  route(api, contract.saveMenuSettings, ({ ctx, actor, params, body }) => saveMenuSettings(ctx, actor, params.id, body))
}
