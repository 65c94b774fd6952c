import { afterEach, expect, test, vi } from 'vitest'
import { dateFormat, formatNumber, getLocale, numberFormat, setRegion } from './format.ts'

afterEach(() => setRegion(null))

test('follows a changed region in an existing formatter', () => {
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
