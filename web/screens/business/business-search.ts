import { type MenuSort, menuSorts, productCategories, strainTypes } from '#contracts/menu-fields.rules.ts'
import type { ProductCategory, StrainType } from '#contracts/menu-fields.ts'
import { type SearchParams, textParam, wordParam } from '#web/lib/search-params.ts'

const businessTabs = ['products', 'posts', 'reviews', 'tools'] as const
export type BusinessTab = (typeof businessTabs)[number]

export type MenuSearch = {
  q?: string | undefined
  category?: ProductCategory | undefined
  strainType?: StrainType | undefined
  inStock?: true | undefined
  onSale?: true | undefined
  location?: string | undefined
  sort?: Exclude<MenuSort, 'category'> | undefined
}
type BusinessSearch = { tab?: BusinessTab | undefined } & MenuSearch

const id = /^[\da-f-]{36}$/i

export const readLocation = (value: unknown): string | undefined => (typeof value === 'string' && id.test(value) ? value : undefined)

/** The address omits the first tab and the first sort. */
export function readBusinessSearch({ tab, q, category, strainType, inStock, onSale, location, sort }: SearchParams): BusinessSearch {
  const order = wordParam(sort, menuSorts)
  return {
    tab: wordParam(tab, businessTabs),
    q: textParam(q, 120),
    category: wordParam(category, productCategories),
    strainType: wordParam(strainType, strainTypes),
    inStock: inStock === true || undefined,
    onSale: onSale === true || undefined,
    location: readLocation(location),
    sort: order === 'category' ? undefined : order,
  }
}
