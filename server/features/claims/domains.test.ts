import { expect, test } from 'vitest'
import { emailDomainsOf, isAtDomain, ownDomain } from './domains.ts'

test.each([
  ['example.com', 'example.com'],
  ['www.shop.example.co.uk', 'example.co.uk'],
  ['EXAMPLE.com', 'example.com'],
  ['gmail.com', null],
  ['yahoo.co.uk', null],
  ['www.facebook.com', null],
  ['greenhills.wixsite.com', null],
  ['greenhills.github.io', null],
  ['greenhills.myshopify.com', null],
  ['greenhills.square.site', null],
  ['weedmaps.com', null],
  ['www.leafly.com', null],
  ['oregon.gov', null],
  ['cannabis.ca.gov', null],
  ['health.state.mn.us', null],
  ['co.uk', null],
  ['localhost', null],
  ['192.168.0.1', null],
  ['[::1]', null],
  ['intranet.corp', null],
  ['', null],
])('reduces the host “%s” to the domain %s', (host, domain) => {
  expect(ownDomain(host)).toBe(domain)
})

test('finds the domains of several of the business’s websites', () => {
  const websites = [
    'https://www.shop.example.com/menu',
    'https://example.com',
    null,
    'https://facebook.com/x',
    'no address',
    'https://b.example.org',
  ]
  expect(emailDomainsOf(websites)).toEqual(['example.com', 'example.org'])
})

test.each([
  ['ann@example.com', true],
  ['ann@mail.example.com', true],
  ['ann@example.com.evil.org', false],
  ['ann@evil-example.com', false],
  ['example.com@evil.org', false],
  ['ann@example.org', false],
  ['ann@com', false],
])('decides whether %s is an address at example.com: %s', (email, is) => {
  expect(isAtDomain(email, ['example.com'])).toBe(is)
})
