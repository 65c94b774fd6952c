import { expect, test } from 'vitest'
import { nextStop, pixelsOf, restingStop, stopBeside } from './sheet-stops.ts'

const heights = { peek: 80, half: 300, full: 600 }

test('rests at the nearest stop when released without speed', () => {
  expect(restingStop(120, 0, heights)).toBe('peek')
  expect(restingStop(220, 0, heights)).toBe('half')
  expect(restingStop(440, 0, heights)).toBe('half')
  expect(restingStop(500, 0, heights)).toBe('full')
})

test('follows a flick to the next stop, and a strong flick to the last', () => {
  expect(restingStop(320, 1, heights)).toBe('full')
  expect(restingStop(290, -0.8, heights)).toBe('peek')
  expect(restingStop(580, -4, heights)).toBe('peek')
  expect(restingStop(100, 9, heights)).toBe('full')
})

test('cycles upward on a press and stops at the ends with arrow keys', () => {
  expect((['peek', 'half', 'full'] as const).map(nextStop)).toEqual(['half', 'full', 'peek'])
  expect(stopBeside('peek', -1)).toBe('peek')
  expect(stopBeside('half', -1)).toBe('peek')
  expect(stopBeside('half', 1)).toBe('full')
  expect(stopBeside('full', 1)).toBe('full')
})

test('resolves heights to pixels', () => {
  expect(pixelsOf('5rem', 600, 16)).toBe(80)
  expect(pixelsOf('50%', 600, 16)).toBe(300)
})
