import { expect, test } from 'vitest'
import { blankItem, itemFields, readItem, valuesOfItem } from './item-values.ts'
import { columnKeys } from './menu-columns.ts'
import { menuItem } from './sample-item.test-support.ts'

const place = '019ab000-0000-7000-8000-0000000000aa'

test('an item goes through the form as it is', () => {
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

test('what is typed in the table is in the form', () => {
  const edit = { version: 1, cells: { price: '40' }, base: { price: '35.00' } }
  expect(valuesOfItem(menuItem(), edit).price).toBe('40')
})

test('a location that does not differ is no offer', () => {
  const offer = { locationId: place, isOffered: true, price: '', stock: '' as const }
  const read = (changes: object) => readItem({ ...blankItem, name: 'x', price: '1', offers: [{ ...offer, ...changes }] })
  expect(read({})).toMatchObject({ item: { offers: [] } })
  expect(read({ isOffered: false })).toMatchObject({ item: { offers: [{ isOffered: false, price: null, isAvailable: null }] } })
  expect(read({ price: 'x' })).toEqual({ errors: { 'offers.0.price': 'Enter a price such as 12.50' } })
})

test('an empty form says what is missing', () => {
  expect(readItem(blankItem)).toEqual({ errors: { name: 'Name is required', price: 'Enter a price such as 12.50' } })
})

test('every cell of the table has its place in the form', () => {
  expect([...itemFields].filter((field) => field !== 'description').sort()).toEqual([...columnKeys].sort())
})
