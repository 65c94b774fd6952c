import { expect, test } from 'vitest'
import { AccountState } from '../../../contracts/payment-accounts.ts'
import { accountWords, peoplePay } from './account-words.ts'

test('an account that takes nobody new says so and what to do; one that works says nothing more', () => {
  const broken = AccountState.options.filter((state) => accountWords({ state }).isBroken)
  expect(broken).toEqual(['refused', 'unreadable', 'former_owner'])
  for (const state of broken) expect(accountWords({ state }).text).toMatch(/connect/i)
  expect(accountWords({ state: 'working' }).text).toBeNull()
  expect(accountWords({ state: 'refused', failingSince: '2026-11-21T12:00:00.000Z' }).text).toContain('since November 21, 2026')
})

test('one person pays, several people pay', () => {
  expect([0, 1, 2, 1200].map(peoplePay)).toEqual(['0 people pay', '1 person pays', '2 people pay', '1,200 people pay'])
})
