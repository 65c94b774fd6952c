import { expect, test } from 'vitest'
import { initials } from './avatar.tsx'

test.each([
  ['Ana Gómez', 'AG'],
  ['ana maría de la cruz', 'AC'],
  ['Bo', 'BO'],
  ['X', 'X'],
  ['User', 'US'],
  ["O'Neil Farms", 'OF'],
  ['  High   Plains  Farm ', 'HF'],
  ['420 Main Street', '4S'],
  ['Łukasz Żak', 'ŁŻ'],
  ['Élodie', 'ÉL'],
  ['E\u0301lodie', 'ÉL'],
  ['山田 太郎', '山太'],
  ['🌻 Sun Grove', 'SG'],
  ['(Anonymous)', 'AN'],
  ['🌻', ''],
  ['', ''],
])('turns the name %j into the initials %j', (name, letters) => {
  expect(initials(name)).toBe(letters)
})
