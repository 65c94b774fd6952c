import { describe, expect, test } from 'vitest'
import { inputKind, typedValue, versionsOf, words } from './pending-entry.tsx'

describe('a comparison of both versions', () => {
  const body = { heightCm: 44, notes: 'Stretching', rating: null, version: 2 }
  const labels = { heightCm: 'Height (cm)', rating: 'Rating', notes: 'Notes', feed: 'Feed' }

  test('lists only written fields, in label order', () => {
    const theirs = { heightCm: 40, notes: 'Stretching', rating: 7, version: 3 }
    expect(versionsOf({ body, labels, hold: { kind: 'conflict', message: '', theirs } })).toEqual([
      { name: 'heightCm', label: 'Height (cm)', mine: 44, theirs: 40, isDifferent: true },
      { name: 'rating', label: 'Rating', mine: null, theirs: 7, isDifferent: true },
      { name: 'notes', label: 'Notes', mine: 'Stretching', theirs: 'Stretching', isDifferent: false },
    ])
  })

  test('has no differences without another version', () => {
    const fields = versionsOf({ body, labels, hold: { kind: 'refused', message: '', fields: {} } })
    expect(fields.filter(({ isDifferent }) => isDifferent)).toEqual([])
  })
})

test.each([
  [null, 'Nothing'],
  ['', 'Nothing'],
  [0, '0'],
  [true, 'Yes'],
  [['a', 'b'], 'a, b'],
  [{ name: 'Row 2' }, 'Row 2'],
])('formats the value %j as %s', (value, text) => {
  expect(words(value)).toBe(text)
})

test('converts typed text to a number if the field was one', () => {
  expect(inputKind({ mine: null, theirs: 7 })).toBe('number')
  expect(typedValue('number', ' 44,5 ')).toBe(44.5)
  expect(typedValue('number', '1,200')).toBe(1200)
  expect(typedValue('number', '')).toBeNull()
  expect(typedValue('number', 'tall')).toBe('tall')
  expect(typedValue('text', ' Stretching ')).toBe('Stretching')
})
