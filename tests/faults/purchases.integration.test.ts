import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Agreement, Checkout } from '#contracts/billing.ts'
import { findAuditBreak } from '#server/features/audit/index.ts'
import { newId } from '#server/kernel/ids.ts'
import { preparedDataDir } from '#tests/support/prepared-cluster.ts'
import { type SeparateServer, startSeparateServer } from '#tests/support/separate-server.ts'

/**
 * Kills the whole server during purchases, as in a power failure, and restarts it: the result must be the same as without the kill.
 * crashes.integration.test.ts does this at every statement, without killing a process.
 */

let separate: SeparateServer

beforeAll(async () => {
  separate = await startSeparateServer({ LOG_LEVEL: 'fatal' }, [], { dataDir: preparedDataDir() })
}, 120_000)
afterAll(() => separate?.remove())

/** The page's record of a purchase, from which it would resume after a reload. */
type Purchase = { cookie: string; planId: string; key: string; checkoutId?: string; subscriptionID?: string; agreement?: Agreement }
type Step = 'begun' | 'approved there' | 'approved here'

const call = async <Answer>({ cookie, key }: Purchase, path: string, body?: object): Promise<Answer> => {
  const response = await fetch(`${separate.url()}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { cookie, ...(body ? { 'content-type': 'application/json', 'idempotency-key': key } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return JSON.parse(text) as Answer
}

/** Buys as the page does, and skips completed steps. */
async function buy(purchase: Purchase, onStep: (step: Step) => void = () => {}): Promise<void> {
  purchase.checkoutId ??= (await call<Checkout>(purchase, '/api/billing/checkouts', { provider: 'test', planId: purchase.planId })).id
  onStep('begun')
  const path = `/api/billing/checkouts/${purchase.checkoutId}`
  if ((await call<Checkout>(purchase, path)).status === 'approved') return
  purchase.subscriptionID ??= (
    await call<{ subscriptionID: string }>(purchase, `/api/billing/test/checkouts/${purchase.checkoutId}/answers`, { outcome: 'approve' })
  ).subscriptionID
  onStep('approved there')
  purchase.agreement = await call<Agreement>(purchase, `${path}/approval`, { subscriptionID: purchase.subscriptionID })
  onStep('approved here')
}

async function signUp(number: number): Promise<string> {
  const person = { email: `killed-${number}@example.com`, password: 'seven green terraces at dawn', accountType: 'consumer' }
  const response = await fetch(`${separate.url()}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...person, firstName: 'Kim', lastName: 'Killed', birthday: '1990-04-01' }),
  })
  expect(response.status).toBe(201)
  return response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
}

test('completes a purchase once or not at all when the server is killed, and lets the buyer continue', { timeout: 120_000 }, async () => {
  const cookies = await Promise.all([1, 2, 3, 4].map(signUp))
  /** When to kill the server: `laterMs` after the first purchase reaches the step. */
  const moments: { planId: string; step: Step; laterMs: number }[] = [
    { planId: 'verified', step: 'begun', laterMs: 3 },
    { planId: 'pro', step: 'approved there', laterMs: 0 },
    { planId: 'vip', step: 'approved here', laterMs: 0 },
  ]
  const all: Purchase[] = []
  let interrupted = 0
  for (const { planId, step, laterMs } of moments) {
    const purchases = cookies.map((cookie): Purchase => ({ cookie, planId, key: newId() }))
    all.push(...purchases)
    let kill = () => {}
    const killed = new Promise<void>((resolve) => {
      kill = resolve
    }).then(async () => {
      await sleep(laterMs)
      separate.kill()
    })
    const results = await Promise.all(
      purchases.map((each, i) =>
        sleep(i * 4)
          .then(() => buy(each, (reached) => reached === step && kill()))
          .then(
            () => 'bought',
            (error: unknown) => error,
          ),
      ),
    )
    // All purchases may have finished without reaching the step.
    kill()
    await killed
    interrupted += results.filter((result) => result !== 'bought').length
    await separate.restart()
  }
  expect(interrupted).toBeGreaterThan(3)

  // Runs the nightly reconciliation now.
  await separate.runJob('billing.reconcile')
  const { rows: there } = await separate.database.pool.query(
    'select custom_id, count(*)::int as count, min(payments_made) as paid, min(state) as state from test_provider_subscriptions group by 1',
  )
  const approvedThere = new Set(there.map(({ custom_id }) => custom_id))
  const { rows: here } = await separate.database.pool.query(
    `select checkouts.id, agreements.status, count(payments.id)::int as payments, count(payments.receipt_number)::int as receipts
     from checkouts left join agreements on agreements.id = checkouts.agreement_id left join payments on payments.agreement_id = agreements.id
     group by 1, 2`,
  )
  // Without any action by the buyers, purchases on the server match the payments at the provider.
  expect(there.map(({ count, paid, state }) => [count, paid, state])).toEqual(there.map(() => [1, 1, 'active']))
  for (const { id, status, payments, receipts } of here) {
    expect([status, payments, receipts]).toEqual(approvedThere.has(id) ? ['active', 1, 1] : [null, 0, 0])
  }

  // Interrupted buyers resume at their page's step, and then have each plan once, like the others.
  for (const purchase of all) await buy(purchase)
  for (const cookie of cookies) {
    const list = await call<Agreement[]>({ cookie, planId: '', key: '' }, '/api/billing/agreements')
    expect(list.map(({ planId, status }) => `${planId} ${status}`).sort()).toEqual(moments.map(({ planId }) => `${planId} active`).sort())
    const payments = await call<{ status: string }[]>({ cookie, planId: '', key: '' }, '/api/billing/payments')
    expect(payments.map(({ status }) => status)).toEqual(moments.map(() => 'paid'))
    const standing = await call<{ plans: { name: string }[] }>({ cookie, planId: '', key: '' }, '/api/billing/plan')
    expect(standing.plans.map(({ name }) => name).toSorted()).toEqual(['Pro', 'VIP', 'Verified'])
  }
  const { rows: receipts } = await separate.database.pool.query('select receipt_number from payments order by 1')
  expect(receipts.map(({ receipt_number }) => Number(receipt_number.split('-')[1]))).toEqual(all.map((_, i) => i + 1))
  expect(await findAuditBreak(separate.database.db)).toBeNull()
})
