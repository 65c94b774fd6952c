import type { ProductSort } from '#contracts/menu-fields.rules.ts'
import { isPoint } from '#web/entities/directory/discover-search.ts'
import { radiusWords } from '#web/entities/directory/distance-text.ts'
import { defaultRadius, type ProductSearch } from '#web/entities/product-search/product-params.ts'
import type { ProductCounts } from '#web/entities/product-search/product-search.api.ts'
import { counted } from '#web/lib/format.ts'
import type { Units } from '#web/lib/units.ts'

type Found = Pick<ProductCounts, 'place' | 'itemCount' | 'shopCount'>

/** "Products near Denver, CO"; `found` is null while loading. */
export function productHeading({ near }: ProductSearch, found: Pick<Found, 'place'> | null): string {
  if (near === undefined) return 'Products near you'
  if (isPoint(near)) return 'Products near your location'
  if (found) return `Products ${found.place.radiusMiles === null ? 'in' : 'near'} ${found.place.label}`
  // A suggested place is already formatted as the server would.
  return /, [A-Z]{2}$/.test(near) ? `Products near ${near}` : 'Products'
}

/** "214 items in 32 shops within 25 miles." */
export function countSentence({ itemCount, shopCount, place }: Found, unit: Units['distance']): string {
  const where = place.radiusMiles === null ? '' : ` within ${radiusWords(place.radiusMiles, unit)}`
  return itemCount === 0 ? `No items${where}.` : `${counted(itemCount, 'item')} in ${counted(shopCount, 'shop')}${where}.`
}

export const sortTexts: Record<ProductSort, string> = {
  nearest: 'Nearest',
  price: 'Price',
  price_per_gram: 'Price per gram',
  potency: 'Potency',
}

const orders: Record<ProductSort, string> = {
  nearest: 'Nearest first, three items of each shop at a time.',
  price: 'Lowest price first.',
  price_per_gram: 'Lowest price per gram first.',
  potency: 'Highest THC first, as labeled.',
}

/** Why results are in this order. Stale menus come last, because their prices and stock may be wrong. */
export const orderSentence = (sort: ProductSort = 'nearest'): string => `${orders[sort]} Menus not confirmed for a week come last.`

export function emptyReason({ q, near, radius = defaultRadius }: ProductSearch, found: Found | null, unit: Units['distance']): string {
  const what = q ? `Nothing matches “${q}”` : 'Nothing matches these filters'
  if (near === undefined) return `${what}.`
  if (found?.place.radiusMiles === null) return `${what} in ${found.place.label}.`
  const place = isPoint(near) ? 'your location' : (found?.place.label ?? near)
  return `${what} within ${radiusWords(found?.place.radiusMiles ?? radius, unit)} of ${place}.`
}
