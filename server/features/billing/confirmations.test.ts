import { expect, test } from 'vitest'
import { lastDay, printable, receiptLines } from './confirmations.ts'

const row = {
  receipt_number: '2026-1',
  paid_at: new Date('2026-11-29T23:30:00Z'),
  plan_id: 'business_tools',
  provider: 'paypal',
  amount_cents: 7500,
  refunded_cents: 0,
  currency: 'USD',
}
const linesOf = (change: object) => Object.fromEntries(receiptLines({ ...row, ...change } as never, { payer: 'P', paidTo: null }))

test('formats dates and amounts on receipts as in emails', () => {
  expect(linesOf({})).toMatchObject({ Date: 'November 29, 2026', Amount: '$75.00' })
  expect(linesOf({ currency: 'EUR', refunded_cents: 950 })).toMatchObject({ Amount: '€75.00', Refunded: '€9.50' })
})

test('prints amounts in every currency, and replaces letters that the font lacks', () => {
  expect(['$75.00', 'CA$75.00', '€75.00', 'Zoë Ω'].map(printable)).toEqual(['$75.00', 'CA$75.00', '€75.00', 'Zoë ?'])
})

test('names a deadline’s day as people in America see it', () => {
  expect(lastDay(new Date('2026-12-24T01:00:00Z'))).toBe('December 23, 2026')
  expect(lastDay(new Date('2026-12-24T18:00:00Z'))).toBe('December 24, 2026')
})
