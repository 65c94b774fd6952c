import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BoundingBox, boxAround, crossesAntimeridian, distanceMiles, normalizeLongitude, type Point } from './distance.ts'

const denver = { latitude: 39.7392, longitude: -104.9903 }
const boulder = { latitude: 40.015, longitude: -105.2705 }
const newYork = { latitude: 40.7128, longitude: -74.006 }
const losAngeles = { latitude: 34.0522, longitude: -118.2437 }
const adak = { latitude: 51.88, longitude: -176.6581 }
const attu = { latitude: 52.9023, longitude: 172.9097 }

const anyPoint = fc.record({
  latitude: fc.double({ min: -89.9, max: 89.9, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
})
const anyMiles = fc.double({ min: 0.01, max: 3000, noNaN: true })

/** The point `miles` away in a direction, by the great-circle formula, which is independent of the haversine. */
function travel(from: Point, bearing: number, miles: number): Point {
  const radians = Math.PI / 180
  const angle = miles / 3958.7613
  const lat = from.latitude * radians
  const latitude = Math.asin(Math.sin(lat) * Math.cos(angle) + Math.cos(lat) * Math.sin(angle) * Math.cos(bearing))
  const turn = Math.atan2(Math.sin(bearing) * Math.sin(angle) * Math.cos(lat), Math.cos(angle) - Math.sin(lat) * Math.sin(latitude))
  return { latitude: latitude / radians, longitude: normalizeLongitude(from.longitude + turn / radians) }
}

describe('distanceMiles', () => {
  test.each([
    [denver, boulder, 24.2],
    [newYork, losAngeles, 2445.6],
    // A degree of the equator is 1/360 of the way around, even across the antimeridian.
    [{ latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 }, 69.1],
    [{ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 180 }, 12436.8],
  ])('measures the distance from %o to %o', (from, to, miles) => {
    expect(distanceMiles(from, to)).toBeCloseTo(miles, 0)
  })

  test('is a metric', () => {
    // For antipodes, the haversine is close to 1, so the arc is precise only to the square root of a double's precision: a few inches.
    const exact = 1e-4
    fc.assert(
      fc.property(anyPoint, anyPoint, anyPoint, (a, b, c) => {
        expect(distanceMiles(a, a)).toBe(0)
        expect(Math.abs(distanceMiles(a, b) - distanceMiles(b, a))).toBeLessThan(exact)
        expect(distanceMiles(a, c)).toBeLessThanOrEqual(distanceMiles(a, b) + distanceMiles(b, c) + 2 * exact)
      }),
    )
  })

  test('measures the distance covered by `travel`', () => {
    fc.assert(
      fc.property(anyPoint, fc.double({ min: 0, max: 6, noNaN: true }), anyMiles, (from, bearing, miles) => {
        expect(distanceMiles(from, travel(from, bearing, miles))).toBeCloseTo(miles, 4)
      }),
    )
  })
})

function boxContains(box: BoundingBox, { latitude, longitude }: Point): boolean {
  if (latitude < box.south || latitude > box.north) return false
  const [isEastOfWest, isWestOfEast] = [longitude >= box.west, longitude <= box.east]
  return crossesAntimeridian(box) ? isEastOfWest || isWestOfEast : isEastOfWest && isWestOfEast
}

describe('boxAround', () => {
  test('computes the box 25 miles around Denver', () => {
    const box = boxAround(denver, 25)
    expect(box.north - denver.latitude).toBeCloseTo(0.3618, 3)
    expect(box.east - denver.longitude).toBeCloseTo(0.4706, 3)
  })

  test('crosses the antimeridian in the Aleutians', () => {
    const box = boxAround(adak, 500)
    expect(crossesAntimeridian(box)).toBe(true)
    expect(boxContains(box, attu)).toBe(true)
    expect(boxContains(box, denver)).toBe(false)
    expect((box.west + box.east + 360) / 2 - 360).toBeCloseTo(adak.longitude, 6)
  })

  test('contains every longitude when it reaches a pole', () => {
    const box = boxAround({ latitude: 89, longitude: 10 }, 100)
    expect(box).toMatchObject({ west: -180, east: 180, north: 90 })
    expect(boxContains(box, { latitude: 89.5, longitude: -170 })).toBe(true)
  })

  test('contains every point within the distance', () => {
    fc.assert(
      fc.property(anyPoint, fc.double({ min: 0, max: 6.3, noNaN: true }), anyMiles, (center, bearing, miles) => {
        expect(boxContains(boxAround(center, miles), travel(center, bearing, miles * 0.999999))).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  test('is wide enough in the far north, where the circle is widest north of its center', () => {
    const center = { latitude: 71.3, longitude: -156.8 }
    const box = boxAround(center, 400)
    for (let i = 0; i < 720; i++) expect(boxContains(box, travel(center, (i * Math.PI) / 360, 399.99))).toBe(true)
  })

  test('is no larger than necessary', () => {
    fc.assert(
      fc.property(fc.double({ min: -60, max: 60, noNaN: true }), fc.double({ min: 1, max: 500, noNaN: true }), (latitude, miles) => {
        const center = { latitude, longitude: 0 }
        const smaller = boxAround(center, miles * 0.99)
        const points = Array.from({ length: 720 }, (_, i) => travel(center, (i * Math.PI) / 360, miles))
        expect(Math.max(...points.map((point) => point.longitude))).toBeGreaterThan(smaller.east)
        expect(Math.max(...points.map((point) => point.latitude))).toBeGreaterThan(smaller.north)
      }),
      { numRuns: 50 },
    )
  })
})

test('normalizes longitudes to [-180, 180) without moving them', () => {
  expect(normalizeLongitude(180)).toBe(-180)
  expect(normalizeLongitude(-181)).toBe(179)
  expect(normalizeLongitude(540)).toBe(-180)
  fc.assert(
    fc.property(fc.integer({ min: -1000, max: 1000 }), (degrees) => {
      const normal = normalizeLongitude(degrees)
      expect(normal).toBeGreaterThanOrEqual(-180)
      expect(normal).toBeLessThan(180)
      expect(Math.abs(normal - degrees) % 360).toBe(0)
    }),
  )
})
