import { expect, test } from 'vitest'
import { nextPage } from './addresses.ts'
import { makeBrand } from './brand.ts'
import { line, PhoneOrEmpty, WebAddressOrEmpty } from './fields.ts'
import { formatCents } from './money.rules.ts'

test('reports a missing, empty, or blank line as required', () => {
  const name = line(5, 'First name is required')
  for (const input of [undefined, '', '   ']) {
    expect(name.safeParse(input).error?.issues[0]?.message).toBe('First name is required')
  }
  expect(name.parse('  Ann ')).toBe('Ann')
  expect(name.safeParse('Annabel').error?.issues[0]?.message).toBe('At most 5 characters')
})

test.each([
  ['', true],
  ['https://example.com/menu?x=1', true],
  ['http://example.com', true],
  ['example.com', false],
  ['javascript:alert(1)', false],
  ['https://user:secret@example.com', false],
])('checks whether %j is a full web address or empty: %s', (text, accepted) => {
  expect(WebAddressOrEmpty.safeParse(text).success).toBe(accepted)
})

test.each([
  ['', true],
  ['(303) 555-0100', true],
  ['+49 30 901820', true],
  ['303.555.0100 ext. 12', true],
  ['303-555-0100 x7', true],
  ['12', false],
  ['ext. 3035550', false],
  ['call us at 303-555-0100', false],
  ['1234567890123456', false],
])('checks whether %j is a phone number or empty: %s', (text, accepted) => {
  expect(PhoneOrEmpty.safeParse(text).success).toBe(accepted)
})

test('derives the slug and copyright from the brand’s name', () => {
  expect(makeBrand({ name: 'Café Vert & Co.', supportEmail: 'a@b.c', year: 2026 })).toMatchObject({
    slug: 'cafe-vert-co',
    copyright: '© 2024–2026 Café Vert & Co.. All rights reserved.',
  })
  expect(makeBrand({ name: 'Sungrove', supportEmail: 'a@b.c', year: 2024 }).copyright).toBe('© 2024 Sungrove. All rights reserved.')
})

test.each([
  [0, '0.00'],
  [5, '0.05'],
  [3999, '39.99'],
  [-105, '-1.05'],
])('formats %i cents as %s', (cents, text) => {
  expect(formatCents(cents)).toBe(text)
})

test('reads the next page from a Link header', () => {
  expect(nextPage('</api/favorites?cursor=abc>; rel="next"')).toBe('/api/favorites?cursor=abc')
  expect(nextPage('</x>; rel="prev"')).toBeNull()
  expect(nextPage(null)).toBeNull()
})
