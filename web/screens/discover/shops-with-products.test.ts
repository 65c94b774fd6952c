import { expect, it } from 'vitest'
import { menusSentence, productSearch, shopsSentence } from './shops-with-products.tsx'

it('states how many shops have the typed product, and where', () => {
  expect(shopsSentence(3, 'chocolate', 'Denver, CO')).toBe('3 shops near Denver have “chocolate”')
  expect(shopsSentence(1, 'kush', '39.74,-104.99')).toBe('1 shop near you has “kush”')
  expect(shopsSentence(1204, 'kush', 'Colorado')).toBe('1,204 shops in Colorado have “kush”')
})

it('searches products in stock within the distance of the list', () => {
  const denver = { search: 'kush', near: 'Denver, CO' }
  expect(productSearch(denver, 'Denver, CO')).toEqual({ q: 'kush', near: 'Denver, CO', radius: 50, inStock: true })
  expect(productSearch({ ...denver, radius: 10 }, 'Denver, CO').radius).toBe(10)
  expect(productSearch({ ...denver, radius: 250 }, 'Denver, CO').radius).toBe(100)
})

it('points to menus when no business matches', () => {
  expect(menusSentence(1, 'chocolate', 'Denver, CO')).toBe('1 shop near Denver has “chocolate” on its menu.')
  expect(menusSentence(3, 'chocolate', 'Denver, CO')).toBe('3 shops near Denver have “chocolate” on their menus.')
})
