import { describe, expect, it } from 'vitest'
import { isConfirmed, suggestRefusal, type Voter, voteRefusal } from './corrections.policy.ts'

const now = new Date('2026-11-24T12:00:00Z')
const voter: Voter = {
  isAuthor: false,
  isTeam: false,
  isMuted: false,
  isBlockedByBusiness: false,
  hasCompletedOnboarding: true,
  memberSince: new Date('2026-11-23T12:00:00Z'),
}

describe('voteRefusal', () => {
  it('lets people confirm only if their account is at least a day old', () => {
    expect(voteRefusal(voter, 'phone', now)).toBeNull()
    expect(voteRefusal({ ...voter, memberSince: new Date('2026-11-23T12:00:00.001Z') }, 'phone', now)).toContain('a day old')
  })

  it.each(['isAuthor', 'isTeam', 'isMuted', 'isBlockedByBusiness'] as const)('refuses a person if %s is true', (trait) => {
    expect(voteRefusal({ ...voter, [trait]: true }, 'phone', now)).not.toBeNull()
  })

  it('refuses a person who has not finished onboarding', () => {
    expect(voteRefusal({ ...voter, hasCompletedOnboarding: false }, 'phone', now)).not.toBeNull()
  })
})

describe('suggestRefusal', () => {
  it('lets new accounts suggest corrections, because other people must confirm them', () => {
    expect(suggestRefusal({ ...voter, memberSince: now })).toBeNull()
  })

  it.each(['isTeam', 'isMuted', 'isBlockedByBusiness'] as const)('refuses a person if %s is true', (trait) => {
    expect(suggestRefusal({ ...voter, [trait]: true })).not.toBeNull()
  })
})

describe('isConfirmed', () => {
  it('requires one agreement and no objection', () => {
    expect(isConfirmed({ kind: 'phone', isClaimed: false, agreeCount: 1, disagreeCount: 0 })).toBe(true)
    expect(isConfirmed({ kind: 'phone', isClaimed: false, agreeCount: 0, disagreeCount: 0 })).toBe(false)
    expect(isConfirmed({ kind: 'phone', isClaimed: false, agreeCount: 3, disagreeCount: 1 })).toBe(false)
  })

  it('never settles a duplicate, which a moderator merges', () => {
    expect(isConfirmed({ kind: 'duplicate', isClaimed: false, agreeCount: 9, disagreeCount: 0 })).toBe(false)
  })

  it('never settles a suggestion for a business that someone runs, because its owner decides', () => {
    expect(isConfirmed({ kind: 'phone', isClaimed: true, agreeCount: 9, disagreeCount: 0 })).toBe(false)
  })
})
