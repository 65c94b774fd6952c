import { expect, test } from 'vitest'
import { stagesOf } from './stages.ts'

const none = { germinatedOn: null, vegetativeOn: null, flowerOn: null, harvestedOn: null, driedOn: null }
const today = '2026-11-21'
const told = (stages: Partial<Record<keyof typeof none, string>>, rest = { isActive: true, completedOn: null as string | null }) =>
  stagesOf({ stages: { ...none, ...stages }, ...rest }, today).map(({ state, days }) => (days === null ? state : `${state} ${days}`))

test('a hunt of which nothing is known has all of it ahead', () => {
  expect(told({})).toEqual(['ahead', 'ahead', 'ahead', 'ahead', 'ahead'])
})

test('the last stage that has begun is now, with the days since', () => {
  expect(told({ germinatedOn: '2026-11-01', vegetativeOn: '2026-11-15' })).toEqual(['done 14', 'now 6', 'ahead', 'ahead', 'ahead'])
})

test('a stage that nobody dated is done when a later one has begun', () => {
  expect(told({ germinatedOn: '2026-09-01', flowerOn: '2026-11-11' })).toEqual(['done 71', 'done', 'now 10', 'ahead', 'ahead'])
})

test('a day that is still to come has not begun', () => {
  expect(told({ germinatedOn: '2026-11-01', flowerOn: '2026-12-01' })).toEqual(['now 30', 'ahead', 'ahead', 'ahead', 'ahead'])
})

test('of a completed hunt nothing goes on, and its last stage ended with it', () => {
  const rest = { isActive: false, completedOn: '2026-11-10' }
  expect(told({ germinatedOn: '2026-08-01', driedOn: '2026-11-01' }, rest)).toEqual(['done 92', 'done', 'done', 'done', 'done 9'])
})
