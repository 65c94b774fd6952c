import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'
import { foundProductsOptions, productCountsOptions } from '#web/entities/product-search/product-search.api.ts'
import { everyItem, itemsHaveChanged, itemsWereSaved, menuItemsOptions, putItems } from './menus.api.ts'
import { menuItem } from './sample-item.test-support.ts'

test('marks the product search as stale after a change to the menu', async () => {
  const client = new QueryClient()
  const search = { near: 'Denver, CO' }
  client.setQueryData(foundProductsOptions(search).queryKey, { pages: [{ items: [], next: null }], pageParams: [null] })
  client.setQueryData<unknown>(productCountsOptions(search).queryKey, { total: 0 })
  await itemsHaveChanged(client)
  expect(client.getQueryState(foundProductsOptions(search).queryKey)?.isInvalidated).toBe(true)
  expect(client.getQueryState(productCountsOptions(search).queryKey)?.isInvalidated).toBe(true)
})

const names = ['a', 'b', 'c', 'd', 'e']

/** A list on screen with five pages of one item each. */
async function listOnScreen(client: QueryClient) {
  const fetchPage = vi.fn(async ({ pageParam }: { pageParam: unknown }) => {
    const at = Number(pageParam ?? 0)
    return { items: [menuItem({ id: names[at] as string })], next: at < names.length - 1 ? String(at + 1) : null }
  })
  const list = new InfiniteQueryObserver(client, { ...menuItemsOptions('b1'), queryFn: fetchPage as never })
  onTestFinished(list.subscribe(() => undefined))
  await vi.waitFor(() => expect(list.getCurrentResult().isSuccess).toBe(true))
  const shown = () => list.getCurrentResult().data?.pages.flatMap(({ items }) => items.map(({ id, name }) => [id, name]))
  return { list, fetchPage, shown }
}

test('shows saved items without fetching the list again', async () => {
  const client = new QueryClient()
  const { list, fetchPage, shown } = await listOnScreen(client)
  for (const _ of names.slice(1)) await list.fetchNextPage()
  expect(fetchPage).toHaveBeenCalledTimes(names.length)
  putItems(client, [menuItem({ id: 'b', name: 'Northern Lights', version: 2 })])
  itemsWereSaved(client)
  await new Promise((resolve) => setTimeout(resolve))
  expect(shown()?.[1]).toEqual(['b', 'Northern Lights'])
  expect(fetchPage).toHaveBeenCalledTimes(names.length)
  expect(client.getQueryState(menuItemsOptions('b1').queryKey)?.isInvalidated).toBe(true)
})

test('keeps a saved item when the next page, requested before, arrives after the save', async () => {
  const client = new QueryClient()
  const { list, shown } = await listOnScreen(client)
  const next = list.fetchNextPage()
  putItems(client, [menuItem({ id: 'a', name: 'Northern Lights', version: 2 })])
  itemsWereSaved(client)
  await next
  expect(shown()).toEqual([
    ['a', 'Northern Lights'],
    ['b', 'Blue Dream'],
  ])
})

test('finds the items of every cached list of a menu, the visible one last', () => {
  const client = new QueryClient()
  const listed = (...items: ReturnType<typeof menuItem>[]) => ({ pages: [{ items, next: null }], pageParams: [null] })
  const [dream, sherbet, foreign] = [menuItem({ id: 'a' }), menuItem({ id: 'b' }), menuItem({ id: 'c' })]
  client.setQueryData(menuItemsOptions('shop').queryKey, listed(dream))
  client.setQueryData(menuItemsOptions('shop', { q: 'sherbet' }).queryKey, listed(sherbet))
  client.setQueryData(menuItemsOptions('another').queryKey, listed(foreign))
  const newer = menuItem({ id: 'a', version: 2 })
  expect([...everyItem(client, 'shop', listed(newer)).values()]).toEqual([newer, sherbet])
})
