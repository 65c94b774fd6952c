import { MutationObserver, QueryClient } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { menuItemsOptions } from '#web/entities/menus/menus.api.ts'
import { menuItem, menuVariant } from '#web/entities/menus/sample-item.test-support.ts'
import { removals } from '#web/ui/pending-removals.ts'
import { toastStore } from '#web/ui/toast-store.ts'
import { type BulkChange, bulkWrites, changedCents } from './bulk-dialog.tsx'
import { confirmOptions, removeItems } from './use-menu-edits.ts'

it.each([
  [1000, { by: 'percent', value: 10, rounding: 1 }, 1100],
  [3333, { by: 'percent', value: 3.5, rounding: 1 }, 3450],
  [1005, { by: 'percent', value: 50, rounding: 1 }, 1508],
  [1010, { by: 'percent', value: -10, rounding: 5 }, 910],
  [3499, { by: 'amount', value: 1.5, rounding: 1 }, 3649],
  [3499, { by: 'amount', value: 0, rounding: 100 }, 3500],
  [3450, { by: 'amount', value: 0, rounding: 100 }, 3500],
  [3449, { by: 'amount', value: 0, rounding: 100 }, 3400],
  [500, { by: 'amount', value: -5, rounding: 1 }, null],
  [20, { by: 'percent', value: -10, rounding: 50 }, null],
] as const)('changes %i cents by %o', (cents, change, expected) => expect(changedCents(cents, change)).toBe(expected))

const nothing: BulkChange = { price: null, sale: null, days: null, category: null, brand: null }

it('applies a price, a sale, a category, and a brand to every selected item, on top of unsaved edits', () => {
  const item = menuItem({ id: 'a', variants: [menuVariant({ id: 'v', price: '20.00' }), menuVariant({ id: 'w' })] })
  const edits = { a: { version: 1, cells: { 'price w': '40' }, base: {}, variants: ['v', 'w'], added: [], removed: [] } }
  const change: BulkChange = {
    price: { by: 'percent', value: 10, rounding: 100 },
    sale: { percentOff: 20, rounding: 1 },
    days: { starts: '', ends: '2026-12-24' },
    category: 'Vapes',
    brand: 'House',
  }
  expect(bulkWrites([item], edits, change)).toEqual({
    writes: [
      { id: 'a', variant: '', key: 'category', text: 'Vapes' },
      { id: 'a', variant: '', key: 'brand', text: 'House' },
      { id: 'a', variant: 'v', key: 'price', text: '22.00' },
      { id: 'a', variant: 'v', key: 'salePrice', text: '17.60' },
      { id: 'a', variant: 'v', key: 'saleStarts', text: '' },
      { id: 'a', variant: 'v', key: 'saleEnds', text: '2026-12-24' },
      { id: 'a', variant: 'w', key: 'price', text: '44.00' },
      { id: 'a', variant: 'w', key: 'salePrice', text: '35.20' },
      { id: 'a', variant: 'w', key: 'saleStarts', text: '' },
      { id: 'a', variant: 'w', key: 'saleEnds', text: '2026-12-24' },
    ],
    skipped: 0,
  })
  expect(bulkWrites([item], {}, { ...nothing, sale: 'none' }).writes.map(({ key, text }) => [key, text])).toEqual(
    ['v', 'w'].flatMap(() => [
      ['salePrice', ''],
      ['saleStarts', ''],
      ['saleEnds', ''],
    ]),
  )
})

it('changes the sale days only of sizes with a sale price', () => {
  const item = menuItem({ id: 'a', variants: [menuVariant({ id: 'v', salePrice: '30.00' }), menuVariant({ id: 'w' })] })
  expect(bulkWrites([item], {}, { ...nothing, days: { starts: '2026-12-01', ends: '' } }).writes).toEqual([
    { id: 'a', variant: 'v', key: 'saleStarts', text: '2026-12-01' },
    { id: 'a', variant: 'v', key: 'saleEnds', text: '' },
  ])
})

it('skips prices that would drop to zero or below, and text that isn’t a price', () => {
  const item = menuItem({ id: 'a', variants: [menuVariant({ id: 'v', price: '4.00' }), menuVariant({ id: 'w' })] })
  const edits = { a: { version: 1, cells: { 'price w': 'cheap' }, base: {}, variants: ['v', 'w'], added: [], removed: [] } }
  expect(bulkWrites([item], edits, { ...nothing, price: { by: 'amount', value: -5, rounding: 1 } })).toEqual({ writes: [], skipped: 2 })
})

it('undoes the removal of more items than one request can name', () => {
  const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('offline'))
  const items = Array.from({ length: 501 }, (_, index) => ({ id: `item-${index}`, name: `Item ${index}` }))
  removeItems(new QueryClient(), 'shop', items, () => undefined)
  expect(removals.hidden.get().size).toBe(501)
  const [shown] = toastStore.get()
  expect(shown).toMatchObject({ title: '501 items removed' })
  shown?.action?.onClick()
  expect(removals.hidden.get().size).toBe(0)
  expect(fetched).not.toHaveBeenCalled()
})

it('refetches the list after a confirmation that failed in a later batch', async () => {
  const answers = [() => Response.json({ confirmedCount: 500, confirmedAt: '2026-11-30T12:00:00.000Z' }), () => Response.error()]
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => answers.shift()?.() ?? Response.error())
  const client = new QueryClient()
  const { queryKey } = menuItemsOptions('shop')
  client.setQueryData(queryKey, { pages: [{ items: [], next: null }], pageParams: [null] })
  const ids = Array.from({ length: 501 }, (_, index) => `item-${index}`)
  await expect(new MutationObserver(client, confirmOptions(client, 'shop')).mutate(ids)).rejects.toThrow()
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true)
  expect(toastStore.get()).toContainEqual(
    expect.objectContaining({ description: expect.stringMatching(/^Some items weren’t confirmed\./) }),
  )
})
