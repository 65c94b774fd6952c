import { expect, test } from 'vitest'
import { agreementWords, cancelWords, moneyText } from './agreement-words.ts'

const december = '2026-12-21T12:00:00.000Z'
const words = (status: 'pending' | 'active' | 'past_due' | 'canceled' | 'ended', dates: { paid?: string; grace?: string } = {}) =>
  agreementWords({ status, paidUntil: dates.paid ?? null, graceUntil: dates.grace ?? null, isSubscription: false, provider: 'test' })

test('an amount has cents where there are some', () => {
  expect(moneyText({ amount: '75.00', currency: 'USD' })).toBe('$75')
  expect(moneyText({ amount: '39.99', currency: 'USD' })).toBe('$39.99')
  expect(moneyText({ amount: '1200.50', currency: 'EUR' })).toBe('€1,200.50')
})

test('how a purchase stands, and until when', () => {
  expect(words('active', { paid: december })).toEqual({ badge: 'Active', tone: 'leaf', text: 'Renews on December 21, 2026' })
  expect(words('past_due', { paid: '2026-11-21T12:00:00.000Z', grace: december }).text).toContain(
    'You keep everything until December 21, 2026',
  )
  expect(words('canceled', { paid: december }).text).toBe('Active until December 21, 2026. You won’t be charged again.')
  const invoice = { status: 'active', paidUntil: december, graceUntil: null, isSubscription: false, provider: 'invoice' } as const
  expect(agreementWords(invoice).text).toBe('Paid until December 21, 2026')
  expect(words('pending').tone).toBe('neutral')
  expect(words('ended').text).toBe('This plan has ended.')
})

test('canceling says what stays and promises nothing that is not paid', () => {
  expect(cancelWords({ status: 'active', paidUntil: december })).toContain('until December 21, 2026, the end of the paid period')
  expect(cancelWords({ status: 'pending', paidUntil: null })).toContain('ends right away')
  expect(cancelWords({ status: 'past_due', paidUntil: '2026-11-01T12:00:00.000Z' })).not.toContain('stays active')
})
