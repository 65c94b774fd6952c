import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type AgreementState,
  afterCanceling,
  afterInvoice,
  afterProviderReport,
  afterTime,
  graceDays,
  isEntitled,
  newAgreement,
} from './agreement-state.ts'

const day = 86_400_000
const start = Date.UTC(2026, 0, 31, 12)
const at = (days: number) => new Date(start + days * day)
const active = (paid: number, until: number) => ({
  state: 'active' as const,
  failedPayments: 0,
  lastPaidAt: at(paid),
  paidUntil: at(until),
})

it('grants nothing before the first payment', () => {
  const approved = afterProviderReport(newAgreement, { state: 'active', failedPayments: 0, lastPaidAt: null, paidUntil: at(30) }, at(0))
  expect(approved).toMatchObject({ status: 'pending', entitledUntil: null })
  expect(afterTime(approved, at(400), false)).toMatchObject({ status: 'pending', entitledUntil: null })
})

it('grants everything for exactly 30 days past the paid period after a failed payment', () => {
  const paid = afterProviderReport(newAgreement, active(0, 28), at(0))
  expect(paid).toMatchObject({ status: 'active', paidUntil: at(28), graceUntil: null })
  const failed = afterProviderReport(paid, { ...active(0, 28), failedPayments: 1 }, at(28))
  expect(failed).toMatchObject({ status: 'past_due', entitledUntil: at(58), graceUntil: at(58), pastDueSince: at(28) })
  const suspended = afterProviderReport(failed, { ...active(0, 28), state: 'suspended', failedPayments: 3 }, at(38))
  expect(suspended).toMatchObject({ status: 'past_due', entitledUntil: at(58), pastDueSince: at(28) })
  expect(afterTime(suspended, at(57.9), false).status).toBe('past_due')
  expect(afterTime(suspended, at(58), false).status).toBe('ended')
  expect(afterProviderReport(suspended, active(40, 68), at(40))).toMatchObject({ status: 'active', paidUntil: at(68), pastDueSince: null })
})

it('grants everything for 30 days past the paid period while the provider is silent', () => {
  const paid = afterProviderReport(newAgreement, active(0, 28), at(0))
  expect(afterTime(paid, at(40), false)).toMatchObject({ status: 'active', graceUntil: at(58), entitledUntil: at(58) })
  expect(afterTime(paid, at(58), false).status).toBe('ended')
})

it('ends with the paid period when canceled here or at the provider', () => {
  const paid = afterProviderReport(newAgreement, active(0, 28), at(0))
  for (const canceled of [
    afterCanceling(paid, at(3)),
    afterProviderReport(paid, { ...active(0, 28), state: 'closed' }, at(3)),
    afterProviderReport(paid, null, at(3)),
  ]) {
    expect(canceled).toMatchObject({ status: 'canceled', entitledUntil: at(28), isCanceled: true })
    expect(afterTime(canceled, at(28), false).status).toBe('ended')
  }
  expect(afterCanceling(newAgreement, at(0))).toMatchObject({ status: 'ended', entitledUntil: null })
})

it('treats an unrenewed invoice as a missed payment', () => {
  const paid = afterInvoice(newAgreement, 1, at(0))
  expect(paid).toMatchObject({ status: 'active', paidUntil: at(28) })
  expect(afterTime(paid, at(28), true)).toMatchObject({ status: 'past_due', pastDueSince: at(28), entitledUntil: at(58) })
  expect(afterInvoice(paid, 2, at(10)).paidUntil?.toISOString()).toBe('2026-04-28T12:00:00.000Z')
})

it('counts a late invoice payment toward the grace days already used', () => {
  const paid = afterInvoice(newAgreement, 1, at(0))
  const late = afterTime(paid, at(50), true)
  expect(late.status).toBe('past_due')
  expect(afterInvoice(late, 1, at(50)).paidUntil?.toISOString()).toBe('2026-03-28T12:00:00.000Z')
  const over = afterTime(paid, at(58), true)
  expect(over.status).toBe('ended')
  expect(afterInvoice(over, 1, at(100)).paidUntil?.toISOString()).toBe('2026-06-11T12:00:00.000Z')
})

it('returns to the 31st after shorter months, whether paid monthly or in advance', () => {
  let state = newAgreement
  const ends: (string | undefined)[] = []
  for (let month = 0; month < 12; month++) {
    state = afterInvoice(state, 1, state.paidUntil ? new Date(state.paidUntil.getTime() - 5 * day) : at(0), 31)
    ends.push(state.paidUntil?.toISOString().slice(5, 10))
  }
  expect(ends).toEqual(['02-28', '03-31', '04-30', '05-31', '06-30', '07-31', '08-31', '09-30', '10-31', '11-30', '12-31', '01-31'])
  expect(afterInvoice(newAgreement, 12, at(0), 31).paidUntil).toEqual(state.paidUntil)
})

type Step = {
  kind: 'hear' | 'cancel' | 'time' | 'lost'
  wait: number
  state: 'active' | 'suspended' | 'closed' | 'pending'
  failed: number
  pays: boolean
  claims: number
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('hear' as const, 'hear' as const, 'hear' as const, 'cancel' as const, 'time' as const, 'lost' as const),
    wait: fc.integer({ min: 0, max: 50 }),
    state: fc.constantFrom('active' as const, 'active' as const, 'suspended' as const, 'closed' as const, 'pending' as const),
    failed: fc.integer({ min: 0, max: 3 }),
    pays: fc.boolean(),
    claims: fc.integer({ min: -40, max: 4000 }),
  }),
  { maxLength: 20 },
)

it('never grants more than the paid time and the grace period, in any order of events', () => {
  fc.assert(
    fc.property(steps, (all) => {
      let state: AgreementState = newAgreement
      let now = 0
      let lastPaid: number | null = null
      for (const step of all) {
        now += step.wait
        if (step.kind === 'hear' && step.pays) lastPaid = now
        const heard = {
          state: step.state,
          failedPayments: step.failed,
          lastPaidAt: lastPaid === null ? null : at(lastPaid),
          paidUntil: lastPaid === null ? null : at(lastPaid + step.claims),
        }
        const before = state
        const apply = (from: AgreementState) =>
          step.kind === 'hear'
            ? afterProviderReport(from, heard, at(now))
            : step.kind === 'lost'
              ? afterProviderReport(from, null, at(now))
              : step.kind === 'cancel'
                ? afterCanceling(from, at(now))
                : afterTime(from, at(now), false)
        state = apply(state)
        expect(apply(state)).toEqual(state)
        if (lastPaid === null) expect(state.entitledUntil).toBeNull()
        else if (state.paidUntil) {
          expect(state.paidUntil.getTime()).toBeLessThanOrEqual(at(lastPaid + 36).getTime())
          expect(state.entitledUntil?.getTime()).toBeLessThanOrEqual(state.paidUntil.getTime() + graceDays * day)
        }
        if (before.paidUntil) expect(state.paidUntil?.getTime()).toBeGreaterThanOrEqual(before.paidUntil.getTime())
        if (before.isCanceled) expect(state.isCanceled).toBe(true)
        if (state.isCanceled) expect(state.entitledUntil).toEqual(state.paidUntil)
        expect(isEntitled(state.status)).toBe(state.entitledUntil !== null && state.entitledUntil > at(now))
      }
    }),
    { numRuns: 2000 },
  )
})
