import { describe, expect, test } from 'vitest'
import { businessPlans, businessToolsPlan } from './business-plans.ts'
import { formatMonthlyPrice, memberPlans } from './plans.ts'

test.each([
  [7500, '$75'],
  [15_000, '$150'],
  [3999, '$39.99'],
  [2050, '$20.50'],
  [0, '$0'],
])('formats %i cents as %s', (cents, price) => {
  expect(formatMonthlyPrice(cents)).toBe(price)
})

describe('the plan catalog', () => {
  const offer = ({ name, monthlyCents, badge, buttonText, features }: (typeof memberPlans)[number]) =>
    [name, formatMonthlyPrice(monthlyCents), badge, buttonText, features.length] as const

  test('has the specified offers for members', () => {
    expect(memberPlans.map(offer)).toEqual([
      ['Starter', '$75', null, 'Select Basic', 3],
      ['Pro', '$150', 'Most Popular', 'Select Premium', 4],
      ['VIP', '$39.99', null, 'Select VIP', 4],
    ])
  })

  test('has the specified features for members', () => {
    expect(Object.fromEntries(memberPlans.map(({ name, features }) => [name, features]))).toEqual({
      Starter: ['Unlimited menu uploads', 'Basic product updates', 'Community access'],
      Pro: ['Follow unlimited businesses', 'Exclusive content access', 'Early product notifications', 'Special member pricing'],
      VIP: ['All Premium features', 'Direct business messaging', 'VIP-only events', 'Concierge support'],
    })
  })

  test('promises 100% wherever it mentions a revenue share', () => {
    const shares = [...memberPlans, ...businessPlans, businessToolsPlan].flatMap((plan) => plan.features.join(' ').match(/\d+%/g) ?? [])
    expect(shares).toEqual(['100%'])
  })

  test('has the specified offers for businesses', () => {
    expect(businessPlans.map(offer)).toEqual([
      ['Verified', '$150', null, null, 5],
      ['Pro Partner', '$200', 'Most Popular', null, 5],
    ])
    expect(offer(businessToolsPlan).slice(0, 2)).toEqual(['Business Tools', '$75'])
  })

  test('never sells a better rank', () => {
    const promises = [...memberPlans, ...businessPlans, businessToolsPlan].flatMap((plan) => plan.features).join('\n')
    expect(promises).not.toMatch(/\b(rank|top|first|featured|boost|sponsor|priority placement)/i)
  })
})
