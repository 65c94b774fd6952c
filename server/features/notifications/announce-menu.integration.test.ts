import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { addMember } from '#tests/support/keepers.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp

beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test?.close())

it('announces menu news to interested followers once a day, first to people with early news', async () => {
  const shop = await addBusiness(test.db, { name: 'Corner Shop' })
  const owner = await addMember(test, shop, 'owner')
  const birthday = `${test.clock.now().getUTCFullYear() - 19}-01-01`
  const people = {
    follower: await test.signUp(),
    subscriber: await test.signUp(),
    premium: await test.signUp(),
    young: await test.signUp({ birthday }),
    calm: await test.signUp(),
  }
  await grantPlan(test.db, { userId: people.premium.user.id, planId: 'pro' })
  for (const [name, person] of Object.entries(people)) {
    await test.db.insertInto('business_follows').values({ business_id: shop.id, user_id: person.user.id }).execute()
    if (name !== 'calm') {
      await test.db
        .insertInto('notification_choices')
        .values({ user_id: person.user.id, topic: 'products', channel: 'in_app', is_on: true })
        .execute()
    }
  }
  await test.db.insertInto('subscriptions').values({ business_id: shop.id, user_id: people.subscriber.user.id }).execute()
  const call = async (method: 'POST' | 'PATCH', body: object) => {
    const answer = await test.request(method, `/api/businesses/${shop.id}/menu-items`, owner, body)
    expect(answer.statusCode, answer.body).toBeLessThan(300)
    await test.runJobs()
    return answer.json()
  }
  const notified = async () => {
    const titles = async (person: TestPerson) =>
      (await test.request('GET', '/api/notifications', person))
        .json()
        .map(({ title, actionUrl }: { title: string; actionUrl: string }) => `${title} ${actionUrl}`)
    return Object.fromEntries(await Promise.all(Object.entries(people).map(async ([name, person]) => [name, await titles(person)])))
  }
  const news = `Corner Shop has something new on its menu /business/${shop.slug}`

  const item = await call('POST', { name: 'A', variants: [{ price: '10' }] })
  await call('POST', { name: 'B', variants: [{ price: '10' }] })
  expect(await notified()).toEqual({ follower: [], subscriber: [news], premium: [news], young: [], calm: [] })
  test.clock.advance({ days: 1, minutes: 1 })
  await test.runJobs()
  expect(await notified()).toEqual({ follower: [news], subscriber: [news], premium: [news], young: [], calm: [] })

  // A price increase isn't news; a decrease is, for everyone at the same time.
  await call('PATCH', { changes: [{ id: item.id, version: 1, variants: [{ id: item.variants[0].id, price: '11' }] }] })
  expect((await notified()).follower).toHaveLength(1)
  await call('PATCH', { changes: [{ id: item.id, version: 2, variants: [{ id: item.variants[0].id, price: '9' }] }] })
  const cheaper = `Corner Shop has menu news /business/${shop.slug}`
  expect(await notified()).toEqual({
    follower: [cheaper, news],
    subscriber: [cheaper, news],
    premium: [cheaper, news],
    young: [],
    calm: [],
  })
  await test.db.insertInto('business_blocks').values({ business_id: shop.id, user_id: people.follower.user.id }).execute()
  expect((await notified()).follower).toEqual([])
})

it('announces new items on a day that already had other menu news, and the other way around', async () => {
  const shop = await addBusiness(test.db, { name: 'Busy Shop' })
  const owner = await addMember(test, shop, 'owner')
  const [follower, subscriber] = [await test.signUp(), await test.signUp()]
  for (const { user } of [follower, subscriber]) {
    await test.db.insertInto('business_follows').values({ business_id: shop.id, user_id: user.id }).execute()
    const choice = { user_id: user.id, topic: 'products', channel: 'in_app', is_on: true } as const
    await test.db.insertInto('notification_choices').values(choice).execute()
  }
  await test.db.insertInto('subscriptions').values({ business_id: shop.id, user_id: subscriber.user.id }).execute()
  const call = async (method: 'POST' | 'PATCH', body: object) => {
    const answer = await test.request(method, `/api/businesses/${shop.id}/menu-items`, owner, body)
    expect(answer.statusCode, answer.body).toBeLessThan(300)
    await test.runJobs()
    return answer.json()
  }
  const news = async (person: TestPerson) =>
    (await test.request('GET', '/api/notifications', person)).json().map(({ type }: { type: string }) => type)
  const dayLater = async () => {
    test.clock.advance({ days: 1, minutes: 1 })
    await test.runJobs()
  }

  const item = await call('POST', { name: 'A', variants: [{ price: '10' }] })
  const priceAt = (price: string, version: number) =>
    call('PATCH', { changes: [{ id: item.id, version, variants: [{ id: item.variants[0].id, price }] }] })
  await priceAt('9', 1)
  await priceAt('8', 2)
  expect([await news(follower), await news(subscriber)]).toEqual([['product_update'], ['product_update', 'new_product']])
  await dayLater()
  await priceAt('7', 3)
  await call('POST', { name: 'B', variants: [{ price: '10' }] })
  await dayLater()
  expect(await news(follower)).toEqual(['new_product', 'product_update', 'new_product', 'product_update'])
  expect(await news(subscriber)).toEqual(['new_product', 'product_update', 'product_update', 'new_product'])
})

