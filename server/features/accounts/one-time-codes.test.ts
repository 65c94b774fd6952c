import { describe, expect, test } from 'vitest'
import { codeAt, invitationTo, newSecret, stepAt, stepOf } from './second-factor.ts'

/** The key of the test vectors in RFC 4226 and RFC 6238. */
const secret = '12345678901234567890'
const at = (seconds: number) => new Date(seconds * 1000)

describe('an authenticator code', () => {
  test('matches RFC 4226, appendix D', () => {
    const codes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((step) => codeAt(secret, step))
    expect(codes).toEqual(['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489'])
  })

  test.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('matches RFC 6238, appendix B: %i s', (seconds, code) => {
    expect(codeAt(secret, stepAt(at(seconds)))).toBe(code)
  })

  test('is accepted one 30-second step early or late', () => {
    const now = at(1_800_000_000)
    const accepted = [-2, -1, 0, 1, 2].map((offset) => stepOf(secret, codeAt(secret, stepAt(now) + offset), now, 0))
    expect(accepted).toEqual([null, stepAt(now) - 1, stepAt(now), stepAt(now) + 1, null])
  })

  test('can’t be used again, and neither can earlier codes', () => {
    const now = at(1_800_000_000)
    const codes = [-1, 0, 1].map((offset) => codeAt(secret, stepAt(now) + offset))
    const taken = codes.map((code) => stepOf(secret, code, now, stepAt(now)))
    expect(taken).toEqual([null, null, stepAt(now) + 1])
  })

  test('must have six digits', () => {
    const now = at(1_800_000_000)
    const right = codeAt(secret, stepAt(now))
    for (const code of ['', '1', right.slice(0, 5), `${right}0`, ` ${right}`]) expect(stepOf(secret, code, now, 0)).toBeNull()
  })

  test('can be set up from a URI that authenticator apps read', () => {
    const made = newSecret()
    expect(Buffer.from(made, 'base64url')).toHaveLength(18)
    const { uri, secret: typed } = invitationTo(made, 'Sungrove', 'ann+1@example.com')
    expect(uri).toMatch(/^otpauth:\/\/totp\/Sungrove:ann%2B1%40example\.com\?/)
    expect(Object.fromEntries(new URL(uri).searchParams)).toEqual({ secret: typed, issuer: 'Sungrove', digits: '6', period: '30' })
    expect(typed).toMatch(/^[A-Z2-7]{39}$/)
  })

  test('can be set up by typing the secret in base32', () => {
    expect(invitationTo(secret, 'Sungrove', 'ann').secret).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
    expect(invitationTo('foobar', 'Sungrove', 'ann').secret).toBe('MZXW6YTBOI')
  })
})
