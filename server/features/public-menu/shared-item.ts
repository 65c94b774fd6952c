import type { Product } from '#contracts/menus.ts'
import { SharedItem } from '#contracts/public-menu.ts'

/** Copies only declared fields, so that picture URLs and subscriber prices can't leak. */
export const toSharedItem = (product: Product): SharedItem => SharedItem.parse(product)
