import { afterEach, expect, test, vi } from 'vitest'
import { AccountState } from '#contracts/billing.ts'
import {
  accountWords,
  agreementWords,
  barHeights,
  cancelWords,
  churnText,
  moneyText,
  monthName,
  peoplePay,
  planPrice,
  refundable,
  resumedWords,
  resumeWords,
  shortMonth,
} from './billing-words.ts'

const december = '2026-12-21T12:00:00.000Z'
const words = (status: 'pending' | 'active' | 'past_due' | 'canceled' | 'ended', dates: { paid?: string; grace?: string } = {}) =>
  agreementWords({
    status,
    paidUntil: dates.paid ?? null,
    graceUntil: dates.grace ?? null,
    isSubscription: false,
    provider: 'test',
    mayStillCharge: false,
  })

afterEach(() => {
  vi.unstubAllEnvs()
})

test('shows cents only if the amount has any', () => {
  expect(moneyText({ amount: '75.00', currency: 'USD' })).toBe('$75')
  expect(moneyText({ amount: '39.99', currency: 'USD' })).toBe('$39.99')
  expect(moneyText({ amount: '1200.50', currency: 'EUR' })).toBe('€1,200.50')
})

test('proposes to refund what is left of a payment', () => {
  const money = { amount: '9.50', currency: 'USD' } as const
  expect(refundable({ money, refunded: null })).toEqual(money)
  expect(refundable({ money, refunded: { amount: '4.25', currency: 'USD' } }).amount).toBe('5.25')
})

test('shows the status of a purchase and when it ends', () => {
  expect(words('active', { paid: december })).toEqual({ badge: 'Active', tone: 'leaf', text: 'Renews on December 21, 2026' })
  expect(words('past_due', { paid: '2026-11-21T12:00:00.000Z', grace: december }).text).toContain(
    'You’ll keep everything until December 21, 2026',
  )
  expect(words('canceled', { paid: december }).text).toBe('Active until December 21, 2026. You won’t be charged again.')
  const invoice = {
    status: 'active',
    paidUntil: december,
    graceUntil: null,
    isSubscription: false,
    provider: 'invoice',
    mayStillCharge: false,
  } as const
  expect(agreementWords(invoice).text).toBe('Paid until December 21, 2026')
  const unpaid = agreementWords({ ...invoice, status: 'past_due', graceUntil: december })
  expect(unpaid.badge).toBe('Payment due')
  expect(unpaid.text).toContain('You’ll keep everything until December 21, 2026')
  expect(unpaid.text).not.toContain('fail')
  expect(words('pending').tone).toBe('neutral')
  expect(words('ended').text).toBe('This plan has ended.')
})

test('names the day on which a plan ends in the viewer’s time zone', () => {
  vi.stubEnv('TZ', 'America/Denver')
  expect(words('canceled', { paid: '2026-12-24T01:00:00.000Z' }).text).toContain('Active until December 23, 2026')
})

test('promises a renewal after resuming only if the provider charges automatically', () => {
  expect(resumedWords({ paidUntil: december, provider: 'test' })).toBe('It renews on December 21, 2026.')
  expect(resumedWords({ paidUntil: december, provider: 'invoice' })).toBe('It’s paid until December 21, 2026.')
  expect(resumedWords({ paidUntil: null, provider: 'invoice' })).toBeUndefined()
})

test('explains what remains after canceling without promising anything unpaid', () => {
  expect(cancelWords({ status: 'active', paidUntil: december, provider: 'test', mayStillCharge: false })).toContain(
    'until December 21, 2026, the end of the paid period',
  )
  expect(cancelWords({ status: 'pending', paidUntil: null, provider: 'test', mayStillCharge: false })).toContain('will end right away')
  const november = '2026-11-01T12:00:00.000Z'
  expect(cancelWords({ status: 'past_due', paidUntil: november, provider: 'test', mayStillCharge: false })).not.toContain('stays active')
  expect(cancelWords({ status: 'past_due', paidUntil: november, provider: 'invoice', mayStillCharge: false })).not.toContain(
    'failed payment',
  )
})

test('doesn’t promise an end to charges that only the payer can stop at the provider', () => {
  const locked = { paidUntil: december, graceUntil: null, isSubscription: false, provider: 'paypal', mayStillCharge: true } as const
  expect(agreementWords({ ...locked, status: 'canceled' }).text).toBe('Active until December 21, 2026.')
  for (const status of ['active', 'past_due'] as const) {
    const text = cancelWords({ ...locked, status })
    expect(text).toContain('We can’t stop the payments at PayPal. Cancel them there too, under Settings')
    expect(text).not.toContain('won’t be charged')
  }
  expect(resumeWords({ ...locked, status: 'active', abilities: { resume: false } })).toBeNull()
})

test('mentions resuming only for an active or resumable purchase', () => {
  expect(resumeWords({ status: 'active', mayStillCharge: false, abilities: { resume: false } })).toBe('You can resume it until then.')
  expect(resumeWords({ status: 'canceled', mayStillCharge: false, abilities: { resume: true } })).toBe('You can resume it until then.')
  for (const status of ['pending', 'past_due', 'canceled', 'ended'] as const) {
    expect(resumeWords({ status, mayStillCharge: false, abilities: { resume: false } }), status).toBeNull()
  }
})

test('explains why an account accepts no payments, and adds nothing for a working one', () => {
  const broken = AccountState.options.filter((state) => accountWords({ state }).isBroken)
  expect(broken).toEqual(['refused', 'unreadable', 'former_owner'])
  for (const state of broken) expect(accountWords({ state }).text).toMatch(/connect/i)
  expect(accountWords({ state: 'working' }).text).toBeNull()
  expect(accountWords({ state: 'refused', failingSince: '2026-11-21T12:00:00.000Z' }).text).toContain('since November 21, 2026')
})

test('matches the verb to the number of payers', () => {
  expect([0, 1, 2, 1200].map(peoplePay)).toEqual(['0 people pay', '1 person pays', '2 people pay', '1,200 people pay'])
})

const month = (subscribers: number, revenue = '0.00') => ({ month: '2026-01', began: 0, ended: 0, subscribers, revenue, churn: null })

test('names a month regardless of the viewer’s time zone', () => {
  expect(monthName('2026-01')).toBe('January 2026')
  expect(shortMonth('2026-12')).toBe('Dec')
})

test('shows churn with at most one decimal, and a dash if no one could leave', () => {
  expect(churnText(4.166)).toBe('4.2%')
  expect(churnText(10)).toBe('10%')
  expect(churnText(0)).toBe('0%')
  expect(churnText(null)).toBe('–')
})

test('scales bars to the highest and keeps small ones visible', () => {
  expect(barHeights([month(0), month(1), month(500), month(1000)], 'subscribers')).toEqual([0, 3, 50, 100])
  expect(barHeights([month(0), month(0)], 'subscribers')).toEqual([0, 0])
  expect(barHeights([month(9, '7.50'), month(9, '30.00')], 'revenue')).toEqual([25, 100])
})

test('converts a plan’s monthly price from cents to an amount and a currency', () => {
  expect(planPrice({ monthlyCents: 3999 })).toEqual({ amount: '39.99', currency: 'USD' })
  expect(planPrice({ monthlyCents: 7500 })).toEqual({ amount: '75.00', currency: 'USD' })
})
