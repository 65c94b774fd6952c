import { expect, test } from 'vitest'
import { contrast, oklchToHex } from './tones.ts'

// Reference values from CSS Color 4 and browsers.
test.each([
  [[1, 0, 0], '#ffffff'],
  [[0, 0, 0], '#000000'],
  [[0.62796, 0.25768, 29.2339], '#ff0000'],
  [[0.86644, 0.29483, 142.4953], '#00ff00'],
  [[0.45201, 0.31321, 264.052], '#0000ff'],
  [[0.51975, 0.17686, 142.4953], '#008000'],
] as const)('converts oklch(%s) to %s', (color, hex) => {
  expect(oklchToHex(color)).toBe(hex)
})

test('computes contrasts from 1 to 21, in either order of the colors', () => {
  expect(contrast([1, 0, 0], [0, 0, 0])).toBeCloseTo(21, 5)
  expect(contrast([0, 0, 0], [1, 0, 0])).toBeCloseTo(21, 5)
  expect(contrast([0.5, 0.1, 20], [0.5, 0.1, 20])).toBe(1)
  // #767676 on white is the well-known gray that barely passes.
  expect(contrast([0.5664, 0, 0], [1, 0, 0])).toBeCloseTo(4.54, 1)
})
