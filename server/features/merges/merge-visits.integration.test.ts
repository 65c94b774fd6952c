import { afterAll, beforeAll, expect, it } from 'vitest'
import { addListing } from '#tests/support/listings.ts'
import { giveRole } from '#tests/support/roles.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

let t: TestApp

beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t?.close())

it('moves the visits of days that are still being counted, without looking through older ones', async () => {
  const moderator = await t.signUp()
  await giveRole(t, moderator, 'moderator')
  const [from, into] = [await addListing(t.db), await addListing(t.db)]
  await t.db.updateTable('visit_rollup').set({ open_from: '2026-11-20' }).execute()
  const visit = { business_id: from.id, kind: 'page', source: 'map', subject_id: null, visitor: 1 } as const
  const times = ['2026-11-18T09:00:00Z', '2026-11-19T11:00:00Z', '2026-11-21T09:00:00Z'].map((at) => new Date(at))
  await t.db
    .insertInto('visit_events')
    .values(times.map((at) => ({ ...visit, at })))
    .execute()
  expect((await t.request('POST', `/api/businesses/${from.slug}/merge`, moderator, { into: into.slug })).statusCode).toBe(200)
  const rows = await t.db.selectFrom('visit_events').select(['at', 'business_id']).orderBy('at').execute()
  expect(rows).toEqual([from, into, into].map(({ id }, n) => ({ at: times[n], business_id: id })))
})
