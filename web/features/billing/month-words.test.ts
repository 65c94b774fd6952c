import { expect, test } from 'vitest'
import { barHeights, churnText, monthName, shortMonth } from './month-words.ts'

const month = (subscribers: number, revenue = '0.00') => ({ month: '2026-01', began: 0, ended: 0, subscribers, revenue, churn: null })

test('a month has its name, whatever the time zone of the reader', () => {
  expect(monthName('2026-01')).toBe('January 2026')
  expect(shortMonth('2026-12')).toBe('Dec')
})

test('churn has one decimal at most, and a dash where nobody could leave', () => {
  expect(churnText(4.166)).toBe('4.2%')
  expect(churnText(10)).toBe('10%')
  expect(churnText(0)).toBe('0%')
  expect(churnText(null)).toBe('–')
})

test('bars stand in proportion to the highest, and little is not nothing', () => {
  expect(barHeights([month(0), month(1), month(500), month(1000)], 'subscribers')).toEqual([0, 3, 50, 100])
  expect(barHeights([month(0), month(0)], 'subscribers')).toEqual([0, 0])
  expect(barHeights([month(9, '7.50'), month(9, '30.00')], 'revenue')).toEqual([25, 100])
})
