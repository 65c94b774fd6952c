import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorMs } from '#tests/support/processor-time.ts'
import { entitiesOf, guessEntities, widened, widenedMapping } from './import-settings.tsx'
import { bySensor, inParts, joined, type ReadingSettings, readFigure, readReadings } from './sensor-readings.ts'
import { guessMapping, readSensorTable, SensorFileRefused, temperatureUnit } from './sensor-table.ts'

const table = (text: string) => readSensorTable(new TextEncoder().encode(text))
const read = (text: string, settings: Partial<ReadingSettings> = {}) => {
  const sheet = table(text)
  return readReadings(sheet, { mapping: guessMapping(sheet.header), order: 'ymd', timeZone: 'UTC', temperature: 'C', ...settings })
}

test('separates the sensors of our own export', () => {
  const sheet = table(
    [
      'Timestamp,Sensor,Temperature (°C),Humidity (%),Leaf temperature (°C),CO2 (ppm),VPD (kPa)',
      '2026-03-01T10:00:00.000Z,Tent A,24,60,,,1.1',
      '2026-03-01T10:00:00.000Z,Tent B,20,50,,,0.9',
      '2026-03-01T09:59:00.000Z,Tent A,23,never,,,1.1',
      '2026-03-01T09:59:00.000Z,,22,61,,,1.1',
    ].join('\n'),
  )
  const mapping = guessMapping(sheet.header)
  expect(mapping).toEqual(['time', 'sensor', 'air', 'humidity', 'leaf', 'co2', null])
  const parts = bySensor(sheet, mapping, 'Unnamed').map((part) => ({
    sensorName: part.sensorName,
    result: readReadings(part.table, { mapping, order: 'ymd', timeZone: 'UTC', temperature: 'C' }),
  }))
  expect(parts.map(({ sensorName, result }) => [sensorName, result.readings.airCelsius])).toEqual([
    ['Tent A', [24]],
    ['Tent B', [20]],
    ['Unnamed', [22]],
  ])
  const { readings, problems } = joined(parts.map(({ result }) => result))
  expect([readings.airCelsius, problems.map(({ line }) => line)]).toEqual([[24, 20, 22], [4]])
  const [only] = bySensor(
    sheet,
    mapping.map((field) => (field === 'sensor' ? null : field)),
    'Tent',
  )
  expect(only).toEqual({ sensorName: 'Tent', table: sheet })
})

describe('an app’s export', () => {
  test('can come from Govee Home, with the sampling rate in the header, a space after a comma, and the unit in a column’s name', () => {
    const text =
      '\uFEFFTimestamp for sample frequency every 15 min min, Temperature_Fahrenheit,Relative_Humidity\n2026-08-06 09:22:00,76.28,53.7\n'
    const { header } = table(text)
    expect(guessMapping(header)).toEqual(['time', 'air', 'humidity'])
    expect(header.map(temperatureUnit)).toEqual([null, 'F', null])
    const { readings, problems } = read(text, { temperature: 'F', timeZone: 'America/Denver' })
    expect(readings).toEqual({
      at: [Date.UTC(2026, 7, 6, 15, 22) / 1000],
      airCelsius: [24.6],
      humidityPercent: [53.7],
      leafCelsius: [null],
      co2Ppm: [null],
    })
    expect(problems).toEqual([])
  })

  test('can come from AC Infinity, with device lines first, empty lines between, a narrow space before PM, and no unit', () => {
    const text = [
      '\uFEFFDevice ID,4 x 4',
      'Sample Frequency,1 MIN',
      '',
      'Time,PH (Sensor 1),WATER TEMP (Sensor 1),Temperature (Outside),Relative Humidity (Outside),VPD (Outside)',
      '',
      '"06/04/2026, 02:05:00\u202fPM",6.60,68.00,75.00,50.00,1.00',
      '',
      '"06/04/2026, 02:06:00\u202fPM",6.60,68.00,75.20,,1.00',
    ].join('\r\n')
    const { header } = table(text)
    expect(guessMapping(header)).toEqual(['time', null, null, 'air', 'humidity', null])
    expect(temperatureUnit(header[3] ?? '')).toBeNull()
    const { readings, problems } = read(text, { order: 'mdy', temperature: 'F' })
    expect(readings.at).toEqual([Date.UTC(2026, 5, 4, 14, 5) / 1000])
    expect(readings.airCelsius).toEqual([23.89])
    expect(problems).toEqual([{ line: 8, message: 'No humidity' }])
  })

  test('can come from Home Assistant, with one row per change and the other value carried forward', () => {
    const sheet = table(
      [
        'entity_id,state,last_changed',
        'sensor.tent_temperature,24.1,2026-04-24T10:00:00.000Z',
        'sensor.tent_humidity,55,2026-04-24T10:01:00.000Z',
        'sensor.tent_temperature,24.3,2026-04-24T10:05:00.000Z',
        'sensor.tent_humidity,unavailable,2026-04-24T10:06:00.000Z',
        'sensor.tent_temperature,24.4,2026-04-24T10:07:00.000Z',
        'sensor.tent_humidity,54,2026-04-24T17:30:00.000Z',
      ].join('\n'),
    )
    expect(sheet.isLong).toBe(true)
    const chosen = guessEntities(entitiesOf(sheet).names)
    expect(chosen).toMatchObject({ air: 'sensor.tent_temperature', humidity: 'sensor.tent_humidity' })
    const { readings } = readReadings(widened(sheet, chosen), { mapping: widenedMapping, order: 'ymd', timeZone: 'UTC', temperature: 'C' })
    expect(readings.airCelsius).toEqual([24.1, 24.3])
    expect(readings.humidityPercent).toEqual([55, 55])
  })

  test('can have semicolons and decimal commas, dates with the day first, CO₂, and leaf temperature', () => {
    const text = 'Datum/Time;x\nDate;Time;Temp (°C);Leaf temp;RH (%);CO₂ (ppm);Dew point (°C)\n13.02.2026;14:05;24,6;22,9;53,7;1.250;14\n'
    const { header } = table(text)
    expect(guessMapping(header)).toEqual(['date', 'time', 'air', 'leaf', 'humidity', 'co2', null])
    const { readings } = read(text, { order: 'dmy' })
    expect(readings).toMatchObject({
      at: [Date.UTC(2026, 1, 13, 14, 5) / 1000],
      airCelsius: [24.6],
      leafCelsius: [22.9],
      humidityPercent: [53.7],
      co2Ppm: [1250],
    })
  })

  test('can have CO₂ with a thousands separator or with decimals', () => {
    const figures = ['"1,204 ppm"', '1.204', '612.375', '"1,204.5"', '980']
    const lines = figures.map((figure, i) => `2026-01-01 10:0${i},20,50,${figure}`)
    const { readings } = read(['Timestamp,Temperature (C),Humidity,CO2', ...lines].join('\n'))
    expect(readings.co2Ppm).toEqual([1204, 1204, 612.375, 1204.5, 980])
  })
})

