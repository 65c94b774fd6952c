import { expect, test } from 'vitest'
import { menuItem } from '#web/entities/menus/sample-item.test-support.ts'
import { blankItem, readItem, valuesOfItem } from './item-values.ts'

const place = '019ab000-0000-7000-8000-0000000000aa'

test('round-trips an item through the form', () => {
  const item = menuItem({
    category: 'Flower',
    thc: 24.1,
    potencyUnit: 'percent',
    memberPrice: '30.00',
    description: 'Sweet.',
    isAvailable: false,
    offers: [{ locationId: place, isOffered: true, price: '38.00', isAvailable: true }],
  })
  const read = readItem(valuesOfItem(item))
  const { id: _, image: _image, certificateUrl: _url, confirmedAt: _c, updatedAt: _u, version: _v, ...rest } = item
  expect(read).toEqual({ item: { ...rest, imageId: null } })
})

test('carries table input into the form', () => {
  const edit = { version: 1, cells: { price: '40' }, base: { price: '35.00' } }
  expect(valuesOfItem(menuItem(), edit).price).toBe('40')
})

test('sends no offer for a location with the same values', () => {
  const offer = { locationId: place, isOffered: true, price: '', stock: '' as const }
  const read = (changes: object) => readItem({ ...blankItem, name: 'x', price: '1', offers: [{ ...offer, ...changes }] })
  expect(read({})).toMatchObject({ item: { offers: [] } })
  expect(read({ isOffered: false })).toMatchObject({ item: { offers: [{ isOffered: false, price: null, isAvailable: null }] } })
  expect(read({ price: 'x' })).toEqual({ errors: { 'offers.0.price': 'Enter a price such as 12.50' } })
})

test('reports what an empty form is missing', () => {
  expect(readItem(blankItem)).toEqual({ errors: { name: 'Name is required', price: 'Enter a price such as 12.50' } })
})
