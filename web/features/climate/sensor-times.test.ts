import { expect, test } from 'vitest'
import { orderOf, readTime } from './sensor-times.ts'

const local = (text: string, order: 'ymd' | 'mdy' | 'dmy' = 'ymd') => {
  const time = readTime(text, order)
  return time && 'local' in time ? new Date(time.local).toISOString().slice(0, 19) : time
}

test('reads times without a zone as a clock showed them', () => {
  expect(local('2026-08-06 09:22:00')).toBe('2026-08-06T09:22:00')
  expect(local('2026-08-06T09:22')).toBe('2026-08-06T09:22:00')
  expect(local('06/04/2026, 02:05:00\u202fPM', 'mdy')).toBe('2026-06-04T14:05:00')
  expect(local('6/4/26 12:05 am', 'mdy')).toBe('2026-06-04T00:05:00')
  expect(local('04.06.2026 14:05', 'dmy')).toBe('2026-06-04T14:05:00')
  expect(local('2026-08-06 09:22:00.500')).toBe('2026-08-06T09:22:00')
})

test('reads times with a zone as moments', () => {
  const moment = Date.UTC(2026, 3, 24, 10)
  for (const text of [
    '2026-04-24T10:00:00.000Z',
    '2026-04-24 04:00:00-06:00',
    '2026-04-24T12:00:00+0200',
    '2026-04-24 10:00 UTC',
    '1777024800',
    '1777024800000',
  ]) {
    expect(readTime(text, 'ymd'), text).toEqual({ utc: moment })
  }
})

test('takes nothing else for a time', () => {
  for (const text of [
    '',
    'yesterday',
    '2026-02-30 10:00',
    '2026-13-01',
    '2026-01-01 24:00',
    '13:30',
    '01/01/2026 13:00 PM',
    '24.5',
    '2026-01-01 10:61',
  ]) {
    expect(readTime(text, 'ymd'), text).toBeNull()
  }
})

test('knows the order of day and month where the dates tell it', () => {
  expect(orderOf(['2026-01-02 10:00'])).toBe('ymd')
  expect(orderOf(['01/02/2026', '01/13/2026'])).toBe('mdy')
  expect(orderOf(['01.02.2026', '13.02.2026'])).toBe('dmy')
  expect(orderOf(['01/02/2026', '02/02/2026'])).toBeNull()
})
