import { expect, test } from 'vitest'
import { moderationActions } from '../../../contracts/moderation.ts'
import { reportSubjects } from '../../../contracts/reports.ts'
import { actionReasonTitle, deedConsequence, deedHeadline, momentWords } from './standing-words.ts'

const community = { name: 'Night growers' }
const until = '2026-11-28T15:00:00Z'

test('what happened is told to whom it happened', () => {
  expect(deedHeadline({ action: 'hide', subject: 'post', endsAt: null, community: null })).toBe('Your post was hidden')
  expect(deedHeadline({ action: 'remove', subject: 'business', endsAt: null, community: null })).toBe(
    'The page of your business was removed',
  )
  expect(deedHeadline({ action: 'mute', subject: 'comment', endsAt: until, community })).toBe('You were muted in Night growers')
})

test('a ban from a community is not one from the site', () => {
  const facts = { action: 'ban', subject: 'post', endsAt: null } as const
  expect(deedHeadline({ ...facts, community })).toBe('You were banned from Night growers')
  expect(deedHeadline({ ...facts, community: null })).toBe('Your account was banned')
  expect(deedConsequence({ ...facts, community }, 'UTC')).toBe('You cannot come back.')
  expect(deedConsequence({ ...facts, community: null }, 'UTC')).toContain('nothing but this page')
})

test('what ends says when; what does not, says no time', () => {
  const muted = { action: 'mute', subject: 'post', community: null } as const
  expect(deedConsequence({ ...muted, endsAt: until }, 'UTC')).toBe(`You can read, but not write, here until ${momentWords(until, 'UTC')}.`)
  expect(deedConsequence({ action: 'ban', subject: 'post', community, endsAt: until }, 'UTC')).toContain(momentWords(until, 'UTC'))
  expect(deedConsequence({ action: 'ban', subject: 'post', community, endsAt: null }, 'UTC')).not.toContain('until')
})

test('each action on each thing has its words', () => {
  for (const action of moderationActions) {
    for (const subject of reportSubjects) {
      for (const where of [null, community]) {
        const facts = { action, subject, endsAt: null, community: where }
        expect(deedHeadline(facts)).toMatch(/^(You|Your|The page)\b/)
        expect(deedConsequence(facts, 'UTC')).toMatch(/\.$/)
      }
    }
  }
})

test('a year is said where it is not this one', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  expect(momentWords('2026-11-28T15:00:00Z', 'UTC', now)).toBe('November 28 at 3:00 PM')
  expect(momentWords('2027-02-03T09:05:00Z', 'UTC', now)).toBe('February 3, 2027 at 9:05 AM')
  expect(momentWords('2027-01-01T02:00:00Z', 'America/Denver', now)).toBe('December 31 at 7:00 PM')
})

test('reasons that nobody reports have names as well', () => {
  expect(actionReasonTitle('health_claim')).toBe('Health claim')
  expect(actionReasonTitle('community_rules')).toBe('The rules of the community')
  expect(actionReasonTitle('no_violation')).toBe('Nothing against the rules')
})
