import { expect, test } from 'vitest'
import { explanationFor, explanationStarts } from './explanations.ts'

test('a beginning that nobody changed gives way to that of another reason', () => {
  expect(explanationFor('spam', '')).toBe(explanationStarts.spam)
  expect(explanationFor('minors', explanationStarts.spam)).toBe(explanationStarts.minors)
})

test('words of one’s own stay', () => {
  const own = `${explanationStarts.spam} Post it in the market thread.`
  expect(explanationFor('minors', own)).toBe(own)
})
