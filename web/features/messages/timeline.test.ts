import { expect, test } from 'vitest'
import { emptyTimeline, isBehind, type Timeline, withMessage, withNewest, withoutMessage, withReread } from './timeline.ts'

type M = { id: string; sequence: number; isRemoved?: boolean }
const m = (...sequences: number[]): M[] => sequences.map((sequence) => ({ id: `m${sequence}`, sequence }))
const known = (...sequences: number[]): Timeline<M> => withNewest<M>(emptyTimeline, m(...sequences), 'older')
const sequencesOf = ({ messages }: Timeline<M>) => messages.map(({ sequence }) => sequence)

test('what was deleted elsewhere goes, within what the page tells of', () => {
  const timeline = known(1, 2, 3, 4, 5, 6)
  expect(sequencesOf(withReread(timeline, m(6, 4), 'older', 6))).toEqual([1, 2, 3, 4, 6])
  expect(sequencesOf(withReread(timeline, m(6, 4), null, 6))).toEqual([4, 6])
  expect(sequencesOf(withReread(timeline, [], null, 6))).toEqual([])
})

test('what came after the page was asked for stays', () => {
  const timeline = withMessage(known(1, 2, 3), m(4)[0] as M)
  expect(sequencesOf(withReread(timeline, m(3, 1), null, 3))).toEqual([1, 3, 4])
})

test('what moderators took from view is shown so', () => {
  const timeline = withReread(known(1, 2), [{ id: 'm2', sequence: 2, isRemoved: true }], 'older', 2)
  expect(timeline.messages).toEqual([
    { id: 'm1', sequence: 1 },
    { id: 'm2', sequence: 2, isRemoved: true },
  ])
})

test('one by itself is behind while something before it may be missing', () => {
  const timeline = known(1, 2)
  expect(isBehind(withMessage(timeline, m(3)[0] as M))).toBe(false)
  expect(isBehind(withMessage(timeline, m(4)[0] as M))).toBe(true)
})

test('what was deleted here does not come back', () => {
  expect(sequencesOf(withReread(withoutMessage(known(1, 2), 'm2'), m(2, 1), 'older', 2))).toEqual([1])
})