test('lists the rows without a valid reading by line number', () => {
  const { readings, problems } = read(
    'Timestamp,Temperature (C),Humidity\nnever,20,50\n2026-01-01 10:00,x,50\n2026-01-01 10:01,20,101\n2026-01-01 10:02,20,50\n',
  )
  expect(readings.at).toHaveLength(1)
  expect(problems).toEqual([
    { line: 2, message: '“never” isn’t a date and time' },
    { line: 3, message: 'Air temperature: “x” isn’t a number' },
    { line: 4, message: 'Humidity: 101 isn’t possible' },
  ])
})

test('explains a file that isn’t a table', () => {
  for (const text of ['', 'hello', 'Time,Temperature,Humidity\n']) expect(() => table(text), text).toThrow(SensorFileRefused)
  expect(() => readSensorTable(new Uint8Array([80, 75, 3, 4, 0, 0]))).toThrow(/Excel/)
})

test('removes the apostrophe that exports put before plus and minus signs', () => {
  const { header, rows } = table("Sensor,Time,Air temperature (°C)\n'-20 °C freezer,2026-01-01 10:00,'-18\n")
  expect([header[0], rows[0]?.cells]).toEqual(['Sensor', ['-20 °C freezer', '2026-01-01 10:00', '-18']])
})

test('reads a number with a decimal point or comma', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -4000, max: 999_999 }),
      fc.constantFrom('.', ','),
      fc.constantFrom('', ' °C', '%', ' ppm'),
      (hundredths, mark, unit) => {
        const text = (hundredths / 100).toFixed(2).replace('.', mark) + unit
        expect(readFigure(text)).toBe(hundredths / 100)
      },
    ),
  )
  expect([readFigure(''), readFigure('--'), readFigure('N/A')]).toEqual([null, null, null])
  expect([readFigure('1,250,000'), readFigure('warm')]).toEqual([1_250_000, Number.NaN])
})

test('reads a hundred thousand rows within seconds', () => {
  const start = Date.UTC(2026, 1, 1)
  const lines = Array.from(
    { length: 100_000 },
    (_, i) =>
      `${new Date(start + i * 60_000).toISOString().slice(0, 19).replace('T', ' ')},${(20 + (i % 90) / 10).toFixed(1)},${50 + (i % 20)}`,
  )
  const text = `Timestamp,Temperature (°C),Humidity (%)\n${lines.join('\n')}`
  const took = processorMs(() => {
    const { readings, problems } = read(text, { timeZone: 'America/Denver' })
    expect([readings.at.length, problems.length]).toEqual([100_000, 0])
  })
  expect(took).toBeLessThan(5_000)
})

test('splits readings that exceed the limit of one import', () => {
  const { readings } = read(
    `Timestamp,Temperature (°C),Humidity (%)\n${[20, 21, 22, 23, 24].map((air, i) => `2026-03-01 08:0${i}:00,${air},55`).join('\n')}`,
    { timeZone: 'America/Denver' },
  )
  expect(inParts(readings, 2).map(({ airCelsius, humidityPercent }) => [airCelsius, humidityPercent])).toEqual([
    [
      [20, 21],
      [55, 55],
    ],
    [
      [22, 23],
      [55, 55],
    ],
    [[24], [55]],
  ])
  expect(inParts({ at: [], airCelsius: [], humidityPercent: [], leafCelsius: [], co2Ppm: [] }, 2)).toEqual([])
})
