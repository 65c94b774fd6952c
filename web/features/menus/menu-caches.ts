import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { getMenu, getMenuSettings, listMenuItems, listProducts, type MenuItem } from '../../../contracts/menus.ts'
import { callPage, type ListPage } from '../../lib/call.ts'
import type { ItemsById } from './menu-edits.ts'

type Pages = InfiniteData<ListPage<MenuItem>>

/** Writes items as they are now into every list that shows them. */
export function putItems(client: QueryClient, items: Iterable<MenuItem>): void {
  const byId = new Map([...items].map((item) => [item.id, item]))
  client.setQueriesData<Pages>(
    { queryKey: [listMenuItems.path] },
    (data) =>
      data && { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map((item) => byId.get(item.id) ?? item) })) },
  )
}

/** Takes items out of every list. */
export function dropItems(client: QueryClient, ids: readonly string[]): void {
  client.setQueriesData<Pages>(
    { queryKey: [listMenuItems.path] },
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.filter(({ id }) => !ids.includes(id)) })) },
  )
}

/** What else shows the menu asks again when it is looked at: nothing goes stale by itself. */
export function menuHasChanged(client: QueryClient): void {
  for (const { path } of [getMenu, listProducts, getMenuSettings]) void client.invalidateQueries({ queryKey: [path] })
}

/** And the lists of its keepers: items came or went. */
export function itemsHaveChanged(client: QueryClient): Promise<void> {
  menuHasChanged(client)
  return client.invalidateQueries({ queryKey: [listMenuItems.path] })
}

/** Items as they are on the server, wherever in the list they stand; what is not among them is gone. */
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
