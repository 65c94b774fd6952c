import { expect, test } from 'vitest'
import { countTypos, nearest } from './search.ts'

test('counts wrong, missing, extra, and swapped letters', () => {
  expect(countTypos('blue', 'blue')).toBe(0)
  expect(countTypos('bleu', 'blue')).toBe(1)
  expect(countTypos('dreem', 'dream')).toBe(1)
  expect(countTypos('strawbery', 'strawberry')).toBe(1)
  expect(countTypos('', 'kush')).toBe(4)
  expect(countTypos('kitten', 'sitting')).toBe(3)
})

test('picks the nearest words, but neither distant words nor the word itself', () => {
  expect(nearest('dreem', ['dream', 'green', 'dreem', 'deer'])).toEqual(['dream'])
  expect(nearest('strawbery', ['strawberry', 'strawberries'])).toEqual(['strawberry'])
  expect(nearest('quilfether', ['quillfeather'])).toEqual(['quillfeather'])
  expect(nearest('blue', ['kush', 'dream'])).toEqual([])
})
