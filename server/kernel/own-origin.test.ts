import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { isCrossSite, requireOwnOrigin } from './own-origin.ts'

const requestWith = (headers: Record<string, string>) => ({ headers: { host: 'localhost:3000', ...headers } }) as unknown as FastifyRequest
const named = { publicUrl: 'https://sungrove.example', isOnThisMachine: false }
const unnamed = { publicUrl: 'http://localhost:3000', isOnThisMachine: true }
const isAccepted = (headers: Record<string, string>, site = named) => {
  try {
    requireOwnOrigin(requestWith(headers), site)
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
  [{ origin: 'http://localhost:3000' }, false],
  [{ origin: 'http://sungrove.example' }, false],
  [{ host: 'evil.example', origin: 'https://evil.example' }, false],
  [{ origin: 'https://evil.example' }, false],
  [{ origin: 'null' }, false],
  [{}, true],
])('accepts a write with the headers %o: %s', (headers, accepted) => {
  expect(isAccepted(headers as Record<string, string>)).toBe(accepted)
})

test.each([
  [{ origin: 'http://localhost:3000' }, true],
  [{ host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000' }, true],
  [{ host: '127.0.0.1:3000', 'sec-fetch-site': 'same-origin' }, true],
  [{ origin: 'http://localhost:4000' }, false],
  [{ origin: 'https://evil.example' }, false],
  [{ origin: 'null' }, false],
])('accepts a write at the opened address without a PUBLIC_URL, with the headers %o: %s', (headers, accepted) => {
  expect(isAccepted(headers as Record<string, string>, unnamed)).toBe(accepted)
})

test('recognizes another origin by the browser’s headers', () => {
  expect(isCrossSite(requestWith({ 'sec-fetch-site': 'cross-site' }))).toBe(true)
  expect(isCrossSite(requestWith({ 'sec-fetch-site': 'same-site' }))).toBe(true)
  expect(isCrossSite(requestWith({ 'sec-fetch-site': 'none' }))).toBe(false)
  expect(isCrossSite(requestWith({}))).toBe(false)
})
