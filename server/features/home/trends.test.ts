import { expect, it } from 'vitest'
import { trendReason } from './trends.ts'

it('states how many people did what in which period', () => {
  expect(trendReason('like', { thisWeek: 12, inWindow: 30 })).toBe('12 people liked its posts this week')
  expect(trendReason('like', { thisWeek: 1, inWindow: 1 })).toBe('1 person liked its posts this week')
  expect(trendReason('review', { thisWeek: 2, inWindow: 2 })).toBe('2 new reviews this week')
  expect(trendReason('follow', { thisWeek: 0, inWindow: 1 })).toBe('1 new follower in the last two weeks')
  expect(trendReason('favorite', { thisWeek: 1, inWindow: 2 })).toBe('1 new favorite this week')
  expect(trendReason('comment', { thisWeek: 1234, inWindow: 2000 })).toBe('1,234 people commented on its posts this week')
})
