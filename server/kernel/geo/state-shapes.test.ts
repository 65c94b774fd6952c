import { describe, expect, test } from 'vitest'
import { findCity } from './gazetteer.ts'
import { isInState, stateBox } from './state-shapes.ts'
import { usStates } from './us-states.ts'

describe('isInState', () => {
  test.each([
    ['Denver', 39.7392, -104.9903, 'CO', true],
    ['Denver in Wyoming', 39.7392, -104.9903, 'WY', false],
    ['Adak, west of everything', 51.88, -176.6581, 'AK', true],
    ['Attu, past the antimeridian', 52.9023, 172.9097, 'AK', true],
    ['the Bering Sea', 58, -175, 'AK', false],
    ['Guam', 13.4443, 144.7937, 'GU', true],
    ['the middle of Lake Michigan', 43.2, -87.2, 'MI', false],
    ['Upper Peninsula', 46.5436, -87.3954, 'MI', true],
    ['Key West', 24.5551, -81.78, 'FL', true],
    ['Washington, DC', 38.9072, -77.0369, 'DC', true],
    ['Washington, DC in Maryland', 38.9072, -77.0369, 'MD', false],
    ['Null Island', 0, 0, 'CO', false],
    ['mirrored longitude', 39.7392, 104.9903, 'CO', false],
    ['not a number', Number.NaN, -104.99, 'CO', false],
    ['an unknown state', 39.7392, -104.9903, 'XX', false],
  ])('decides whether the point is in the state: %s', (_, latitude, longitude, state, expected) => {
    expect(isInState(latitude, longitude, state)).toBe(expected)
  })

  test('includes a point less than three kilometers past a border but not one more than eight kilometers past it', () => {
    // Colorado ends at 41° north. 0.02° is 2.2 km, and 0.09° is 10 km.
    expect(isInState(41.02, -105.5, 'CO')).toBe(true)
    expect(isInState(41.09, -105.5, 'CO')).toBe(false)
    // At 39° north, a degree of longitude is 86 km. Colorado ends at 102.05° west.
    expect(isInState(38.9, -102.02, 'CO')).toBe(true)
    expect(isInState(38.9, -101.95, 'CO')).toBe(false)
  })

  test('returns the same whether or not the point’s cell is cached', () => {
    const points = Array.from({ length: 40 }, (_, i) => 40.7 + i * 0.015)
    const first = points.map((latitude) => isInState(latitude, -105.5, 'CO'))
    expect(points.map((latitude) => isInState(latitude, -105.5, 'CO'))).toEqual(first)
    expect(first.lastIndexOf(true)).toBe(first.indexOf(false) - 1)
  })

  test('puts every state’s label inside only that state', () => {
    for (const state of usStates) {
      const holders = usStates.filter((other) => isInState(state.latitude, state.longitude, other.code)).map((other) => other.code)
      expect(holders).toEqual([state.code])
    }
  })

  test('takes a few microseconds of CPU, even at borders', () => {
    const places = ['Denver CO', 'Portland OR', 'Anchorage AK', 'Detroit MI', 'Portland ME'].map((place) =>
      findCity(place.slice(0, -3), place.slice(-2)),
    )
    // CPU time rather than wall time, because the machine may be busy with other tests.
    const begin = process.threadCpuUsage()
    for (let i = 0; i < 100_000; i++) {
      const place = places[i % places.length]!
      isInState(place.latitude + (i % 50) / 100, place.longitude, place.state)
    }
    const { user, system } = process.threadCpuUsage(begin)
    expect((user + system) / 100_000).toBeLessThan(6)
  })
})

describe('stateBox', () => {
  test('computes Colorado’s box', () => {
    const box = stateBox('CO')!
    expect(box.west).toBeCloseTo(-109.06, 1)
    expect(box.north).toBeCloseTo(41, 1)
  })

  test('crosses the antimeridian for Alaska', () => {
    const box = stateBox('AK')!
    expect(box.west).toBeGreaterThan(box.east)
    // Attu is inside; the sea between Alaska and Kamchatka isn't.
    expect(box.west).toBeLessThan(172.9)
    expect(box.west).toBeGreaterThan(165)
  })

  test('returns no box for anything but a state', () => {
    expect(stateBox('XX')).toBeNull()
  })
})
