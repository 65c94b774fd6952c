import { expect, test } from 'vitest'
import { createStatementNames } from './prepared.ts'

test('a text gets a name when it comes again, and keeps it', () => {
  const names = createStatementNames()
  expect(names.nameOf('a')).toBeUndefined()
  const name = names.nameOf('a')
  expect(name).toBeDefined()
  expect(names.nameOf('a')).toBe(name)
  names.nameOf('b')
  expect(names.nameOf('b')).not.toBe(name)
})

test('names are bounded, and texts seen once take none', () => {
  const names = createStatementNames(2)
  for (let i = 0; i < 10_000; i++) expect(names.nameOf(`once ${i}`)).toBeUndefined()
  for (const text of ['a', 'b', 'c']) names.nameOf(text)
  expect(['a', 'b', 'c', 'c'].map((text) => names.nameOf(text) !== undefined)).toEqual([true, true, false, false])
})

test('a forgotten text gets another name', () => {
  const names = createStatementNames()
  names.nameOf('a')
  const before = names.nameOf('a')
  names.forget('a')
  names.nameOf('a')
  expect(names.nameOf('a')).not.toBe(before)
})
