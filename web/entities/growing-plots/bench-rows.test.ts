import { expect, test } from 'vitest'
import { benchColumns, benchPlaces, benchText, rowLetter } from './bench-map.tsx'

const plant = (row: number, column: number, value: number | null = 84.25) => ({
  plantId: `${row}-${column}`,
  name: `#${row}${column}`,
  row,
  column,
  stage: 'Flower',
  value,
  desirability: 0.5,
  isCheck: row === 1,
})

test('includes every spot once, even empty ones', () => {
  const { size, places } = benchPlaces({ rows: 2, columns: 3 }, [plant(1, 1), plant(2, 3)])
  expect(size).toEqual({ rows: 2, columns: 3 })
  expect(places.map(({ row, column, plant }) => `${row}:${column} ${plant?.name ?? 'empty'}`)).toEqual([
    '1:1 #11',
    '1:2 empty',
    '1:3 empty',
    '2:1 empty',
    '2:2 empty',
    '2:3 #23',
  ])
})

test('extends the bench to a plant beyond its edge', () => {
  expect(benchPlaces({ rows: 1, columns: 1 }, [plant(3, 2)]).size).toEqual({ rows: 3, columns: 2 })
})

test('shows each plant’s value at its spot', () => {
  const trait = { name: 'Dry yield', unit: 'g' }
  const { places } = benchPlaces({ rows: 1, columns: 2 }, [plant(1, 1), plant(1, 2, null)])
  const values = benchColumns(trait).at(-1)!
  expect(places.map(values.value)).toEqual([84.25, null])
  expect(places.map((place) => benchText(place.plant!, trait))).toEqual(['84.25\u00a0g', '–'])
  expect(benchText(places[0]!.plant!, null)).toBe('Flower')
})

test('labels rows after Z with two letters', () => {
  expect([1, 26, 27, 52, 53].map(rowLetter)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA'])
})
