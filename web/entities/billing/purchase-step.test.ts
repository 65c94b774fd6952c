import { expect, test } from 'vitest'
import { ApiError } from '#web/lib/api-error.ts'
import { approvedToast, buttonLook, byAnswering, isOpen, isUnsure, lookOf, orderName, readUnsettled } from './use-purchase.ts'

const answer = (status: number) => new ApiError({ status, statusText: '', retryAfter: null }, '{"message":"No"}')

test('treats a missing response as a possible purchase and a refusal as final', () => {
  for (const error of [new TypeError('Failed to fetch'), answer(500), answer(503), answer(429)]) expect(isUnsure(error)).toBe(true)
  for (const error of [answer(400), answer(402), answer(403), answer(404), answer(409), new Error('a mistake of ours')]) {
    expect(isUnsure(error)).toBe(false)
  }
})

test('treats a checkout as open until it expires, whatever its last status', () => {
  const expiresAt = '2026-11-21T12:00:00.000Z'
  const at = Date.parse(expiresAt)
  expect(isOpen({ status: 'open', expiresAt }, at - 1)).toBe(true)
  expect(isOpen({ status: 'open', expiresAt }, at)).toBe(false)
  expect(isOpen({ status: 'approved', expiresAt }, at - 1)).toBe(false)
})

test('stores different orders and people separately and the same order once', () => {
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

test('validates what the tab stored', () => {
  expect(readUnsettled({ checkoutId: 'c', subscriptionID: 'I-1' })).toEqual({ checkoutId: 'c', subscriptionID: 'I-1' })
  expect(readUnsettled({ checkoutId: 'c', subscriptionID: 7 })).toEqual({ checkoutId: 'c', subscriptionID: null })
  for (const value of [undefined, null, 'c', {}, { checkoutId: 1 }]) expect(readUnsettled(value)).toBeNull()
})

test('offers an available provider first', () => {
  const provider = (name: 'test' | 'paypal' | 'invoice', isAvailable = true) => ({
    name,
    isAvailable,
    isTest: name === 'test',
    clientId: null,
  })
  const names = (all: ReturnType<typeof provider>[]) => byAnswering(all).map(({ name }) => name)
  expect(names([provider('paypal', false), provider('invoice')])).toEqual(['invoice', 'paypal'])
  expect(names([provider('paypal'), provider('invoice')])).toEqual(['paypal', 'invoice'])
})

test('shows a plan’s subscription ID and does not call an unpaid one active', () => {
  const bought = { agreementId: 'a', subscriptionID: 'I-1', isActive: true }
  expect(approvedToast({ planId: 'verified' }, bought)).toEqual({ title: 'Subscription Activated!', description: 'Subscription ID: I-1' })
  expect(approvedToast({ subscribeTo: 'b' }, bought)).toEqual({ title: 'Subscribed!' })
  expect(approvedToast({ planId: 'verified' }, { ...bought, isActive: false }).title).toBe('Subscription approved')
})

test('uses a blue pill for Verified and a golden rectangle otherwise', () => {
  expect(lookOf('verified')).toEqual({ shape: 'pill', color: 'blue' })
  for (const plan of ['pro_partner', 'business_tools', undefined]) expect(lookOf(plan)).toEqual({ shape: 'rect', color: 'gold' })
})

test('matches our own buttons to the provider’s', () => {
  expect(buttonLook(lookOf('verified'))).toEqual({ variant: 'blue', className: expect.stringContaining('rounded-full') })
  expect(buttonLook(lookOf('pro_partner'))).toEqual({ variant: 'gold', className: 'w-full' })
})
