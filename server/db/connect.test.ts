import { expect, test } from 'vitest'
import { createStatementNames } from './connect.ts'

test('names a repeated statement and keeps its name', () => {
  const names = createStatementNames()
  expect(names.nameOf('a')).toBeUndefined()
  const name = names.nameOf('a')
  expect(name).toBeDefined()
  expect(names.nameOf('a')).toBe(name)
  names.nameOf('b')
  expect(names.nameOf('b')).not.toBe(name)
})

test('limits the names and gives one-time statements none', () => {
  const names = createStatementNames(2)
  for (let i = 0; i < 10_000; i++) expect(names.nameOf(`once ${i}`)).toBeUndefined()
  for (const text of ['a', 'b', 'c']) names.nameOf(text)
  expect(['a', 'b', 'c', 'c'].map((text) => names.nameOf(text) !== undefined)).toEqual([true, true, false, false])
})

test('gives a forgotten statement a new name', () => {
  const names = createStatementNames()
  names.nameOf('a')
  const before = names.nameOf('a')
  names.forget('a')
  names.nameOf('a')
  expect(names.nameOf('a')).not.toBe(before)
})
