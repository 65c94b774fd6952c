import { expect, test } from 'vitest'
import { addTags } from './add-tag.ts'

test('words become tags, once each', () => {
  expect(addTags(['sour'], '#Diesel, sour  live-resin')).toEqual({ tags: ['sour', 'diesel', 'live-resin'] })
  expect(addTags([], '  ')).toEqual({ tags: [] })
  expect(addTags([], 'Käse')).toEqual({ tags: ['käse'] })
})

test('what is no tag is refused with the words of the contract', () => {
  expect(addTags([], '20%')).toEqual({ error: 'A tag is one word of letters and numbers, at most 40' })
  expect(addTags([], 'x'.repeat(41))).toEqual({ error: 'A tag is one word of letters and numbers, at most 40' })
  expect(
    addTags(
      Array.from({ length: 10 }, (_, index) => `t${index}`),
      'more',
    ),
  ).toEqual({ error: 'At most 10 tags' })
})
