import { expect, test } from 'vitest'
import { websiteName } from './website-name.ts'

test.each([
  ['https://www.example.com/', 'example.com'],
  ['http://shop.example.com/menu/?from=register', 'shop.example.com/menu'],
  ['https://example.com:8080', 'example.com:8080'],
  ['not an address', 'not an address'],
])('shows %s as %s', (address, name) => {
  expect(websiteName(address)).toBe(name)
})
