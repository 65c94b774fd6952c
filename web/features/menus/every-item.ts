import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { listMenuItems, type MenuItem } from '../../../contracts/menus.ts'
import type { ListPage } from '../../lib/call.ts'
import { queryKey } from '../../lib/call.ts'
import type { ItemsById } from './menu-edits.ts'

type Pages = InfiniteData<ListPage<MenuItem>>

/** Every item that any list of this menu has brought: what was typed stays tied to its item when another filter is chosen. */
export function everyItem(client: QueryClient, businessId: string, shown: Pages | undefined): ItemsById {
  const [path, params] = queryKey(listMenuItems, { params: { id: businessId } })
  const lists = client
    .getQueriesData<Pages>({ queryKey: [path] })
    .filter(([key]) => JSON.stringify(key).includes(JSON.stringify(params ?? businessId)))
    .map(([, data]) => data)
  // The list in view is the newest of them.
  return new Map(
    [...lists, shown].flatMap((data) => data?.pages.flatMap((page) => page.items.map((item) => [item.id, item] as const)) ?? []),
  )
}
