import { expect, test } from 'vitest'
import { withoutPrivateData } from './index.ts'

test.each([
  ['connect ECONNREFUSED 127.0.0.1:25', 'connect ECONNREFUSED 127.0.0.1:25'],
  ['550 5.1.1 <ann.gardener@example.com>: Recipient rejected', '550 5.1.1 <[address]>: Recipient rejected'],
  ['GET https://example.com/reset?token=abc failed with 500', 'GET [link] failed with 500'],
  ['duplicate key value: Key (email)=(ann@example.com) exists', 'duplicate key value: Key (email)=([address]) exists'],
  ['no row for 0190a1b2-0000-7000-8000-000000000000', 'no row for [id]'],
  ['cannot call +1 (303) 555-0100 today', 'cannot call [number] today'],
  ['invalid input "Ann Gardener, 12 Main St"', 'invalid input [text]'],
  ['first line\nError: at secret (/srv/app.js:1:2)', 'first line'],
  ['', 'No message'],
])('redacts %j as %j', (message, expected) => {
  expect(withoutPrivateData(message)).toBe(expected)
})

test('truncates a long error', () => {
  expect(withoutPrivateData('word '.repeat(200))).toHaveLength(300)
})
