import { expect, test } from 'vitest'
import { explanationFor, explanationStarts } from './explanations.ts'

test('replaces an unedited template when the reason changes', () => {
  expect(explanationFor('spam', '')).toBe(explanationStarts.spam)
  expect(explanationFor('minors', explanationStarts.spam)).toBe(explanationStarts.minors)
})

test('keeps edited text', () => {
  const own = `${explanationStarts.spam} Post it in the market thread.`
  expect(explanationFor('minors', own)).toBe(own)
})
