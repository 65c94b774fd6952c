import { expect, test } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { encodeCursor } from '#server/kernel/keyset.ts'
import { openCursor } from './read-cases.ts'

const openedAt = '2026-11-22T12:00:00.000Z'
const id = newId()
const read = (due: number) => openCursor(encodeCursor([due, openedAt, id]))

test('reads the due time of the last open case from the cursor, if any', () => {
  expect(openCursor(undefined)).toBeNull()
  expect(read(0)).toEqual({ due: null, openedAt, id })
  expect(read(Date.parse(openedAt))).toEqual({ due: new Date(openedAt), openedAt, id })
})

test.each([-1, 0.5, 8_640_000_000_000_001, 1e308])('rejects a cursor due at %s', (due) => {
  expect(() => read(due)).toThrow(expect.objectContaining({ code: 'invalid_input', fields: { cursor: 'Not valid' } }))
})
