import * as contract from '#contracts/product-search.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { countProducts, searchProducts } from './search-products.ts'

/** Menu items of every shop near a place. Reads what the menus store; writes nothing. */
export function registerProductSearch(api: Api): void {
  route(api, contract.searchProducts, ({ ctx, actor, query }) => searchProducts(ctx, actor, query))
  route(api, contract.countProducts, ({ ctx, actor, query }) => countProducts(ctx, actor, query))
}
