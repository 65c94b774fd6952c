import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { isCrossSite, requireOwnOrigin } from './own-origin.ts'

const requestWith = (headers: Record<string, string>) => ({ headers: { host: 'localhost:3000', ...headers } }) as unknown as FastifyRequest
const isAccepted = (headers: Record<string, string>) => {
  try {
    requireOwnOrigin(requestWith(headers), 'https://sungrove.example')
    return true
  } catch {
    return false
  }
}

test.each([
  [{ 'sec-fetch-site': 'same-origin' }, true],
  [{ 'sec-fetch-site': 'same-site' }, false],
  [{ 'sec-fetch-site': 'cross-site' }, false],
  [{ 'sec-fetch-site': 'none' }, false],
  [{ 'sec-fetch-site': 'cross-site', origin: 'https://sungrove.example' }, false],
  [{ origin: 'https://sungrove.example' }, true],
  [{ origin: 'http://localhost:3000' }, true],
  [{ origin: 'http://localhost:4000' }, false],
  [{ origin: 'https://evil.example' }, false],
  [{ origin: 'null' }, false],
  [{}, true],
])('a write with %o is accepted: %s', (headers, accepted) => {
  expect(isAccepted(headers as Record<string, string>)).toBe(accepted)
})

test('another site is recognized by what the browser says', () => {
  expect(isCrossSite(requestWith({ 'sec-fetch-site': 'cross-site' }))).toBe(true)
  expect(isCrossSite(requestWith({ 'sec-fetch-site': 'same-site' }))).toBe(true)
  expect(isCrossSite(requestWith({ 'sec-fetch-site': 'none' }))).toBe(false)
  expect(isCrossSite(requestWith({}))).toBe(false)
})
