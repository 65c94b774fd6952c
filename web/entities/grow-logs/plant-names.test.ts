import { expect, test } from 'vitest'
import { type LogPlant, nextPlant, plantsFor, weekOn } from './plant-names.ts'

const plant = (number: number, copy = 0, isAlive = true): LogPlant => ({
  id: `${number}-${copy}`,
  number,
  copy,
  label: '',
  code: `0000A${String(number).padStart(2, '0')}${copy}`,
  name: copy === 0 ? `#${number}` : `#${number}-${copy}`,
  isAlive,
  startedOn: null,
  placement: null,
})
const plants = [plant(1), plant(1, 1), plant(2, 0, false), plant(7), plant(7, 1), plant(10), plant(17), plant(70)]
const found = (typed: string) => plantsFor(typed, plants).map(({ name }) => name)

test('finds a plant and its clones by number before longer numbers', () => {
  expect(found('7')).toEqual(['#7', '#7-1', '#70'])
  expect(found('#1')).toEqual(['#1', '#1-1', '#10', '#17'])
  expect(found('7-1')).toEqual(['#7-1'])
  expect(found('99')).toEqual([])
  expect(found('')).toHaveLength(plants.length)
})

test('finds a plant by its printed code in any spelling', () => {
  expect(found('0000A071')).toEqual(['#7-1'])
  expect(found('oooo-a07l')).toEqual(['#7-1'])
})

test('moves to the next living plant and from the last to the first', () => {
  expect(nextPlant(plants, null)?.name).toBe('#1')
  expect(nextPlant(plants, '1-1')?.name).toBe('#7')
  expect(nextPlant(plants, '7-0', -1)?.name).toBe('#1-1')
  expect(nextPlant(plants, '70-0')?.name).toBe('#1')
  expect(nextPlant(plants, '2-0')?.name).toBe('#7')
  expect(nextPlant([], null)).toBeNull()
})

test('counts weeks from the first day', () => {
  expect([0, 6, 7, 27, 28].map((days) => weekOn('2026-03-01', new Date(Date.UTC(2026, 2, 1 + days)).toISOString().slice(0, 10)))).toEqual([
    1, 1, 2, 4, 5,
  ])
  expect([weekOn('2026-03-01', '2026-02-28'), weekOn(null, '2026-03-01')]).toEqual([null, null])
})
