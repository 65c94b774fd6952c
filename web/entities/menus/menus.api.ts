import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { CurrentUser } from '#contracts/accounts.ts'
import { getMenuImport, listMenuImports } from '#contracts/calls/menu-imports.ts'
import { getMenu, getMenuSettings, getProduct, listMenuItems, listProducts } from '#contracts/calls/menus.ts'
import { countProducts, searchProducts } from '#contracts/calls/product-search.ts'
import type { InputOf } from '#contracts/endpoint.ts'
import type { MenuImport } from '#contracts/menu-imports.endpoints.ts'
import type { MenuItem } from '#contracts/menus.ts'
import { callOptions, callPage, changeItems, expireCalls, type ListPage, pagesOptions, queryKey, refreshCalls } from '#web/lib/call.ts'
import type { ItemsById } from './menu-edits.ts'

const ofBusiness = (id: string) => ({ params: { id } })

export type ProductsQuery = NonNullable<InputOf<typeof listProducts>['query']>

export const productsOptions = (businessId: string, query: ProductsQuery = {}) =>
  pagesOptions(listProducts, { ...ofBusiness(businessId), query })

type ProductQuery = NonNullable<InputOf<typeof getProduct>['query']>

export const productOptions = (id: string, query: ProductQuery) => callOptions(getProduct, { params: { id }, query })

export const productQuery = (
  location: string | undefined,
  viewer: Pick<CurrentUser, 'location' | 'isLocationKnown'> | null,
): ProductQuery => ({ location, near: (viewer?.isLocationKnown && viewer.location) || undefined })

export const menuOptions = (businessId: string, location?: string) =>
  callOptions(getMenu, { ...ofBusiness(businessId), query: { location } })

export type MenuItemsQuery = Pick<NonNullable<InputOf<typeof listMenuItems>['query']>, 'q' | 'category' | 'part' | 'sort'>

const itemsAPage = 100

/** For people who edit the menu. */
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

/** The start of the key of every cached list of this menu. */
const itemLists = (businessId: string) => queryKey(listMenuItems, ofBusiness(businessId)).slice(0, 2)

/** Includes items from every cached list of this menu, so unsaved edits still have their item when the filter changes. */
export function everyItem(client: QueryClient, businessId: string, shown: Pages | undefined): ItemsById {
  const lists = client.getQueriesData<Pages>({ queryKey: itemLists(businessId) }).map(([, data]) => data)
  // Put the visible list last, because it's the most recent.
  return new Map(
    [...lists, shown].flatMap((data) => data?.pages.flatMap((page) => page.items.map((item) => [item.id, item] as const)) ?? []),
  )
}

export function putItems(client: QueryClient, items: Iterable<MenuItem>): void {
  const byId = new Map([...items].map((item) => [item.id, item]))
  const newest = (item: MenuItem) => {
    const other = byId.get(item.id)
    return other && other.version >= item.version ? other : item
  }
  changeItems<MenuItem>(client, { queryKey: [listMenuItems.path] }, (listed) => listed.map(newest))
}

/** Until the lists are refetched, shows the item after the loaded ones, where its unsaved row was. */
export function addItem(client: QueryClient, businessId: string, item: MenuItem): void {
  client.setQueriesData<Pages>({ queryKey: itemLists(businessId) }, (data) => {
    const last = data?.pages.at(-1)
    return data && last && { ...data, pages: [...data.pages.slice(0, -1), { ...last, items: [...last.items, item] }] }
  })
  client.setQueryData(
    menuSettingsOptions(businessId).queryKey,
    (data) => data && { ...data, itemCount: data.itemCount + 1, confirmedAt: data.confirmedAt ?? item.confirmedAt },
  )
}

export function dropItems(client: QueryClient, ids: readonly string[]): void {
  client.setQueriesData<Pages>(
    { queryKey: [listMenuItems.path] },
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.filter(({ id }) => !ids.includes(id)) })) },
  )
}

/** Invalidates all other responses that show the menu, because queries never go stale by themselves. */
function menuHasChanged(client: QueryClient): void {
  void refreshCalls(client, [getMenu, getProduct, listProducts, getMenuSettings, searchProducts, countProducts])
}

/** Call after changing items and calling {@link putItems}. Doesn't refetch lists on screen, because a long one takes dozens of requests. */
export function itemsWereSaved(client: QueryClient): void {
  menuHasChanged(client)
  expireCalls(client, [listMenuItems])
}

/** Call after adding or removing items, or if it's unknown which were changed. */
export function itemsHaveChanged(client: QueryClient): Promise<void> {
  menuHasChanged(client)
  return refreshCalls(client, [listMenuItems])
}

/** Items missing from the result were deleted. */
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

export const cacheImport = (client: QueryClient, businessId: string, entry: MenuImport): void => {
  client.setQueryData(menuImportOptions(businessId, entry.id).queryKey, entry)
}
export const refreshImports = (client: QueryClient): Promise<void> => refreshCalls(client, [listMenuImports])
