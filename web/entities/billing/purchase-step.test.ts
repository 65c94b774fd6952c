import { expect, test } from 'vitest'
import { ApiError } from '#web/lib/api-error.ts'
import { approvedToast, availableFirst, buttonLook, isOpen, isOutcomeUnknown, lookOf, orderName, readUnsettled } from './use-purchase.ts'

const answer = (status: number) => new ApiError({ status, statusText: '', retryAfter: null }, '{"message":"No"}')

test('treats a missing response as a possible purchase, but a refusal as final', () => {
  for (const error of [new TypeError('Failed to fetch'), answer(500), answer(503), answer(429), answer(401)]) {
    expect(isOutcomeUnknown(error)).toBe(true)
  }
  for (const error of [answer(400), answer(402), answer(403), answer(404), answer(409), new Error('a mistake of ours')]) {
    expect(isOutcomeUnknown(error)).toBe(false)
  }
})

test('treats a checkout as open only if its status is open and it hasn’t expired', () => {
  const expiresAt = '2026-11-21T12:00:00.000Z'
  const at = Date.parse(expiresAt)
  expect(isOpen({ status: 'open', expiresAt }, at - 1)).toBe(true)
  expect(isOpen({ status: 'open', expiresAt }, at)).toBe(false)
  expect(isOpen({ status: 'approved', expiresAt }, at - 1)).toBe(false)
})

test('uses a separate storage name for each order and person, and the same name for the same order', () => {
  const names = [
    orderName('ann', { planId: 'verified' }),
    orderName('ann', { planId: 'verified', businessId: 'b' }),
    orderName('ann', { subscribeTo: 'b' }),
    orderName('ann', { planId: 'verified', businessId: 'b', replaces: 'a' }),
    orderName('bob', { planId: 'verified' }),
  ]
  expect(new Set(names).size).toBe(names.length)
  expect(orderName('ann', { planId: 'verified', businessId: null })).toBe(names[0])
})

test('ignores invalid data stored in the tab', () => {
  expect(readUnsettled({ checkoutId: 'c', subscriptionID: 'I-1' })).toEqual({ checkoutId: 'c', subscriptionID: 'I-1' })
  expect(readUnsettled({ checkoutId: 'c', subscriptionID: 7 })).toEqual({ checkoutId: 'c', subscriptionID: null })
  for (const value of [undefined, null, 'c', {}, { checkoutId: 1 }]) expect(readUnsettled(value)).toBeNull()
})

test('lists available providers first', () => {
  const provider = (name: 'test' | 'paypal' | 'invoice', isAvailable = true) => ({
    name,
    isAvailable,
    isTest: name === 'test',
    clientId: null,
  })
  const names = (all: ReturnType<typeof provider>[]) => availableFirst(all).map(({ name }) => name)
  expect(names([provider('paypal', false), provider('invoice')])).toEqual(['invoice', 'paypal'])
  expect(names([provider('paypal'), provider('invoice')])).toEqual(['paypal', 'invoice'])
})

test('shows a plan’s subscription ID, and doesn’t call an unpaid subscription active', () => {
  const bought = { agreementId: 'a', subscriptionID: 'I-1', isActive: true }
  expect(approvedToast({ planId: 'verified' }, bought)).toEqual({ title: 'Subscription Activated!', description: 'Subscription ID: I-1' })
  expect(approvedToast({ subscribeTo: 'b' }, bought)).toEqual({ title: 'Subscribed!' })
  expect(approvedToast({ planId: 'verified' }, { ...bought, isActive: false }).title).toBe('Subscription approved')
})

test('uses a blue pill for Verified and a gold rectangle for other plans', () => {
  expect(lookOf('verified')).toEqual({ shape: 'pill', color: 'blue' })
  for (const plan of ['pro_partner', 'business_tools', undefined]) expect(lookOf(plan)).toEqual({ shape: 'rect', color: 'gold' })
})

test('styles the site’s own buttons like the provider’s', () => {
  expect(buttonLook(lookOf('verified'))).toEqual({ variant: 'blue', className: expect.stringContaining('rounded-full') })
  expect(buttonLook(lookOf('pro_partner'))).toEqual({ variant: 'gold', className: 'w-full' })
})
