import { expect, test } from 'vitest'
import { addTags } from './composer-fields.tsx'

test('turns words into unique tags', () => {
  expect(addTags(['sour'], '#Diesel, sour  live-resin')).toEqual({ tags: ['sour', 'diesel', 'live-resin'] })
  expect(addTags([], '  ')).toEqual({ tags: [] })
  expect(addTags([], 'Käse')).toEqual({ tags: ['käse'] })
})

test('rejects invalid tags with the contract’s messages', () => {
  expect(addTags([], '20%')).toEqual({ error: 'A tag is one word of letters and numbers, up to 40 characters' })
  expect(addTags([], 'x'.repeat(41))).toEqual({ error: 'A tag is one word of letters and numbers, up to 40 characters' })
  expect(
    addTags(
      Array.from({ length: 10 }, (_, index) => `t${index}`),
      'more',
    ),
  ).toEqual({ error: 'At most 10 tags' })
})
