import { describe, expect, test } from 'vitest'
import { isSuspended, screenAt } from './route-access.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const settings = { brandSlug: 'sungrove', isProduction: true, now }
const visitor = null
const newcomer = { hasCompletedOnboarding: false, suspendedUntil: null, secondFactor: 'off' as const }
const member = { hasCompletedOnboarding: true, suspendedUntil: null, secondFactor: 'off' as const }
const suspended = { hasCompletedOnboarding: true, suspendedUntil: '2026-11-21T12:00:01Z', secondFactor: 'off' as const }
const banned = { hasCompletedOnboarding: true, suspendedUntil: 'forever', secondFactor: 'off' as const }
const bannedNewcomer = { hasCompletedOnboarding: false, suspendedUntil: 'forever', secondFactor: 'off' as const }
const returned = { hasCompletedOnboarding: true, suspendedUntil: '2026-11-21T12:00:00Z', secondFactor: 'off' as const }
const owing = { hasCompletedOnboarding: true, suspendedUntil: null, secondFactor: 'owed' as const }
const owingAndBanned = { hasCompletedOnboarding: true, suspendedUntil: 'forever', secondFactor: 'owed' as const }
const shown = { hasCompletedOnboarding: true, suspendedUntil: null, secondFactor: 'shown' as const }

const leaving = { ...member, leavesAt: '2026-12-05T12:00:00.000Z' }

describe('the route table', () => {
  test.each([
    ['/', leaving, 'standing'],
    ['/discover', leaving, 'standing'],
    ['/business/register', leaving, 'standing'],
    ['/help', leaving, 'page'],
    ['/sign-out', leaving, 'page'],
    ['/', { ...owing, leavesAt: leaving.leavesAt }, 'second-factor'],
    ['/', visitor, 'onboarding'],
    ['/landing', visitor, 'page'],
    ['/auth', visitor, 'page'],
    ['/auth/forgot', visitor, 'page'],
    ['/signup', visitor, 'page'],
    ['/sungrove', visitor, 'page'],
    ['/discover', visitor, 'auth'],
    ['/business/green-hills', visitor, 'auth'],
    ['/nowhere', visitor, 'auth'],
    ['/business/register', visitor, 'page'],
    ['/privacy', visitor, 'page'],
    ['/taste/AAAAAAAAAAAAAAAAAAAAAA', visitor, 'page'],
    ['/pheno-hunt/log/7K3M9XQ2', visitor, 'auth'],
    ['/', newcomer, 'onboarding'],
    ['/discover', newcomer, 'onboarding'],
    ['/sungrove', newcomer, 'onboarding'],
    ['/business/register', newcomer, 'page'],
    ['/terms', newcomer, 'page'],
    ['/taste/AAAAAAAAAAAAAAAAAAAAAA', newcomer, 'page'],
    ['/taste/AAAAAAAAAAAAAAAAAAAAAA', member, 'page'],
    ['/', member, 'page'],
    ['/discover', member, 'page'],
    ['/sungrove', member, 'page'],
    ['/onboarding', member, 'page'],
    ['/auth', member, 'home'],
    ['/landing', member, 'home'],
    ['/standing', visitor, 'auth'],
    ['/standing', newcomer, 'onboarding'],
    ['/standing', member, 'page'],
    ['/moderation-log', visitor, 'page'],
    ['/moderation-log', newcomer, 'page'],
    ['/moderation-log', member, 'page'],
    ['/', suspended, 'standing'],
    ['/discover', suspended, 'standing'],
    ['/standing', suspended, 'standing'],
    ['/auth', suspended, 'standing'],
    ['/business/register', suspended, 'standing'],
    ['/help', suspended, 'page'],
    ['/data', suspended, 'page'],
    ['/moderation-log', suspended, 'page'],
    ['/sign-out', suspended, 'page'],
    ['/', banned, 'standing'],
    ['/privacy', banned, 'page'],
    ['/', bannedNewcomer, 'standing'],
    ['/', returned, 'page'],
    ['/', owing, 'second-factor'],
    ['/auth', owing, 'second-factor'],
    ['/admin', owing, 'second-factor'],
    ['/onboarding', owing, 'second-factor'],
    ['/business/register', owing, 'second-factor'],
    ['/standing', owingAndBanned, 'second-factor'],
    ['/help', owing, 'page'],
    ['/auth/reset', owing, 'page'],
    ['/sign-out', owing, 'page'],
    ['/', shown, 'page'],
    ['/auth', shown, 'home'],
  ] as const)('routes %s for %o to the screen %s', (path, user, screen) => {
    expect(screenAt(path, user, settings)).toBe(screen)
  })

  test('ends a suspension on time and never ends a ban', () => {
    const until = (suspendedUntil: string | null) => isSuspended({ suspendedUntil }, now)
    expect(until(null)).toBe(false)
    expect(until('2026-11-21T11:59:59Z')).toBe(false)
    expect(until('2026-11-21T12:00:00Z')).toBe(false)
    expect(until('2026-11-21T12:00:01Z')).toBe(true)
    expect(until('forever')).toBe(true)
  })

  test('has development pages only outside production', () => {
    expect(screenAt('/dev/ui', visitor, { ...settings, isProduction: false })).toBe('page')
    expect(screenAt('/dev/ui', visitor, settings)).toBe('auth')
    expect(screenAt('/dev/ui', newcomer, settings)).toBe('onboarding')
  })
})
