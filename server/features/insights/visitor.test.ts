import { expect, test } from 'vitest'
import { visitorKey } from './record-visits.ts'

const salt = Buffer.alloc(32, 7)
const person = { accountId: '0190a1b2-0000-7000-8000-000000000001' }
const browser = { addressGroup: '203.0.113.7', userAgent: 'Mozilla/5.0' }

test('gives a visitor one key per day and business, and a different key otherwise', () => {
  const key = visitorKey(salt, 'a', browser)
  expect(visitorKey(salt, 'a', { ...browser })).toBe(key)
  const others = [
    visitorKey(Buffer.alloc(32, 8), 'a', browser),
    visitorKey(salt, 'b', browser),
    visitorKey(salt, 'a', { ...browser, userAgent: 'Mozilla/4.0' }),
    visitorKey(salt, 'a', { ...browser, addressGroup: '203.0.113.8' }),
    visitorKey(salt, 'a', person),
  ]
  expect(new Set([key, ...others]).size).toBe(6)
})

test('gives identities different keys even if their fields form the same text when joined', () => {
  const keys = [
    { addressGroup: 'a', userAgent: 'bc' },
    { addressGroup: 'ab', userAgent: 'c' },
    { addressGroup: 'a","b', userAgent: 'c' },
  ].map((identity) => visitorKey(salt, 'x', identity))
  expect(new Set(keys).size).toBe(3)
})
