import { expect, test } from 'vitest'
import { foldText } from './fold-text.ts'

test('a short text is shown whole', () => {
  expect(foldText('Fresh clones on Friday.')).toBeNull()
  expect(foldText('word '.repeat(110))).toBeNull()
})

test('a long text is cut between words', () => {
  const folded = foldText('flowering '.repeat(100)) as string
  expect(folded).toMatch(/flowering …$/)
  expect(folded.length).toBeLessThan(390)
})

test('many short lines are folded, too', () => {
  const folded = foldText(Array.from({ length: 30 }, (_, line) => `Day ${line}`).join('\n')) as string
  expect(folded.split('\n')).toHaveLength(7)
  expect(folded.endsWith('Day 6 …')).toBe(true)
})

test('a text without spaces is cut, but no character in half', () => {
  const folded = foldText(`x${'🌱'.repeat(400)}`) as string
  expect(folded).toMatch(/🌱 …$/u)
  expect(folded.isWellFormed()).toBe(true)
})
