import { keepPreviousData } from '@tanstack/react-query'
import { countProducts, searchProducts } from '#contracts/calls/product-search.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import { callOptions, pagesOptions } from '#web/lib/call.ts'
import { cachedForBack } from '#web/lib/query-client.ts'
import { type ProductSearch, productQuery } from './product-params.ts'

export const foundProductsOptions = (search: ProductSearch) => ({
  ...pagesOptions(searchProducts, { query: productQuery(search) }),
  ...cachedForBack,
  enabled: search.near !== undefined,
})

export type ProductCounts = ResponseOf<typeof countProducts>

export const productCountsOptions = (search: ProductSearch) => ({
  ...callOptions(countProducts, { query: productQuery({ ...search, sort: undefined }) }),
  enabled: search.near !== undefined,
  placeholderData: keepPreviousData<ProductCounts>,
})
