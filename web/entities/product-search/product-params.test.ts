import { expect, it } from 'vitest'
import { change, isFiltered, productQuery, readProductSearch, withDefaultPlace, withoutFilters } from './product-params.ts'

it('reads an address and drops invalid parts', () => {
  const search = {
    q: 'kush',
    near: '80202',
    radius: 50,
    category: 'Edibles',
    strainType: 'indica',
    maxPrice: 20,
    minPrice: 10,
    perGram: true,
    deals: true,
    sort: 'price',
  }
  expect(readProductSearch({ ...search, near: 80202 })).toEqual({ ...search, inStock: undefined, open: undefined })
  expect(readProductSearch({ maxPrice: 29.99 }).maxPrice).toBe(29.99)
  expect(readProductSearch({ maxPrice: 0.001 }).maxPrice).toBeUndefined()
  const nonsense = {
    radius: 101,
    category: 'Guns',
    strainType: 'x',
    maxPrice: -1,
    minPrice: 0,
    perGram: 1,
    inStock: 'yes',
    open: 1,
    sort: 'name',
  }
  expect(Object.values(readProductSearch(nonsense)).every((value) => value === undefined)).toBe(true)
})

it('starts near the person’s city unless the address names a place', () => {
  const user = { location: 'Denver, CO', isLocationKnown: true }
  expect(withDefaultPlace({ q: 'kush' }, user)).toEqual({ q: 'kush', near: 'Denver, CO' })
  expect(withDefaultPlace({ near: 'Bend, OR' }, user).near).toBe('Bend, OR')
  expect(withDefaultPlace({}, { location: 'Berlin', isLocationKnown: false }).near).toBeUndefined()
})

it('sends only values that differ from the defaults', () => {
  expect(productQuery({ near: 'Denver, CO', radius: 25, sort: 'nearest' })).toEqual({ near: 'Denver, CO' })
  expect(productQuery({ near: 'Denver, CO', radius: 5, deals: true, maxPrice: 20, minPrice: 9.5, perGram: true, sort: 'potency' })).toEqual(
    {
      ...{ near: 'Denver, CO', radius: 5, onSale: true, maxPrice: '20', minPrice: '9.5', perGram: true, sort: 'potency' },
    },
  )
})

it('clears filters but keeps the search text, the place, and the sort order', () => {
  const search = { q: 'kush', near: 'Denver, CO', sort: 'price', open: true, radius: 5 } as const
  expect(isFiltered(search)).toBe(true)
  expect(withoutFilters(search)).toEqual({ q: 'kush', near: 'Denver, CO', sort: 'price' })
  expect(isFiltered(withoutFilters({ ...search, minPrice: 5, perGram: true }))).toBe(false)
  expect(change(search, { q: undefined })).not.toHaveProperty('q')
})
