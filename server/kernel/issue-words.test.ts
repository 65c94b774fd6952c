import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { page } from '#contracts/fields.ts'
import './issue-words.ts'

const sentence = (schema: z.ZodMiniType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message

test.each([
  [z.string(), undefined, 'Required'],
  [z.string(), 3, 'Must be text'],
  [z.boolean(), 'yes', 'Must be true or false'],
  [z.array(z.string()), 'a', 'Must be a list'],
  [z.string().check(z.minLength(1)), '', 'Must have at least 1 character'],
  [z.array(z.int()).check(z.maxLength(2)), [1, 2, 3], 'Must have at most 2 entries'],
  [z.number().check(z.gt(0)), 0, 'Must be more than 0'],
  [z.int().check(z.maximum(5000)), 5001, 'Must be at most 5,000'],
  [z.enum(['welcome', 'feature', 'recommendations']), 'other', 'Must be welcome, feature or recommendations'],
  [z.enum(['a', 'b']), undefined, 'Required'],
  [z.string('Title is required'), undefined, 'Title is required'],
])('explains an invalid value in plain words (%#)', (schema, value, words) => {
  expect(sentence(schema, value)).toBe(words)
})

test.each([
  ['101', 'Must be at most 100'],
  ['0', 'Must be at least 1'],
  ['1.5', 'Must be a whole number'],
  ['many', 'Must be a whole number'],
])('explains the invalid list limit %s: %s', (limit, words) => {
  expect(sentence(z.object(page), { limit })).toBe(words)
})
