import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { setNow } from '#web/ui/ago.tsx'
import { StageTimeline, stagesOf } from './stage-timeline.tsx'

const none = { germinatedOn: null, vegetativeOn: null, flowerOn: null, harvestedOn: null, driedOn: null }
const today = '2026-11-21'
const texts = (stages: Partial<Record<keyof typeof none, string>>, rest = { isActive: true, completedOn: null as string | null }) =>
  stagesOf({ stages: { ...none, ...stages }, ...rest }, today).map(({ state, days }) => (days === null ? state : `${state} ${days}`))

test('shows all stages as ahead if the hunt has no dates', () => {
  expect(texts({})).toEqual(['ahead', 'ahead', 'ahead', 'ahead', 'ahead'])
})

test('marks the last stage that started as current, with its days so far', () => {
  expect(texts({ germinatedOn: '2026-11-01', vegetativeOn: '2026-11-15' })).toEqual(['done 14', 'now 6', 'ahead', 'ahead', 'ahead'])
})

test('counts the first day of a stage as day 1', () => {
  const stages = { ...none, germinatedOn: '2026-09-01', flowerOn: today }
  setNow(Date.parse(`${today}T12:00:00Z`))
  const html = renderToStaticMarkup(createElement(StageTimeline, { hunt: { stages, isActive: true, completedOn: null } }))
  expect(html.match(/day \d+/g)).toEqual(['day 1', 'day 1', 'day 1'])
  expect(html).toContain('done, took 81 days')
})

test('treats an undated stage as done once a later one has begun', () => {
  expect(texts({ germinatedOn: '2026-09-01', flowerOn: '2026-11-11' })).toEqual(['done 71', 'done', 'now 10', 'ahead', 'ahead'])
})

test('doesn’t treat a stage with a future date as begun', () => {
  expect(texts({ germinatedOn: '2026-11-01', flowerOn: '2026-12-01' })).toEqual(['now 30', 'ahead', 'ahead', 'ahead', 'ahead'])
})

test('ends the last stage of a completed hunt with the hunt', () => {
  const rest = { isActive: false, completedOn: '2026-11-10' }
  expect(texts({ germinatedOn: '2026-08-01', driedOn: '2026-11-01' }, rest)).toEqual(['done 92', 'done', 'done', 'done', 'done 9'])
})
