import { expect, test } from 'vitest'
import type { GrowLog } from '#contracts/grow-logs.ts'
import { storedUnits, type Units } from '#web/lib/units.ts'
import { differences, leafDifferenceText, usualHint } from './log-fields.ts'
import { bulkEntries, changeOf, entryOf, hasContent, textsOf } from './log-inputs.tsx'
import { inUnits, onToday, startingAt } from './quick-log.tsx'

const us: Units = { ...storedUnits, length: 'in', temperature: 'F', mass: 'oz' }

const log: GrowLog = {
  ...{
    id: 'log',
    huntId: 'hunt',
    plant: null,
    loggedOn: '2026-03-02',
    week: 5,
    isWeekStated: false,
    stage: 'flower',
    heightCm: 41.3,
    rating: 7,
  },
  ...{ notes: 'Stout', airCelsius: 24.5, leafCelsius: null, humidityPercent: 55, vpdKpa: 1.2, co2Ppm: null, ppfd: null },
  ...{ ecIn: null, ecOut: null, phIn: 6.1, phOut: null, feed: '', pestControl: '', training: '', photos: [], author: null },
  ...{ version: 1, createdAt: '2026-03-02T10:00:00.000Z', updatedAt: '2026-03-02T10:00:00.000Z' },
}

test('reads input in the person’s units and omits empty fields', () => {
  expect(entryOf({ heightCm: '16.5', rating: '7', notes: ' Stout ', airCelsius: '77', week: '', stage: 'flower' }, us)).toEqual({
    entry: { heightCm: 41.91, rating: 7, notes: 'Stout', airCelsius: 25, stage: 'flower' },
  })
  expect(entryOf({ heightCm: '41,5' }, storedUnits)).toEqual({ entry: { heightCm: 41.5 } })
})

test('converts from a unit that is typed with the number', () => {
  expect(entryOf({ heightCm: '16.5 in', airCelsius: '77F', leafCelsius: '75 °F', humidityPercent: '55%' }, storedUnits)).toEqual({
    entry: { heightCm: 41.91, airCelsius: 25, leafCelsius: 23.89, humidityPercent: 55 },
  })
  expect(entryOf({ heightCm: '41 cm', airCelsius: '25 °C' }, us)).toEqual({ entry: { heightCm: 41, airCelsius: 25 } })
  expect(entryOf({ airCelsius: '75 in', phIn: '6 °F' }, storedUnits)).toEqual({
    errors: { airCelsius: 'Must be a number', phIn: 'Must be a number' },
  })
})

test('converts what was typed when the person chooses other units', () => {
  const draft = { texts: { heightCm: '41', airCelsius: '25', leafCelsius: 'warm', rating: '7', notes: '12' }, units: storedUnits }
  expect(inUnits(draft, storedUnits)).toBe(draft)
  expect(inUnits(draft, us)).toEqual({ texts: { ...draft.texts, heightCm: '16.1', airCelsius: '77' }, units: us })
})

test('gives an entry today’s date if the page has been open since an earlier day', () => {
  const draft = { day: '2026-03-01', touchedOn: '2026-03-02' }
  expect(onToday(draft, '2026-03-02')).toBe(draft)
  expect(onToday(draft, '2026-03-03')).toEqual({ day: '2026-03-03', touchedOn: '2026-03-03' })
})

test('reports errors next to their fields with the contract’s messages', () => {
  expect(entryOf({ heightCm: '2000', rating: '11', phIn: 'sour', stage: 'dancing' }, storedUnits)).toEqual({
    errors: {
      heightCm: 'Must be 0 to 1000 cm',
      rating: 'Must be a whole number from 1 to 10',
      phIn: 'Must be a number',
      stage: expect.any(String),
    },
  })
})

test('states a limit in the unit that was typed', () => {
  expect(entryOf({ heightCm: '400', airCelsius: '-40', leafCelsius: '160' }, us)).toEqual({
    errors: { heightCm: 'At most 393.7 in', airCelsius: 'At least -22 °F', leafCelsius: 'At most 158 °F' },
  })
})

test('rejects an entry with only a week', () => {
  expect([hasContent({ week: 4 }), hasContent({ week: 4, rating: 3 }), hasContent({})]).toEqual([false, true, false])
})

test('sends only changed fields, despite conversions to inches', () => {
  const before = textsOf(log, us)
  expect(before).toMatchObject({ heightCm: '16.3', airCelsius: '76.1', week: '', stage: 'flower' })
  expect(changeOf(before, { ...before, rating: '8', notes: '' }, us)).toEqual({ change: { rating: 8, notes: '' } })
  expect(changeOf(before, { ...before, heightCm: '', phIn: '7x' }, us)).toEqual({ errors: { phIn: 'Must be a number' } })
  expect(changeOf(before, before, us)).toEqual({ change: {} })
})

test('turns the rows of a sheet into a day’s logs, or none if any row is invalid', () => {
  const rows = { a: { heightCm: '40', notes: '' }, b: { heightCm: '', rating: ' ' }, c: { stage: 'Veg' } }
  expect(bulkEntries(rows, '2026-03-02', storedUnits)).toEqual({
    entries: [
      { plantId: 'a', loggedOn: '2026-03-02', heightCm: 40 },
      { plantId: 'c', loggedOn: '2026-03-02', stage: 'vegetative' },
    ],
  })
  expect(bulkEntries({ ...rows, d: { rating: '0' } }, '2026-03-02', storedUnits)).toEqual({
    errors: { d: { rating: 'Must be a whole number from 1 to 10' } },
  })
})

test('lists the differences between an earlier and the current log', () => {
  const { heightCm: _, ...rest } = log
  const before = { ...rest, week: null, heightCm: 38, plantId: null, photosCount: 1 }
  expect(differences(before, log, storedUnits, () => '#1')).toEqual([
    { label: 'Height', before: '38 cm', after: '41.3 cm' },
    { label: 'Photos', before: '1', after: '0' },
  ])
})

test('shows the usual range for the stage in the viewer’s units', () => {
  expect(usualHint('airCelsius', 'flower', 'temperature', storedUnits)).toBe('Usual in flower: 21–27 °C')
  expect(usualHint('airCelsius', 'flower', 'temperature', us)).toBe('Usual in flower: 70–81 °F')
  expect([storedUnits, us].map(leafDifferenceText)).toEqual(['2 °C', '3.6 °F'])
  expect(usualHint('phIn', null, 'plain', storedUnits)).toBe('Usual: 5.5–7 (soil 6.0–7.0, hydro and coco 5.5–6.5)')
  expect(usualHint('ppfd', 'flower', 'plain', storedUnits)).toBeNull()
})

test('keeps what was typed about a plant only for that plant', () => {
  const texts = { heightCm: '84', notes: 'Bananas on top', airCelsius: '25' }
  const kept = { plantId: 'seven', isWhole: false, texts, isRepeated: false }
  expect(startingAt(kept, 'seven')).toBe(kept)
  expect(startingAt(kept, null)).toBe(kept)
  expect(startingAt(kept, 'nine')).toEqual({ plantId: 'nine', isWhole: false, texts: { airCelsius: '25' }, isRepeated: true })
  expect(startingAt({ ...kept, isWhole: true }, 'seven')).toMatchObject({ isWhole: false, texts: { airCelsius: '25' } })
})
