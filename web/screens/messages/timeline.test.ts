import { expect, test } from 'vitest'
import {
  dayWords,
  emptyTimeline,
  type GroupableMessage,
  isBehind,
  type Timeline,
  timelineRows,
  withMessage,
  withNewest,
  withoutMessage,
  withReread,
} from './timeline.ts'

type M = { id: string; sequence: number; isRemoved?: boolean }
const m = (...sequences: number[]): M[] => sequences.map((sequence) => ({ id: `m${sequence}`, sequence }))
const known = (...sequences: number[]): Timeline<M> => withNewest<M>(emptyTimeline, m(...sequences), 'older')
const sequencesOf = ({ messages }: Timeline<M>) => messages.map(({ sequence }) => sequence)

test('removes messages deleted elsewhere, within the page’s range', () => {
  const timeline = known(1, 2, 3, 4, 5, 6)
  expect(sequencesOf(withReread(timeline, m(6, 4), 'older', 6))).toEqual([1, 2, 3, 4, 6])
  expect(sequencesOf(withReread(timeline, m(6, 4), null, 6))).toEqual([4, 6])
  expect(sequencesOf(withReread(timeline, [], null, 6))).toEqual([])
})

test('keeps messages that arrived after the page was requested', () => {
  const timeline = withMessage(known(1, 2, 3), m(4)[0] as M)
  expect(sequencesOf(withReread(timeline, m(3, 1), null, 3))).toEqual([1, 3, 4])
})

test('marks messages that a moderator removed', () => {
  const timeline = withReread(known(1, 2), [{ id: 'm2', sequence: 2, isRemoved: true }], 'older', 2)
  expect(timeline.messages).toEqual([
    { id: 'm1', sequence: 1 },
    { id: 'm2', sequence: 2, isRemoved: true },
  ])
})

test('detects a gap before a new message', () => {
  const timeline = known(1, 2)
  expect(isBehind(withMessage(timeline, m(3)[0] as M))).toBe(false)
  expect(isBehind(withMessage(timeline, m(4)[0] as M))).toBe(true)
})

test('doesn’t restore a message deleted here', () => {
  expect(sequencesOf(withReread(withoutMessage(known(1, 2), 'm2'), m(2, 1), 'older', 2))).toEqual([1])
})

const said = (id: string, by: string, createdAt: string): GroupableMessage => ({ id, isOwn: by === 'me', senderKey: by, createdAt })

test('groups messages by day, author, and time', () => {
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

test('splits a group at the first new message', () => {
  const rows = timelineRows([said('a', 'them', '2026-03-01T10:00:00'), said('b', 'them', '2026-03-01T10:01:00')], 'b')
  expect(rows.map((row) => row.kind)).toEqual(['day', 'message', 'news', 'message'])
  expect(rows[1]).toMatchObject({ isFirst: true, isLast: true })
  expect(rows[3]).toMatchObject({ isFirst: true, isLast: true })
})

test('names a recent day relative to today', () => {
  const now = new Date('2026-03-10T00:30:00')
  const words = (at: string) => dayWords(new Date(at), now)
  expect(words('2026-03-10T23:00:00')).toBe('Today')
  expect(words('2026-03-09T23:59:00')).toBe('Yesterday')
  expect(words('2026-03-05T12:00:00')).toBe('Thursday')
  expect(words('2026-03-03T12:00:00')).toBe('Tuesday, March 3')
  expect(words('2025-12-31T12:00:00')).toBe('December 31, 2025')
})
