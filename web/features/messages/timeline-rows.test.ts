import { expect, test } from 'vitest'
import { dayWords, firstUnread, type Spoken, timelineRows } from './timeline-rows.ts'

const said = (id: string, by: string, createdAt: string): Spoken => ({ id, isOwn: by === 'me', senderKey: by, createdAt })

test('under their days, in groups by who wrote them and when', () => {
  const rows = timelineRows(
    [
      said('a', 'me', '2026-03-01T10:00:00'),
      said('b', 'me', '2026-03-01T10:04:00'),
      said('c', 'me', '2026-03-01T10:20:00'),
      said('d', 'them', '2026-03-01T10:21:00'),
      said('e', 'them', '2026-03-02T00:01:00'),
    ],
    null,
  )
  expect(
    rows.map((row) => (row.kind === 'message' ? `${row.key}${row.isFirst ? ' first' : ''}${row.isLast ? ' last' : ''}` : row.kind)),
  ).toEqual(['day', 'a first', 'b last', 'c first last', 'd first last', 'day', 'e first last'])
})

test('what is new begins a group of its own, under its day', () => {
  const rows = timelineRows([said('a', 'them', '2026-03-01T10:00:00'), said('b', 'them', '2026-03-01T10:01:00')], 'b')
  expect(rows.map((row) => row.kind)).toEqual(['day', 'message', 'news', 'message'])
  expect(rows[1]).toMatchObject({ isFirst: true, isLast: true })
  expect(rows[3]).toMatchObject({ isFirst: true, isLast: true })
})

test('the first unread is counted among what others wrote', () => {
  const messages = [said('a', 'them', ''), said('b', 'them', ''), said('c', 'me', ''), said('d', 'them', '')]
  expect(firstUnread(messages, 0)).toBeNull()
  expect(firstUnread(messages, 1)).toBe('d')
  expect(firstUnread(messages, 2)).toBe('b')
  expect(firstUnread(messages, 9)).toBe('a')
})

test('a day is called by what is nearest', () => {
  const now = new Date('2026-03-10T00:30:00')
  const words = (at: string) => dayWords(new Date(at), now)
  expect(words('2026-03-10T23:00:00')).toBe('Today')
  expect(words('2026-03-09T23:59:00')).toBe('Yesterday')
  expect(words('2026-03-05T12:00:00')).toBe('Thursday')
  expect(words('2026-03-03T12:00:00')).toBe('Tuesday, March 3')
  expect(words('2025-12-31T12:00:00')).toBe('December 31, 2025')
})
