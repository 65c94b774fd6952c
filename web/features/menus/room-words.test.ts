import { expect, test } from 'vitest'
import { roomLeft, roomWords } from './room-words.ts'

test('room is said and counted', () => {
  expect(roomWords({ itemCount: 4, itemLimit: 5 })).toBe('4 of 5 items')
  expect(roomWords({ itemCount: 1, itemLimit: null })).toBe('1 item')
  expect(roomWords({ itemCount: 1200, itemLimit: null })).toBe('1,200 items')
  expect(roomLeft({ itemCount: 4, itemLimit: 5 })).toBe(1)
  // A plan that has ended leaves more items than it allows.
  expect(roomLeft({ itemCount: 9, itemLimit: 5 })).toBe(0)
  expect(roomLeft({ itemCount: 9, itemLimit: null })).toBe(Number.POSITIVE_INFINITY)
})
