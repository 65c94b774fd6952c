import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstToOpen, pinsOptions, pinWindow, windowWithin } from './directory.api.ts'

const denver = { west: -105.2, south: 39.6, east: -104.7, north: 39.9, zoom: 9.7, byPerson: true }
const box = (area: typeof denver) => pinWindow(area).bbox.split(',').map(Number) as [number, number, number, number]

test('uses the same window after the map moves slightly', () => {
  const moved = { ...denver, west: denver.west + 0.01, east: denver.east + 0.01, zoom: 9.9 }
  expect(pinWindow(moved)).toEqual(pinWindow(denver))
})

test('uses a window that covers the visible area, is at most four times as wide, and never exceeds the globe', () => {
  const area = fc.record({
    x: fc.double({ min: -180, max: 179.9, noNaN: true }),
    y: fc.double({ min: -85, max: 84.9, noNaN: true }),
    zoom: fc.double({ min: 2, max: 17, noNaN: true }),
  })
  fc.assert(
    fc.property(area, ({ x, y, zoom }) => {
      const width = 360 / 2 ** zoom
      const shown = { west: x, south: y, east: Math.min(180, x + width), north: Math.min(85, y + width), zoom, byPerson: false }
      const [west, south, east, north] = box(shown)
      const slack = 1e-5
      expect(west).toBeLessThanOrEqual(shown.west + slack)
      expect(south).toBeLessThanOrEqual(shown.south + slack)
      expect(east).toBeGreaterThanOrEqual(shown.east - slack)
      expect(north).toBeGreaterThanOrEqual(shown.north - slack)
      expect(east - west).toBeLessThanOrEqual(width * 4)
      expect([west, south, east, north].every((degrees, i) => Math.abs(degrees) <= (i % 2 ? 90 : 180))).toBe(true)
    }),
  )
})

test('returns a western edge greater than the eastern edge across the antimeridian', () => {
  const [west, , east] = box({ ...denver, west: 178, east: -178, zoom: 6 })
  expect(west).toBeGreaterThan(east)
})

test('reuses a complete window when zooming in, but not when panning or zooming out', () => {
  const whole = pinWindow(denver)
  const closer = { ...denver, west: -105.1, east: -104.9, zoom: 11.2 }
  expect(pinWindow(closer)).not.toEqual(whole)
  expect(windowWithin(whole, closer)).toBe(whole)
  const beside = { ...denver, west: -104.2, east: -103.7 }
  expect(windowWithin(whole, beside)).toEqual(pinWindow(beside))
  const wider = { ...denver, west: -106.4, east: -103.4, zoom: 8.1 }
  expect(windowWithin(whole, wider)).toEqual(pinWindow(wider))
})

test('never reuses a window across the antimeridian', () => {
  const across = { ...denver, west: 178, east: -178, zoom: 6 }
  const within = { ...denver, west: 179, east: 179.5, zoom: 9 }
  expect(windowWithin(pinWindow(across), within)).toEqual(pinWindow(within))
  expect(windowWithin(pinWindow({ ...denver, west: -180, south: -85, east: 180, north: 85, zoom: 2 }), across)).toEqual(pinWindow(across))
})

test('requests all pins of a small search, but only those in the window for a large search or a searched area', () => {
  const window = pinWindow(denver)
  const queryOf = (...given: Parameters<typeof pinsOptions>) => pinsOptions(...given).queryKey[2]
  expect(queryOf({ near: 'Denver, CO' }, 740, window)).toEqual({ near: 'Denver, CO', radius: 50, widen: true })
  expect(queryOf({}, 7000, window)).toEqual(window)
  expect(queryOf({ area: '-105.2,39.6,-104.7,39.9' }, 740, window)).toEqual(window)
  expect(pinsOptions({ area: '-105.2,39.6,-104.7,39.9' }, 740, null).enabled).toBe(false)
})

test('finds the closed business that opens first', () => {
  const pin = (slug: string | null, isOpen: boolean, changesAt: string | null) => ({ slug, openNow: { isOpen, changesAt } })
  const pins = [
    pin('late', false, '2026-12-01T16:00:00.000Z'),
    pin('early', false, '2026-12-01T15:00:00.000Z'),
    pin('closing', true, '2026-12-01T14:00:00.000Z'),
    pin('long-closed', false, null),
    { slug: 'without-hours', openNow: null },
    { slug: null, openNow: null },
  ]
  expect(firstToOpen(pins)).toBe('early')
  expect(firstToOpen(pins.slice(2))).toBeNull()
})
