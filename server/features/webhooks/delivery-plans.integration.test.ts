import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db } from '#server/db/connect.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { plansOf } from '#tests/support/plans.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { webhookJobs } from './index.ts'
import { deliveriesPage, nextDelivery } from './webhooks.queries.ts'

let test: TestApp
const webhookId = newId()

/** A month of deliveries, of which one in a hundred is waiting. */
beforeAll(async () => {
  test = await startTestApp()
  const shop = await addBusiness(test.db)
  await sql`
    insert into webhooks (id, business_id, url, events, sealed_secret, created_at)
    select case when n = 1 then ${webhookId}::uuid else gen_random_uuid() end, ${shop.id}::uuid, 'https://pos.example/' || n,
      array['review.created'], 'sealed', now() from generate_series(1, 50) as n`.execute(test.db)
  await sql`
    insert into webhook_deliveries (id, webhook_id, event, event_key, payload, state, created_at, next_try_at)
    select gen_random_uuid(), webhooks.id, 'review.created', n::text, '{}', case when n % 100 = 0 then 'waiting' else 'delivered' end,
      at, case when n % 100 = 0 then at end
    from webhooks cross join generate_series(1, 1000) as n
      cross join lateral (select ${test.clock.now()}::timestamptz - n * interval '40 minutes' as at) as times`.execute(test.db)
  await sql`analyze webhook_deliveries`.execute(test.db)
})
afterAll(() => test?.close())

it('reads a page of the log and a webhook’s next delivery from indexes', async () => {
  const after = [test.clock.now().toISOString(), newId()] as const
  for (const from of [null, after]) {
    expect(await plansOf(test.db, (db) => deliveriesPage(db, webhookId, from, 21))).toContain('webhook_deliveries_of_webhook')
  }
  expect(await plansOf(test.db, (db) => nextDelivery(db, webhookId, test.clock.now()))).toContain('webhook_deliveries_due')
})

it('finds due and old deliveries without reading all of them', async () => {
  const jobs = (db: Db) => webhookJobs({ ...test.ctx, db })
  const due = await plansOf(test.db, (db) => jobs(db)['webhooks.sweep']({}))
  expect(due).toContain('webhook_deliveries_due')
  const purge = await plansOf(test.db, (db) => jobs(db)['webhooks.purge']({}))
  expect(purge).toContain('webhook_deliveries_by_age')
  expect(due + purge).not.toContain('Seq Scan on webhook_deliveries')
})
