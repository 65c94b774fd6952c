// No schemas: the router loads this file on every page, and Zod would add to the initial bundle.
import type { CurrentUser } from '#contracts/accounts.ts'
import type { searchProducts } from '#contracts/calls/product-search.ts'
import type { InputOf } from '#contracts/endpoint.ts'
import { maxProductMiles } from '#contracts/limits.ts'
import { type ProductSort, productCategories, productSorts, strainTypes } from '#contracts/menu-fields.rules.ts'
import type { ProductCategory, StrainType } from '#contracts/menu-fields.ts'
import { nearHome } from '#web/lib/near-home.ts'
import { flagParam, type SearchParams, textParam, wholeParam, withoutUnset, wordParam } from '#web/lib/search-params.ts'

/** The product search stores all its state in its address. */
export type ProductSearch = {
  q?: string | undefined
  /** "Denver, CO", a ZIP code, or `latitude,longitude`. */
  near?: string | undefined
  /** In miles. */
  radius?: number | undefined
  category?: ProductCategory | undefined
  strainType?: StrainType | undefined
  /** In dollars, to the cent. */
  maxPrice?: number | undefined
  minPrice?: number | undefined
  /** Both prices are per gram. */
  perGram?: true | undefined
  inStock?: true | undefined
  deals?: true | undefined
  open?: true | undefined
  sort?: ProductSort | undefined
}

/** In miles, as on the server. */
export const defaultRadius = 25
export const productRadii = [5, 10, 25, 50, maxProductMiles]

function priceParam(value: unknown): number | undefined {
  const cents = typeof value === 'number' ? wholeParam(Math.round(value * 100), 1, 99_999_900) : undefined
  return cents && cents / 100
}

/** Drops invalid values, so old links still work. */
export const readProductSearch = (given: SearchParams): ProductSearch => ({
  q: textParam(given.q, 120),
  near: textParam(given.near, 120),
  radius: wholeParam(given.radius, 1, maxProductMiles),
  category: wordParam(given.category, productCategories),
  strainType: wordParam(given.strainType, strainTypes),
  maxPrice: priceParam(given.maxPrice),
  minPrice: priceParam(given.minPrice),
  perGram: flagParam(given.perGram),
  inStock: flagParam(given.inStock),
  deals: flagParam(given.deals),
  open: flagParam(given.open),
  sort: wordParam(given.sort, productSorts),
})

export const withDefaultPlace = (search: ProductSearch, user: Pick<CurrentUser, 'location' | 'isLocationKnown'> | null): ProductSearch =>
  search.near === undefined ? { ...search, ...nearHome(user) } : search

export const change = (search: ProductSearch, changes: ProductSearch): ProductSearch => withoutUnset({ ...search, ...changes })

export const withoutFilters = ({ q, near, sort }: ProductSearch): ProductSearch => change({}, { q, near, sort })

export const isFiltered = ({ q: _q, near: _near, sort: _sort, ...filters }: ProductSearch): boolean =>
  Object.values(filters).some((value) => value !== undefined)

export type ProductQuery = NonNullable<InputOf<typeof searchProducts>['query']>

export function productQuery(search: ProductSearch): ProductQuery {
  const { q, near, radius, category, strainType, maxPrice, minPrice, perGram, inStock, deals, open, sort } = search
  return {
    ...(q ? { q } : {}),
    ...(near ? { near } : {}),
    ...(radius && radius !== defaultRadius ? { radius } : {}),
    ...(category ? { category } : {}),
    ...(strainType ? { strainType } : {}),
    ...(maxPrice ? { maxPrice: String(maxPrice) } : {}),
    ...(minPrice ? { minPrice: String(minPrice) } : {}),
    ...(perGram ? { perGram } : {}),
    ...(inStock ? { inStock } : {}),
    ...(deals ? { onSale: deals } : {}),
    ...(open ? { open } : {}),
    ...(sort && sort !== 'nearest' ? { sort } : {}),
  }
}
