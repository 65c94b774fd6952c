import { afterEach, expect, test, vi } from 'vitest'
import { dateFormat, formatBytes, formatNumber, getLocale, numberFormat, possessive, setRegion, websiteName } from './format.ts'

afterEach(() => setRegion(null))

test('applies a changed region to an existing formatter', () => {
  const day = dateFormat({ dateStyle: 'medium', timeZone: 'UTC' })
  const price = numberFormat({ style: 'currency', currency: 'USD' })
  const written = () => [day.format(new Date('2026-11-21T00:00:00Z')), price.format('12.50'), formatNumber(1234.5)]
  setRegion('US')
  expect(written()).toEqual(['Nov 21, 2026', '$12.50', '1,234.5'])
  setRegion('DE')
  expect(written()).toEqual(['21 Nov 2026', 'US$12.50', '1.234,5'])
  expect(getLocale()).toBe('en-DE')
})

test('reuses a formatter for the same options', () => {
  setRegion('US')
  const made = vi.spyOn(Intl, 'NumberFormat')
  const write = () => numberFormat({ style: 'currency', currency: 'CHF' }).format('1.00')
  expect([write(), write()]).toEqual(['CHF 1.00', 'CHF 1.00'])
  expect(made).toHaveBeenCalledOnce()
  made.mockRestore()
})

test.each([
  [12, '1 KB'],
  [3_400_000, '3.2 MB'],
  [1_048_576, '1 MB'],
  [5 * 1024 ** 3, '5 GB'],
  [5_000 * 1024 ** 3, '5,000 GB'],
])('formats %i bytes as %s', (bytes, words) => {
  setRegion('US')
  expect(formatBytes(bytes)).toBe(words)
})

test.each([
  ['https://www.example.com/', 'example.com'],
  ['http://shop.example.com/menu/?from=register', 'shop.example.com/menu'],
  ['https://example.com:8080', 'example.com:8080'],
  ['not an address', 'not an address'],
])('shows the address %s as %s', (address, name) => {
  expect(websiteName(address)).toBe(name)
})

test('adds only an apostrophe to names that end in s', () => {
  expect(['Wren', 'Star Buds', 'ODIS'].map(possessive)).toEqual(['Wren’s', 'Star Buds’', 'ODIS’'])
})