it('doesn’t announce items again that the previous version announced to people with early news', async () => {
  const shop = await addBusiness(test.db)
  const owner = await addMember(test, shop, 'owner')
  const subscriber = await test.signUp()
  await test.db.insertInto('business_follows').values({ business_id: shop.id, user_id: subscriber.user.id }).execute()
  await test.db.insertInto('subscriptions').values({ business_id: shop.id, user_id: subscriber.user.id }).execute()
  const choice = { user_id: subscriber.user.id, topic: 'products', channel: 'in_app', is_on: true } as const
  await test.db.insertInto('notification_choices').values(choice).execute()
  await test.request('POST', `/api/businesses/${shop.id}/menu-items`, owner, { name: 'A', variants: [{ price: '10' }] })
  await test.runJobs()
  const day = test.clock.now().toISOString().slice(0, 10)
  const announced = () => test.db.selectFrom('notifications').select('id').where('user_id', '=', subscriber.user.id).execute()
  expect(await announced()).toHaveLength(1)
  await test.db
    .updateTable('notifications')
    .set({ id: newId(), group_key: `menu:${shop.id}:${day}` })
    .where('user_id', '=', subscriber.user.id)
    .execute()
  test.clock.advance({ days: 1, minutes: 1 })
  await test.runJobs()
  expect(await announced()).toHaveLength(1)
})

it('shows no news of a menu while moderators hide its business', async () => {
  const shop = await addBusiness(test.db, { name: 'Hidden Shop' })
  const owner = await addMember(test, shop, 'owner')
  const follower = await test.signUp()
  await test.db.insertInto('business_follows').values({ business_id: shop.id, user_id: follower.user.id }).execute()
  const choice = { user_id: follower.user.id, topic: 'products', channel: 'in_app', is_on: true } as const
  await test.db.insertInto('notification_choices').values(choice).execute()
  const moderate = (moderation: 'hidden' | null) =>
    test.db.updateTable('businesses').set({ moderation }).where('id', '=', shop.id).execute()
  const news = async () => {
    const list = (await test.request('GET', '/api/notifications', follower)).json() as { type: string }[]
    const { count } = (await test.request('GET', '/api/notifications/unread-count', follower)).json()
    return [...list.map(({ type }) => type), count]
  }
  const items = `/api/businesses/${shop.id}/menu-items`
  const item = (await test.request('POST', items, owner, { name: 'A', variants: [{ price: '10' }] })).json()
  await test.runJobs()
  test.clock.advance({ days: 1, minutes: 1 })
  await test.runJobs()
  expect(await news()).toEqual(['new_product', 1])
  await moderate('hidden')
  expect(await news()).toEqual([0])
  await test.request('PATCH', items, owner, { changes: [{ id: item.id, version: 1, variants: [{ id: item.variants[0].id, price: '9' }] }] })
  await test.runJobs()
  expect(await news()).toEqual([0])
  await moderate(null)
  expect(await news()).toEqual(['new_product', 1])
})

it('doesn’t announce new items that are gone again, or the menu of a closed business', async () => {
  const shop = await addBusiness(test.db, { name: 'Undone Shop' })
  const owner = await addMember(test, shop, 'owner')
  const follower = await test.signUp()
  await test.db.insertInto('business_follows').values({ business_id: shop.id, user_id: follower.user.id }).execute()
  const choice = { user_id: follower.user.id, topic: 'products', channel: 'in_app', is_on: true } as const
  await test.db.insertInto('notification_choices').values(choice).execute()
  const news = async () => (await test.request('GET', '/api/notifications', follower)).json() as unknown[]
  const items = `/api/businesses/${shop.id}/menu-items`
  const add = async () => (await test.request('POST', items, owner, { name: 'A', variants: [{ price: '10' }] })).json() as { id: string }
  const dayLater = async () => {
    await test.runJobs()
    test.clock.advance({ days: 1, minutes: 1 })
    await test.runJobs()
  }
  const { id } = await add()
  await test.runJobs()
  await test.db.deleteFrom('products').where('id', '=', id).execute()
  await dayLater()
  expect(await news()).toEqual([])

  await test.db
    .updateTable('businesses')
    .set({ closure: 'temporary', closed_at: test.clock.now(), closed_by: 'owner' })
    .where('id', '=', shop.id)
    .execute()
  await add()
  await dayLater()
  expect(await news()).toEqual([])

  await test.db.updateTable('businesses').set({ closure: null, closed_at: null, closed_by: null }).where('id', '=', shop.id).execute()
  await add()
  await dayLater()
  expect(await news()).toHaveLength(1)
})
