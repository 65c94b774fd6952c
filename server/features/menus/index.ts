import * as contract from '../../../contracts/menus.ts'
import { type Api, route } from '../../kernel/route.ts'
import { listProducts } from './list-products.ts'

export function registerMenus(api: Api): void {
  route(api, contract.listProducts, ({ ctx, actor, params, query }) => listProducts(ctx, actor, params.id, query))
}
