import { describe, expect, test } from 'vitest'
import { screenAt } from './route-access.ts'

const settings = { brandSlug: 'sungrove', isProduction: true }
const visitor = null
const newcomer = { hasCompletedOnboarding: false }
const member = { hasCompletedOnboarding: true }

describe('the route table', () => {
  test.each([
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
  ] as const)('%s for %o shows %s', (path, user, screen) => {
    expect(screenAt(path, user, settings)).toBe(screen)
  })

  test('development pages exist outside production only', () => {
    expect(screenAt('/dev/ui', visitor, { ...settings, isProduction: false })).toBe('page')
    expect(screenAt('/dev/ui', visitor, settings)).toBe('auth')
  })
})
