import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSessionCookie, hashSessionToken } from './session-token.ts'

const settings = { isHttps: false, sessionSecret: 'a secret for tests that is long enough' }
const brand = { slug: 'sungrove' }
const cookie = createSessionCookie(settings, brand)
const token = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF'
const sent = (setCookie: string) => setCookie.split(';')[0] as string

describe('the session cookie helper', () => {
  test('reads the cookie as it was set', () => {
    expect(cookie.read(sent(cookie.set(token)))).toBe(token)
    expect(cookie.read(`theme=dark; ${sent(cookie.set(token))}; written=1`)).toBe(token)
    expect(cookie.read(`theme=dark;${sent(cookie.set(token))}`)).toBe(token)
  })

  test('sets the security attributes', () => {
    expect(cookie.set(token)).toMatch(/^sungrove\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(cookie.clear()).toEqual(['sungrove.session_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'])
    const secure = createSessionCookie({ ...settings, isHttps: true }, brand)
    expect(secure.set(token)).toMatch(/^__Host-sungrove\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    expect(secure.read(sent(cookie.set(token)))).toBeNull()
  })

  test('accepts the cookie’s former name, which signing out also clears', () => {
    const secure = createSessionCookie({ ...settings, isHttps: true }, brand)
    const now = sent(secure.set(token))
    expect(secure.read(now.replace('__Host-', '__Secure-'))).toBe(token)
    const other = sent(secure.set('zB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF')).replace('__Host-', '__Secure-')
    expect(secure.read(`${other}; ${now}`)).toBe(token)
    expect(cookie.read(now.replace('__Host-', '__Secure-'))).toBeNull()
    expect(secure.clear().map((each) => each.split('=')[0])).toEqual(['__Host-sungrove.session_token', '__Secure-sungrove.session_token'])
  })

  test.each([
    undefined,
    '',
    'theme=dark',
    'sungrove.session_token=',
    'sungrove.session_token',
    'sungrove.session_token=abc',
    'sungrove.session_token=forged.c2lnbmF0dXJl',
    `sungrove.session_token=${token}.${'A'.repeat(43)}=`,
    `sungrove.session_token=.${'A'.repeat(43)}=`,
    'sungrove.session_token=%',
    `sungrove.session_token=${token}.${encodeURIComponent('é'.repeat(44))}`,
  ])('refuses %j', (header) => {
    expect(cookie.read(header)).toBeNull()
  })

  test('refuses a signature by another secret and a cookie with another name', () => {
    const other = createSessionCookie({ ...settings, sessionSecret: 'another secret that is long enough' }, brand)
    expect(cookie.read(sent(other.set(token)))).toBeNull()
    expect(cookie.read(`x-${sent(cookie.set(token))}`)).toBeNull()
    expect(cookie.read(`x-${sent(other.set(token))}; ${sent(cookie.set(token))}`)).toBe(token)
  })

  test('rejects a cookie with a single changed character', () => {
    const value = decodeURIComponent(sent(cookie.set(token)).slice(cookie.name.length + 1))
    fc.assert(
      fc.property(fc.nat(value.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, sign) => {
        fc.pre(value[at] !== sign)
        const changed = value.slice(0, at) + sign + value.slice(at + 1)
        expect(cookie.read(`${cookie.name}=${encodeURIComponent(changed)}`)).toBeNull()
      }),
    )
  })

  test('never throws, whatever is sent', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (text) => void cookie.read(`${cookie.name}=${text}`)))
  })
})

test('stores a hash instead of the token', () => {
  expect(hashSessionToken(token)).toMatch(/^[\w-]{43}$/)
  expect(hashSessionToken(token)).not.toContain(token.slice(0, 8))
})
