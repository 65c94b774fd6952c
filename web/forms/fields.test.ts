import { expect, test } from 'vitest'
import { withScheme } from './fields.tsx'

test('adds the missing scheme to a domain', () => {
  expect(withScheme('example.com')).toBe('https://example.com')
  expect(withScheme(' www.example.com/menu?at=1 ')).toBe('https://www.example.com/menu?at=1')
  expect(withScheme('example.com:8443/a@b')).toBe('https://example.com:8443/a@b')
})

test('leaves complete, empty, and invalid addresses as typed', () => {
  for (const text of [
    '',
    'https://example.com',
    'http://example.com',
    'lantern field',
    'me@example.com',
    'javascript:alert(1)',
    'localhost',
  ])
    expect(withScheme(text)).toBe(text)
})
