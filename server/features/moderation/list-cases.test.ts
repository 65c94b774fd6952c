import { expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { encodeCursor } from '../../kernel/keyset.ts'
import { openCursor } from './list-cases.ts'

const openedAt = '2026-11-22T12:00:00.000Z'
const id = newId()
const read = (due: number) => openCursor(encodeCursor([due, openedAt, id]))

test('a cursor of open cases says when the last one is due, if it is', () => {
  expect(openCursor(undefined)).toBeNull()
  expect(read(0)).toEqual({ due: null, openedAt, id })
  expect(read(Date.parse(openedAt))).toEqual({ due: new Date(openedAt), openedAt, id })
})

test.each([-1, 0.5, 8_640_000_000_000_001, 1e308])('one that is due at %s is refused, and is no other page', (due) => {
  expect(() => read(due)).toThrow(expect.objectContaining({ code: 'invalid_input', fields: { cursor: 'Not valid' } }))
})
