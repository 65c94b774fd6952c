import { expect, test } from 'vitest'
import { draftProblem } from './composer.tsx'

test('states by how much a message is too long', () => {
  expect(draftProblem('a'.repeat(4000), false)).toBeNull()
  expect(draftProblem('a'.repeat(4001), false)).toBe('1 character too long. Messages can have at most 4,000.')
  expect(draftProblem('a'.repeat(1012), true)).toBe('12 characters too long. Requests can have at most 1,000.')
  expect(draftProblem(`${'a'.repeat(1000)}  \n`, true)).toBeNull()
})

test('rejects links in a request but not in a message', () => {
  expect(draftProblem('See example.com/deal', true)).toMatch(/^Requests can’t include links/)
  expect(draftProblem('See example.com/deal', false)).toBeNull()
})
