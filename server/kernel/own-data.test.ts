import { expect, test } from 'vitest'
import { mentionsAny } from './own-data.ts'

const id = '0190a1b2-0000-7000-8000-000000000001'

test('finds an entire address anywhere in a text', () => {
  for (const text of ['ann@example.co', '"to":"ann@example.co"', 'To <ann@example.co>.', JSON.stringify('Hello,\nann@example.co\n')])
    expect(mentionsAny(text, ['ann@example.co']), text).toBe(true)
  for (const text of [
    'joann@example.co',
    'jo.ann@example.co',
    'jo-ann@example.co',
    'ann@example.com',
    'ann@example.co.uk',
    'ann@exampleXco',
  ])
    expect(mentionsAny(text, ['ann@example.co']), text).toBe(false)
})

test('finds an ID in a link or a file name', () => {
  for (const text of [`?token=${id}.secret`, `exports/${id}.zip`]) expect(mentionsAny(text, ['x@example.com', id])).toBe(true)
})
