import { expect, test } from 'vitest'
import { storedUnits, type Units } from '#web/lib/units.ts'
import { plotBands, plotReadings } from './climate-section.tsx'

const us: Units = { ...storedUnits, length: 'in', temperature: 'F', mass: 'oz' }

const point = { at: '2026-03-01T00:00:00.000Z', readingsCount: 2, leafCelsius: null, co2Ppm: null, inTarget: [1] }
const target = { stage: 'flower' as const, measure: 'vpdKpa' as const, low: 1, high: 1.2 }
const spread = (mean: number) => ({ min: mean - 1, mean, max: mean + 1 })
const logs = [
  { logId: 'a', on: '2026-03-01', airCelsius: 25, humidityPercent: 60, leafCelsius: null, co2Ppm: null, vpdKpa: 1.066 },
  { logId: 'b', on: '2026-03-02', airCelsius: null, humidityPercent: null, leafCelsius: null, co2Ppm: 900, vpdKpa: null },
]

test('draws bucket means in the viewer’s units', () => {
  const points = [{ ...point, airCelsius: spread(25), humidityPercent: spread(55.123), vpdKpa: spread(1.2) }]
  const mean = { readings: 2, inTarget: { 'flower vpdKpa': 1 } }
  expect(plotReadings({ points, targets: [target], logs }, us)).toEqual([
    { at: Date.parse(point.at), temperature: 77, humidity: 55.12, vpd: 1.2, mean },
  ])
})

test('draws manual entries if there is no sensor data, but only those with temperature or humidity', () => {
  const readings = plotReadings({ points: [], targets: [], logs }, storedUnits)
  expect(readings.map(({ temperature, humidity, vpd }) => [temperature, humidity, vpd])).toEqual([[25, 60, 1.07]])
  expect(new Date(readings[0]?.at ?? 0).getHours()).toBe(12)
})

test('draws each target during its stage, or a chosen stage’s targets throughout', () => {
  const targets = [
    { stage: 'vegetative' as const, measure: 'vpdKpa' as const, low: 0.8, high: 1.3 },
    { stage: 'flower' as const, measure: 'airCelsius' as const, low: 21, high: 27 },
    { stage: 'flower' as const, measure: 'co2Ppm' as const, low: 800, high: 1200 },
  ]
  const stages = [
    { stage: 'vegetative' as const, from: '2026-02-01' },
    { stage: 'flower' as const, from: '2026-03-01' },
  ]
  const flower = new Date('2026-03-01T00:00:00').getTime()
  const span = { from: flower - 1000, to: flower + 1000 }
  expect(plotBands(targets, stages, span, null, us)).toEqual([
    {
      id: 'vegetative vpdKpa',
      measure: 'vpd',
      from: new Date('2026-02-01T00:00:00').getTime(),
      to: flower - 1,
      low: 0.8,
      high: 1.3,
      name: 'Vegetative',
    },
    { id: 'flower airCelsius', measure: 'temperature', from: flower, to: span.to, low: 69.8, high: 80.6, name: 'Flower' },
  ])
  expect(plotBands(targets, [], span, 'vegetative', storedUnits)).toEqual([
    { id: 'vegetative vpdKpa', measure: 'vpd', ...span, low: 0.8, high: 1.3, name: 'Vegetative' },
  ])
  expect(plotBands(targets, [], span, null, storedUnits)).toEqual([])
})
