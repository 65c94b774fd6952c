import { expect, test } from 'vitest'
import { draftProblem } from './draft-problem.ts'

test('what is too long says by how much', () => {
  expect(draftProblem('a'.repeat(4000), false)).toBeNull()
  expect(draftProblem('a'.repeat(4001), false)).toBe('1 character too long: a message has at most 4,000.')
  expect(draftProblem('a'.repeat(1012), true)).toBe('12 characters too long: a request has at most 1,000.')
  expect(draftProblem(`${'a'.repeat(1000)}  \n`, true)).toBeNull()
})

test('a request holds no link, a message may', () => {
  expect(draftProblem('See example.com/deal', true)).toMatch(/^A request cannot hold a link/)
  expect(draftProblem('See example.com/deal', false)).toBeNull()
})
