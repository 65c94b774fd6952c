import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { InputOf } from '../../../contracts/endpoint.ts'
import { getMenuImport, listMenuImports } from '../../../contracts/menu-imports.ts'
import { getMenu, getMenuSettings, listMenuItems, listProducts } from '../../../contracts/menus.ts'
import { call, callPage, type ListPage, queryKey } from '../../lib/call.ts'

const firstPage = null as string | null
const nextPage = ({ next }: ListPage<unknown>) => next
const ofBusiness = (id: string) => ({ params: { id } })

export type ProductsQuery = NonNullable<InputOf<typeof listProducts>['query']>

/** A menu as shoppers see it. The empty query is the whole of it. */
export const productsOptions = (businessId: string, query: ProductsQuery = {}) =>
  infiniteQueryOptions({
    queryKey: queryKey(listProducts, { ...ofBusiness(businessId), query }),
    queryFn: ({ pageParam, signal }) => callPage(listProducts, { ...ofBusiness(businessId), query }, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
  })

/** What a menu holds, at one location or in all. */
export const menuOptions = (businessId: string, location?: string) =>
  queryOptions({
    queryKey: queryKey(getMenu, { ...ofBusiness(businessId), query: { location } }),
    queryFn: ({ signal }) => call(getMenu, { ...ofBusiness(businessId), query: { location } }, { signal }),
  })

export type MenuItemsQuery = Pick<NonNullable<InputOf<typeof listMenuItems>['query']>, 'q' | 'category'>

const itemsAPage = 100

/** A menu as its keepers see it. */
export const menuItemsOptions = (businessId: string, filter: MenuItemsQuery = {}) => {
  const input = { ...ofBusiness(businessId), query: { ...filter, limit: itemsAPage } }
  return infiniteQueryOptions({
    queryKey: queryKey(listMenuItems, input),
    queryFn: ({ pageParam, signal }) => callPage(listMenuItems, input, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
  })
}

export const menuSettingsOptions = (businessId: string) =>
  queryOptions({
    queryKey: queryKey(getMenuSettings, ofBusiness(businessId)),
    queryFn: ({ signal }) => call(getMenuSettings, ofBusiness(businessId), { signal }),
  })

export const menuImportsOptions = (businessId: string) =>
  infiniteQueryOptions({
    queryKey: queryKey(listMenuImports, ofBusiness(businessId)),
    queryFn: ({ pageParam, signal }) =>
      callPage(listMenuImports, { ...ofBusiness(businessId), query: { limit: 10 } }, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
  })

export const menuImportOptions = (businessId: string, importId: string) => {
  const input = { params: { id: businessId, importId } }
  return queryOptions({
    queryKey: queryKey(getMenuImport, input),
    queryFn: ({ signal }) => call(getMenuImport, input, { signal }),
  })
}
