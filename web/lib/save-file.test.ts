import { expect, test } from 'vitest'
import { fileNameOf } from './save-file.ts'

test('writes plain file names', () => {
  expect(fileNameOf('Blüe Dream × "Haze"', 'Growth/curves')).toBe('blue-dream-haze-growth-curves')
  expect(fileNameOf('../..')).toBe('plot')
})
