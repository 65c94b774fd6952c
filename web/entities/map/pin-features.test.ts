import { expect, test } from 'vitest'
import { arePinsSame, byName, isBusiness, pinFeatures, pinsAt } from './pin-features.ts'
import type { ShownPin } from './types.ts'

const farm: ShownPin = {
  id: '1',
  slug: 'high-plains-farm',
  name: 'High Plains Farm',
  type: 'farm',
  latitude: 39.98,
  longitude: -104.82,
  precision: 'city',
  isOpen: null,
  count: 1,
}
const cell: ShownPin = { ...farm, id: 'cell', slug: null, name: null, type: null, precision: null, count: 320 }

test('creates a point at a pin’s longitude and latitude, with its list position', () => {
  const { features } = pinFeatures([cell, farm])
  expect(features[1]).toEqual({
    type: 'Feature',
    properties: { at: 1, count: 1, name: 'High Plains Farm', rough: true, hours: 'unknown' },
    geometry: { type: 'Point', coordinates: [-104.82, 39.98] },
  })
  expect(features[0]!.properties).toMatchObject({ at: 0, count: 320, name: '' })
})

test('treats responses as equal if every pin matches in order', () => {
  expect(arePinsSame([farm, cell], [{ ...farm }, { ...cell }])).toBe(true)
  expect(arePinsSame([farm, cell], [cell, farm])).toBe(false)
  expect(arePinsSame([farm], [farm, cell])).toBe(false)
  expect(arePinsSame([farm], [{ ...farm, name: 'Renamed' }])).toBe(false)
  expect(arePinsSame([farm], [{ ...farm, isOpen: true }])).toBe(false)
})

test('updates a pin when its business opens or closes', () => {
  const { isOpen: _, ...pin } = farm
  const closing = { ...pin, openNow: { isOpen: true, changesAt: '2026-11-25T04:00:00.000Z' } }
  const always = { ...pin, openNow: { isOpen: true, changesAt: null } }
  const unknown = { ...pin, openNow: null }
  const openAt = (time: string) => pinsAt([closing, always, unknown, pin], Date.parse(time)).map((each) => each.isOpen)
  expect(openAt('2026-11-25T03:59:59Z')).toEqual([true, true, null, undefined])
  expect(openAt('2026-11-25T04:00:00Z')).toEqual([false, true, null, undefined])
  const { features } = pinFeatures(pinsAt([closing, unknown, pin], 0))
  expect(features.map(({ properties }) => properties.hours)).toEqual(['open', 'unknown', 'notShown'])
})

test('marks only the pin of a building as exact', () => {
  const rough = (['premise', 'zip', 'city'] as const).map(
    (precision) => pinFeatures([{ ...farm, precision }]).features[0]!.properties.rough,
  )
  expect(rough).toEqual([false, true, true])
})

test('doesn’t treat a counted cell as a business', () => {
  expect(isBusiness(farm)).toBe(true)
  expect(isBusiness(cell)).toBe(false)
  expect(isBusiness({ ...cell, count: 1 })).toBe(false)
})

test('sorts names naturally', () => {
  const names = byName(['Zen 10', 'alpha', 'Zen 9', 'Éclair'].map((name) => ({ ...farm, name }))).map((pin) => pin.name)
  expect(names).toEqual(['alpha', 'Éclair', 'Zen 9', 'Zen 10'])
})
