import { expect, test } from 'vitest'
import { moderationActions } from '#contracts/moderation.rules.ts'
import { reportSubjects } from '#contracts/moderation.ts'
import {
  actionReasonTitle,
  decisionConsequence,
  decisionHeadline,
  momentWords,
  publishedToast,
  reviewTimeWords,
  savedPostToast,
} from './account-status-words.ts'

const community = { name: 'Night growers' }
const until = '2026-11-28T15:00:00Z'

test('states in a headline what happened to a person’s content or account', () => {
  expect(decisionHeadline({ action: 'hide', subject: 'post', endsAt: null, community: null })).toBe('Your post was hidden')
  expect(decisionHeadline({ action: 'remove', subject: 'business', endsAt: null, community: null })).toBe(
    'Your business’s page was removed',
  )
  expect(decisionHeadline({ action: 'mute', subject: 'comment', endsAt: until, community })).toBe('You were muted in Night growers')
})

test('words a ban from a community differently from a ban from the site', () => {
  const facts = { action: 'ban', subject: 'post', endsAt: null } as const
  expect(decisionHeadline({ ...facts, community })).toBe('You were banned from Night growers')
  expect(decisionHeadline({ ...facts, community: null })).toBe('Your account was banned')
  expect(decisionConsequence({ ...facts, community }, 'UTC')).toBe('You can’t rejoin.')
  expect(decisionConsequence({ ...facts, community: null }, 'UTC')).toContain('only this page')
})

test('states an action’s end only if the action is temporary', () => {
  const muted = { action: 'mute', subject: 'post', community: null } as const
  expect(decisionConsequence({ ...muted, endsAt: until }, 'UTC')).toBe(
    `You can read but not write here until ${momentWords(until, 'UTC')}.`,
  )
  expect(decisionConsequence({ action: 'ban', subject: 'post', community, endsAt: until }, 'UTC')).toContain(momentWords(until, 'UTC'))
  expect(decisionConsequence({ action: 'ban', subject: 'post', community, endsAt: null }, 'UTC')).not.toContain('until')
})

test('says who can still see removed content', () => {
  const removed = { action: 'remove', endsAt: null, community: null } as const
  expect(decisionConsequence({ ...removed, subject: 'post' }, 'UTC')).toContain('Only moderators can see it')
  expect(decisionConsequence({ ...removed, subject: 'business' }, 'UTC')).toContain('You can still open it')
})

test('says after publishing that a held post waits for a moderator', () => {
  expect(publishedToast({ moderation: null }).title).toBe('Success!')
  expect(publishedToast({ moderation: 'held' }).title).toBe('Waiting for a moderator')
})

test('has text for each action on each kind of subject', () => {
  for (const action of moderationActions) {
    for (const subject of reportSubjects) {
      for (const where of [null, community]) {
        const facts = { action, subject, endsAt: null, community: where }
        expect(decisionHeadline(facts)).toMatch(/^(You|Your|The page)\b/)
        expect(decisionConsequence(facts, 'UTC')).toMatch(/\.$/)
      }
    }
  }
})

test('describes how long a review usually takes in hours or days', () => {
  expect([0.2, 1, 1.1, 24, 36, 37, 60, 61].map(reviewTimeWords)).toEqual([
    'less than an hour',
    'less than an hour',
    'about 2 hours',
    'about 24 hours',
    'about 36 hours',
    'about 2 days',
    'about 3 days',
    'about 3 days',
  ])
})

test('states the year if it isn’t the current one', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  expect(momentWords('2026-11-28T15:00:00Z', 'UTC', now)).toBe('November 28 at 3:00 PM')
  expect(momentWords('2027-02-03T09:05:00Z', 'UTC', now)).toBe('February 3, 2027 at 9:05 AM')
  expect(momentWords('2027-01-01T02:00:00Z', 'America/Denver', now)).toBe('December 31 at 7:00 PM')
})

test('has titles for reasons that aren’t offered in reports', () => {
  expect(actionReasonTitle('health_claim')).toBe('Health claim')
  expect(actionReasonTitle('community_rules')).toBe('The community’s rules')
  expect(actionReasonTitle('no_violation')).toBe('No rule was broken')
})

test('says that a saved post was held', () => {
  expect(savedPostToast({ moderation: 'held' }).title).toBe('Waiting for a moderator')
  expect(savedPostToast({ moderation: null })).toEqual({ title: 'Post saved' })
})
