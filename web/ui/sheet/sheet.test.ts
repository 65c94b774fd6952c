import { expect, test } from 'vitest'
import { written } from './sheet.tsx'

test('writes cells and preserves the identity of untouched rows', () => {
  const before = { a: { height: '1' }, b: { height: '2' } }
  const after = written(before, [
    { id: 'a', key: 'notes', text: 'x' },
    { id: 'c', key: 'height', text: '3' },
  ])
  expect(after).toEqual({ a: { height: '1', notes: 'x' }, b: { height: '2' }, c: { height: '3' } })
  expect(after.b).toBe(before.b)
  expect(before.a).toEqual({ height: '1' })
})
