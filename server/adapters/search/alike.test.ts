import { expect, test } from 'vitest'
import { nearest, slipsBetween } from './postgres.ts'

test('counts wrong, missing, extra, and swapped letters', () => {
  expect(slipsBetween('blue', 'blue')).toBe(0)
  expect(slipsBetween('bleu', 'blue')).toBe(1)
  expect(slipsBetween('dreem', 'dream')).toBe(1)
  expect(slipsBetween('strawbery', 'strawberry')).toBe(1)
  expect(slipsBetween('', 'kush')).toBe(4)
  expect(slipsBetween('kitten', 'sitting')).toBe(3)
})

test('picks the nearest words, but no distant ones and not the word itself', () => {
  expect(nearest('dreem', ['dream', 'green', 'dreem', 'deer'])).toEqual(['dream'])
  expect(nearest('strawbery', ['strawberry', 'strawberries'])).toEqual(['strawberry'])
  expect(nearest('quilfether', ['quillfeather'])).toEqual(['quillfeather'])
  expect(nearest('blue', ['kush', 'dream'])).toEqual([])
})
