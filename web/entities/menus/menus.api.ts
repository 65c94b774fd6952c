import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { CurrentUser } from '#contracts/accounts.ts'
import { getMenuImport, listMenuImports } from '#contracts/calls/menu-imports.ts'
import { getMenu, getMenuSettings, getProduct, listMenuItems, listProducts } from '#contracts/calls/menus.ts'
import type { InputOf } from '#contracts/endpoint.ts'
import type { MenuImport } from '#contracts/menu-imports.endpoints.ts'
import type { MenuItem } from '#contracts/menus.ts'
import { callOptions, callPage, type ListPage, pagesOptions, refreshCalls } from '#web/lib/call.ts'
import type { ItemsById } from './menu-edits.ts'

const ofBusiness = (id: string) => ({ params: { id } })

export type ProductsQuery = NonNullable<InputOf<typeof listProducts>['query']>

/** A menu as shown to shoppers; an empty query returns all of it. */
export const productsOptions = (businessId: string, query: ProductsQuery = {}) =>
  pagesOptions(listProducts, { ...ofBusiness(businessId), query })

type ProductQuery = NonNullable<InputOf<typeof getProduct>['query']>

/** An item and its business: at the prices of a location, with the distance from a place. */
export const productOptions = (id: string, query: ProductQuery) => callOptions(getProduct, { params: { id }, query })

/** Distances are from the person's city. */
export const productQuery = (
  location: string | undefined,
  viewer: Pick<CurrentUser, 'location' | 'isLocationKnown'> | null,
): ProductQuery => ({ location, near: (viewer?.isLocationKnown && viewer.location) || undefined })

/** Summary of a menu, at one location or all. */
export const menuOptions = (businessId: string, location?: string) =>
  callOptions(getMenu, { ...ofBusiness(businessId), query: { location } })

export type MenuItemsQuery = Pick<NonNullable<InputOf<typeof listMenuItems>['query']>, 'q' | 'category' | 'part' | 'sort'>

const itemsAPage = 100

/** A menu as shown to its editors. */
export const menuItemsOptions = (businessId: string, filter: MenuItemsQuery = {}) => {
  const input = { ...ofBusiness(businessId), query: { ...filter, limit: itemsAPage } }
  return pagesOptions(listMenuItems, input)
}

export const menuSettingsOptions = (businessId: string) => callOptions(getMenuSettings, ofBusiness(businessId))

export const menuImportsOptions = (businessId: string) => pagesOptions(listMenuImports, { ...ofBusiness(businessId), query: { limit: 10 } })

export const menuImportOptions = (businessId: string, importId: string) => {
  const input = { params: { id: businessId, importId } }
  return callOptions(getMenuImport, input)
}

type Pages = InfiniteData<ListPage<MenuItem>>

export function putItems(client: QueryClient, items: Iterable<MenuItem>): void {
  const byId = new Map([...items].map((item) => [item.id, item]))
  client.setQueriesData<Pages>(
    { queryKey: [listMenuItems.path] },
    (data) =>
      data && { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map((item) => byId.get(item.id) ?? item) })) },
  )
}

export function dropItems(client: QueryClient, ids: readonly string[]): void {
  client.setQueriesData<Pages>(
    { queryKey: [listMenuItems.path] },
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.filter(({ id }) => !ids.includes(id)) })) },
  )
}

/** Invalidates everything else that shows the menu, since queries never go stale by themselves. */
function menuHasChanged(client: QueryClient): void {
  void refreshCalls(client, [getMenu, getProduct, listProducts, getMenuSettings])
}

/** Also invalidates the editors' lists, after items were added or removed. */
export function itemsHaveChanged(client: QueryClient): Promise<void> {
  menuHasChanged(client)
  return refreshCalls(client, [listMenuItems])
}

/** Fetches items by ID, wherever they are in the list. Missing ones were deleted. */
export async function findItems(businessId: string, ids: readonly string[]): Promise<ItemsById> {
  const found = new Map<string, MenuItem>()
  let next: string | null = null
  do {
    const page: ListPage<MenuItem> = await callPage(listMenuItems, { params: { id: businessId }, query: { limit: 100 } }, next)
    for (const item of page.items) if (ids.includes(item.id)) found.set(item.id, item)
    next = page.next
  } while (next !== null && found.size < ids.length)
  return found
}

/** Writes an import's new state into the cache. */
export const cacheImport = (client: QueryClient, businessId: string, entry: MenuImport): void => {
  client.setQueryData(menuImportOptions(businessId, entry.id).queryKey, entry)
}
export const refreshImports = (client: QueryClient): Promise<void> => refreshCalls(client, [listMenuImports])
