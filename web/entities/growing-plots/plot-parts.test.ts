import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSourceFiles } from '#tests/support/source-files.ts'
import { nearest } from './chart.tsx'
import { spread } from './chart-option.ts'
import { offsetAt, roundRange, timeTicks } from './climate-rows.ts'
import { scrolledTo, tracksInView, tracksToDraw } from './matrix-rows.ts'
import { wrapped } from './plot-frame.tsx'

test('imports the plotting library only in growing-plots, lazily through one module', () => {
  const users = readSourceFiles().flatMap(({ path, imports }) =>
    imports.flatMap(({ specifier }) => (/^(echarts|zrender)/.test(specifier) ? [path] : [])),
  )
  expect([...new Set(users)].sort()).toEqual(['web/entities/growing-plots/chart-library.ts', 'web/entities/growing-plots/chart-option.ts'])
  const fetchers = readSourceFiles().filter(({ imports }) => imports.some(({ target }) => target?.endsWith('/chart-library.ts')))
  expect(fetchers.map(({ path }) => path)).toEqual(['web/entities/growing-plots/chart.tsx'])
})

test('renders the visible tracks and few others', () => {
  fc.assert(
    fc.property(
      fc.nat(10_000),
      fc.integer({ min: 50, max: 900 }),
      fc.nat(200),
      fc.integer({ min: -1, max: 199 }),
      (scrolled, room, count, kept) => {
        const size = 38
        const tracks = tracksToDraw(tracksInView(scrolled, room, size, count, 6), kept, count)
        for (let track = 0; track < count; track += 1) {
          const isInView = (track + 1) * size > scrolled && track * size < scrolled + room
          if (isInView) expect(tracks).toContain(track)
        }
        if (kept >= 0 && kept < count) expect(tracks).toContain(kept)
        expect(tracks.length).toBeLessThanOrEqual(room / size + 27)
        expect(tracks).toEqual([...tracks].sort((one, other) => one - other))
      },
    ),
  )
})

test('scrolls to a track, but no farther than necessary', () => {
  expect(scrolledTo(0, 40, 100, 200)).toBe(0)
  expect(scrolledTo(4, 40, 100, 200)).toBe(100)
  expect(scrolledTo(9, 40, 100, 200)).toBe(200)
})

test('separates labels by the gap without changing their order', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 400, noNaN: true }), { maxLength: 8 }), (places) => {
      const found = spread(places, 17, 0, 400)
      const order = places.map((place, nth) => ({ place, at: found[nth]! })).sort((one, other) => one.place - other.place)
      for (let nth = 1; nth < order.length; nth += 1) expect(order[nth]!.at - order[nth - 1]!.at).toBeGreaterThan(17 - 1e-9)
    }),
  )
})

test('finds the nearest point within reach', () => {
  const points = [{ at: [0, 0] as const }, { at: [10, 0] as const }]
  expect(nearest(points, 7, 0, 28)).toBe(1)
  expect(nearest(points, 60, 0, 28)).toBeNull()
})

test('rounds ranges outward to contain their values', () => {
  expect(roundRange(0.32, 1.83, 4)).toEqual({ min: 0, max: 2, interval: 0.5 })
  expect(roundRange(18.9, 30, 3)).toEqual({ min: 15, max: 30, interval: 5 })
  fc.assert(
    fc.property(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }), (from, hundredths) => {
      const low = from / 100
      const span = hundredths / 100
      const { min, max, interval } = roundRange(low, low + span, 4)
      expect(min).toBeLessThanOrEqual(low + 1e-9)
      expect(max).toBeGreaterThanOrEqual(low + span - 1e-9)
      expect((max - min) / interval).toBeLessThan(7.001)
    }),
  )
})

test('puts ticks at local midnight, even across clock changes', () => {
  const zone = 'America/Denver'
  const { ticks } = timeTicks(Date.UTC(2026, 9, 29), Date.UTC(2026, 10, 4), 8, zone)
  const hours = ticks.map((at) => new Date(at + offsetAt(at, zone)).getUTCHours())
  expect(ticks.length).toBe(6)
  expect(hours).toEqual(ticks.map(() => 0))
})

test('wraps text at words', () => {
  expect(wrapped('one two three', 7, (text) => text.length)).toEqual(['one two', 'three'])
})
