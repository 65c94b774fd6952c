import { expect, test } from 'vitest'
import { explanationFor, explanationStart } from './explanations.ts'

test('replaces an unedited template when the reason changes', () => {
  expect(explanationFor('spam', '')).toBe(explanationStart('spam'))
  expect(explanationFor('minors', explanationStart('spam'))).toBe(explanationStart('minors'))
})

test('keeps edited text', () => {
  const own = `${explanationStart('spam')} Post it in the market thread.`
  expect(explanationFor('minors', own)).toBe(own)
})
