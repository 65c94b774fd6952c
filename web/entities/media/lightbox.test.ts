import { expect, test } from 'vitest'
import { nextShown } from './lightbox.tsx'

test('wraps around with the arrow keys, and goes to the first or last picture with Home and End', () => {
  expect(nextShown(2, 3, 'ArrowRight')).toBe(0)
  expect(nextShown(0, 3, 'ArrowLeft')).toBe(2)
  expect(nextShown(1, 3, 'End')).toBe(2)
  expect(nextShown(1, 3, 'Home')).toBe(0)
  expect(nextShown(1, 3, 'x')).toBe(1)
})
