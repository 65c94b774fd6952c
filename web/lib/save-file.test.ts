import { expect, test } from 'vitest'
import { fileNameOf } from './save-file.ts'

test('builds file names from lowercase letters and hyphens', () => {
  expect(fileNameOf('Blüe Dream × "Haze"', 'Growth/curves')).toBe('blue-dream-haze-growth-curves')
  expect(fileNameOf('../..')).toBe('plot')
})
