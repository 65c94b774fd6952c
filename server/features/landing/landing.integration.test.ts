import { afterAll, beforeAll, expect, it } from 'vitest'
import { dayMs } from '#contracts/time.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { createTestClock } from '#tests/support/clock.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { addProduct } from '#tests/support/menus.ts'
import { addPeople } from '#tests/support/social.ts'
import { readLanding } from './index.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

it('looks for fresh menus without counting items that moderators hid', async () => {
  const { db } = test
  const clock = createTestClock()
  const now = clock.now()
  const weekAgo = new Date(now.getTime() - 8 * dayMs)
  const claimed = { claimed_at: now, license_standing: 'listed' } as const
  const fresh = await addBusiness(db, { name: 'Fresh', ...claimed })
  await addProduct(db, fresh.id, { confirmed_at: now })
  await addProduct(db, fresh.id, { confirmed_at: weekAgo, moderation: 'hidden' })
  const hidden = await addBusiness(db, { name: 'Hidden items', ...claimed })
  await addProduct(db, hidden.id, { confirmed_at: now, moderation: 'hidden' })
  const { menus } = await readLanding({ db, clock }, new Map())
  expect(menus).toMatchObject([{ name: 'Fresh', menuConfirmedAt: now.toISOString() }])
  await db.deleteFrom('businesses').execute()
})

it('shows no closed businesses', async () => {
  const { db } = test
  const clock = createTestClock()
  const now = clock.now()
  const [author] = await addPeople(db, 1)
  const claimed = { claimed_at: now, license_standing: 'listed' } as const
  const open = await addBusiness(db, { name: 'Open', ...claimed })
  const closed = await addBusiness(db, { name: 'Closed', ...claimed, closure: 'permanent', closed_at: now, closed_by: 'owner' })
  for (const { id } of [open, closed]) {
    await addProduct(db, id, { confirmed_at: now })
    const review = 'The staff knew every jar on the shelf and took their time.'
    await db
      .insertInto('reviews')
      .values({ id: newId(), business_id: id, user_id: author as string, rating: 5, review })
      .execute()
  }
  const { menus, reviews } = await readLanding({ db, clock }, new Map())
  expect(menus.map(({ name }) => name)).toEqual(['Open'])
  expect(reviews.map(({ business }) => business.name)).toEqual(['Open'])
})
