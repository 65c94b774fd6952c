import { expect, test } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import { approvedToast, byAnswering, isOpen, isUnsure, orderName, readUnsettled } from './purchase-step.ts'

const answer = (status: number) => new ApiError({ status, statusText: '', retryAfter: null }, '{"message":"No"}')

test('without an answer, a purchase may have gone through; a refusal is an answer', () => {
  for (const error of [new TypeError('Failed to fetch'), answer(500), answer(503), answer(429)]) expect(isUnsure(error)).toBe(true)
  for (const error of [answer(400), answer(402), answer(403), answer(404), answer(409), new Error('a mistake of ours')]) {
    expect(isUnsure(error)).toBe(false)
  }
})

test('a checkout is open until its time is over, whatever its status was when it was read', () => {
  const expiresAt = '2026-11-21T12:00:00.000Z'
  const at = Date.parse(expiresAt)
  expect(isOpen({ status: 'open', expiresAt }, at - 1)).toBe(true)
  expect(isOpen({ status: 'open', expiresAt }, at)).toBe(false)
  expect(isOpen({ status: 'approved', expiresAt }, at - 1)).toBe(false)
})

test('two orders are remembered apart, the same one together, and people apart', () => {
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

test('what the tab remembers is read with care', () => {
  expect(readUnsettled({ checkoutId: 'c', subscriptionID: 'I-1' })).toEqual({ checkoutId: 'c', subscriptionID: 'I-1' })
  expect(readUnsettled({ checkoutId: 'c', subscriptionID: 7 })).toEqual({ checkoutId: 'c', subscriptionID: null })
  for (const value of [undefined, null, 'c', {}, { checkoutId: 1 }]) expect(readUnsettled(value)).toBeNull()
})

test('a provider that answers is offered first', () => {
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

test('a plan says its subscription id; what is not paid yet does not claim to be active', () => {
  const bought = { agreementId: 'a', subscriptionID: 'I-1', isActive: true }
  expect(approvedToast({ planId: 'verified' }, bought)).toEqual({ title: 'Subscription Activated!', description: 'Subscription ID: I-1' })
  expect(approvedToast({ subscribeTo: 'b' }, bought)).toEqual({ title: 'Subscribed!' })
  expect(approvedToast({ planId: 'verified' }, { ...bought, isActive: false }).title).toBe('Subscription approved')
})
