import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { outsideHosts, packPath, phoneLink, safeReturnTo, unpackPath } from './addresses.ts'

describe('safeReturnTo', () => {
  test.each([
    '/',
    '/discover',
    '/discover?search=blue%20dream',
    '/business/green-leaf-denver#reviews',
    '/search?q=50%25+off',
    '/discover?near=Denver,%20CO&type=farm',
    '/search?q=https://elsewhere.example',
    '/authors',
    '/search?q=/api/logout',
  ])('accepts %s', (path) => {
    expect(safeReturnTo(path)).toBe(path)
  })

  test.each([
    '',
    'discover',
    'https://evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    ' /discover',
    '\u00a0/discover',
    '/%2Fevil.example',
    '/%2f/evil.example',
    '/%5Cevil.example',
    '/%09/evil.example',
    '/%0d%0aSet-Cookie:a=b',
    '/%252Fevil.example',
    '/%25252525252Fevil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e%2e//evil.example',
    'javascript:alert(1)',
    '/%',
    '/api/logout',
    '/API/logout',
    '/%61pi/logout',
    '/api',
    '/api?x',
    '/discover/../api/logout',
    '/discover/%2e%2e/api/logout',
    '/discover%2f..%2fapi/logout',
    '/auth?returnTo=/auth',
    '/auth',
    '/dev/mail',
    null,
    undefined,
    42,
    ['/discover'],
  ])('refuses %j', (value) => {
    expect(safeReturnTo(value)).toBeNull()
  })

  test('refuses an overlong path', () => {
    expect(safeReturnTo(`/${'a'.repeat(1999)}`)).not.toBeNull()
    expect(safeReturnTo(`/${'a'.repeat(2000)}`)).toBeNull()
  })

  test('accepts only paths that lead to this site, encoded or decoded', () => {
    const pieces = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2f',
      '%5c',
      '%25',
      '%2e',
      '%09',
      '\t',
      'api',
      'logout',
      '@',
      ':',
      '?',
      '#',
      'evil.example',
      'http:',
      'a',
      ' ',
      '\u2028',
    )
    const texts = fc.oneof(
      fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
      fc.array(pieces, { maxLength: 8 }).map((parts) => `/${parts.join('')}`),
      fc.string({ unit: 'binary' }),
    )
    let kept = 0
    fc.assert(
      fc.property(texts, (text) => {
        const path = safeReturnTo(text)
        if (path === null) return
        kept++
        expect(path).toBe(text)
        expect(unpackPath(packPath(path))).toBe(path)
        const decoded = decodeURIComponent(path.replace(/[?#].*$/s, ''))
        for (const variant of [path, decoded, decodeURIComponent(decoded)]) {
          const url = new URL(variant, 'https://grove.example/auth')
          expect(url.origin).toBe('https://grove.example')
          expect(url.pathname.startsWith('//')).toBe(false)
          expect(url.pathname).not.toMatch(/^\/api(\/|$)/)
        }
      }),
      { numRuns: 3000 },
    )
    expect(kept).toBeGreaterThan(100)
  })
})

test.each([
  ['(303) 555-0100', 'tel:3035550100'],
  ['+49 30 901820', 'tel:+4930901820'],
  ['303.555.0100 ext. 12', 'tel:3035550100;ext=12'],
  ['303-555-0100 x7', 'tel:3035550100;ext=7'],
])('dials %s as %s', (phone, link) => {
  expect(phoneLink(phone)).toBe(link)
})

const own = 'https://sungrove.example'

test.each([
  [[null, null], []],
  [[null, '/map.pmtiles'], []],
  [['https://sungrove.example/tiles/{z}/{x}/{y}.pbf', null], []],
  [['https://tiles.example.net/{z}/{x}/{y}.png', null], ['tiles.example.net']],
  [['https://tiles.example.net/{z}/{x}/{y}.png', 'https://tiles.example.net/us.pmtiles'], ['tiles.example.net']],
])('finds the outside hosts in %o: %o', (urls, hosts) => {
  expect(outsideHosts(urls, own)).toEqual(hosts)
})
