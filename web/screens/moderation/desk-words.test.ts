import { describe, expect, test } from 'vitest'
import { moderationActions } from '#contracts/moderation.rules.ts'
import { actionMeaning, caseCause, caseTitle, clockOf, doneWords, pathOf, spanWords } from './desk-words.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString()

describe('the deadline of a case', () => {
  const open = (dueAt: string | null) => clockOf({ dueAt, status: 'open' }, now)

  test('is shown only if there is one, and only until the case is decided', () => {
    expect(open(null)).toBeNull()
    expect(clockOf({ dueAt: at(-3), status: 'decided' }, now)).toBeNull()
  })

  test('shows the time left and warns when it is short', () => {
    expect(open(at(41.5))).toEqual({ state: 'calm', text: '41 hours left to decide' })
    expect(open(at(12))).toEqual({ state: 'calm', text: '12 hours left to decide' })
    expect(open(at(11.99))).toEqual({ state: 'soon', text: '11 hours left to decide' })
    expect(open(at(0.5))).toEqual({ state: 'soon', text: '30 minutes left to decide' })
  })

  test('shows that it has passed, and how long ago', () => {
    expect(open(at(0))).toEqual({ state: 'late', text: 'Overdue' })
    expect(open(at(-1.2))).toEqual({ state: 'late', text: 'Overdue by 1 hour' })
    expect(open(at(-72))).toEqual({ state: 'late', text: 'Overdue by 3 days' })
  })
})

test('rounds a duration down to one unit', () => {
  expect(spanWords(61_000)).toBe('1 minute')
  expect(spanWords(59 * 60_000)).toBe('59 minutes')
  expect(spanWords(47.9 * 3_600_000)).toBe('47 hours')
  expect(spanWords(48 * 3_600_000)).toBe('2 days')
})

test('names a case by its subject and the subject’s author', () => {
  const person = { id: 'a', name: 'Ann Archer', imageUrl: null }
  expect(caseTitle({ subject: 'comment', title: null, person })).toBe('Comment by Ann Archer')
  expect(caseTitle({ subject: 'post', title: 'Harvest', person: null })).toBe('Post')
  expect(caseTitle({ subject: 'business', title: 'Green Hills', person })).toBe('Green Hills')
  expect(caseTitle({ subject: 'product', title: 'Blue Dream', person })).toBe('Blue Dream')
  expect(caseTitle({ subject: 'gallery_item', title: 'Green Hills', person })).toBe('Photo of Green Hills')
  expect(caseTitle({ subject: 'person', title: null, person })).toBe('Ann Archer')
})

test('doesn’t link to held, hidden, or removed content unless it appears on another page', () => {
  const path = '/post/a'
  expect(pathOf({ subject: 'post', state: null, path })).toBe(path)
  for (const state of ['held', 'hidden', 'removed'] as const) expect(pathOf({ subject: 'post', state, path })).toBeNull()
  for (const subject of ['comment', 'gallery_item'] as const) expect(pathOf({ subject, state: 'removed', path })).toBe(path)
})

test('states the reason for a case', () => {
  expect(caseCause({ source: 'report', reason: 'spam', reportsCount: 1 })).toBe('Spam')
  expect(caseCause({ source: 'report', reason: 'illegal_sale', reportsCount: 4 })).toBe('Illegal sale · 4 reports')
  expect(caseCause({ source: 'filter', reason: null, reportsCount: 0 })).toBe('Auto-held')
  expect(caseCause({ source: 'check', reason: null, reportsCount: 0 })).toBe('Possible duplicate')
  expect(caseCause({ source: 'filter', reason: 'spam', reportsCount: 2 })).toBe('Spam · 2 reports')
})

test('describes an action without a final period, which the decision form adds', () => {
  for (const action of moderationActions) {
    for (const actsFor of ['site', 'community'] as const) expect(actionMeaning(action, { subject: 'post', actsFor })).not.toMatch(/\.$/)
    expect(actionMeaning(action, { subject: 'person', actsFor: 'site' })).not.toMatch(/\.$/)
  }
})

test('describes only what a community’s moderators can restrict', () => {
  expect(actionMeaning('ban', { subject: 'post', actsFor: 'site' })).toContain('Like a suspension')
  for (const action of ['mute', 'ban'] as const)
    expect(actionMeaning(action, { subject: 'post', actsFor: 'community' })).toContain('community')
})

test('describes hiding a person as hiding their profile', () => {
  for (const action of ['hide', 'remove'] as const) expect(actionMeaning(action, { subject: 'person', actsFor: 'site' })).toContain('bio')
})

test('states that owners keep access to a removed business, but not to a removed post', () => {
  expect(actionMeaning('remove', { subject: 'business', actsFor: 'site' })).toContain('owner')
  expect(actionMeaning('remove', { subject: 'post', actsFor: 'site' })).toBe('Only moderators can see it')
})

test('lists actions as one sentence', () => {
  expect(doneWords(['remove'])).toBe('Removed')
  expect(doneWords(['remove', 'mute'])).toBe('Removed and muted')
})
