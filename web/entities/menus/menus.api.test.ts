import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { foundProductsOptions, productCountsOptions } from '#web/entities/product-search/product-search.api.ts'
import { itemsHaveChanged } from './menus.api.ts'

test('marks the product search as stale after a change to the menu', async () => {
  const client = new QueryClient()
  const search = { near: 'Denver, CO' }
  client.setQueryData(foundProductsOptions(search).queryKey, { pages: [{ items: [], next: null }], pageParams: [null] })
  client.setQueryData<unknown>(productCountsOptions(search).queryKey, { total: 0 })
  await itemsHaveChanged(client)
  expect(client.getQueryState(foundProductsOptions(search).queryKey)?.isInvalidated).toBe(true)
  expect(client.getQueryState(productCountsOptions(search).queryKey)?.isInvalidated).toBe(true)
})
