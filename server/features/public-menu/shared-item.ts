import type { Product } from '#contracts/menus.ts'
import type { SharedItem } from '#contracts/public-menu.ts'

/** Copies only declared fields, so that picture URLs and subscriber prices can't leak. */
export const toSharedItem = (product: Product): SharedItem => ({
  id: product.id,
  name: product.name,
  price: product.price,
  currency: product.currency,
  isTaxIncluded: product.isTaxIncluded,
  description: product.description,
  category: product.category,
  strain: product.strain,
  brand: product.brand,
  thc: product.thc,
  cbd: product.cbd,
  potencyUnit: product.potencyUnit,
  weight: product.weight,
  weightUnit: product.weightUnit,
  isAvailable: product.isAvailable,
  confirmedAt: product.confirmedAt,
})
