import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Agreement, OfferedPlan, PlanStatus } from '#contracts/billing.ts'
import type { ManagedPageExtras, PageExtras } from '#contracts/page-extras.ts'
import { billingOf } from '#tests/support/billing.ts'
import { mailsTo } from '#tests/support/mailbox.ts'
import { messagesOf } from '#tests/support/messages.ts'
import { addMedia } from '#tests/support/posts.ts'
import { joinBusiness } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let billing: ReturnType<typeof billingOf>
let person: TestPerson
/** Owns a business that the buyer follows. */
let owner: TestPerson
let shop: { id: string; slug: string }

beforeAll(async () => {
  test = await startTestApp()
  billing = billingOf(test)
})
afterAll(() => test?.close())
beforeEach(async () => {
  ;[person, owner] = [await test.signUp(), await test.signUp()]
  await billing.stayIn()
  shop = await billing.addOwnBusiness(owner, `Corner ${Math.random().toString(36).slice(2, 8)}`)
  await billing.call(person, 'PUT', `/api/businesses/${shop.id}/follow`)
})

const plans = async () =>
  new Map((await billing.call<{ plans: OfferedPlan[] }>(person, 'GET', '/api/plans')).plans.map((plan) => [plan.id, plan]))
const addItem = (as: TestPerson, businessId: string, name: string) =>
  test.request('POST', `/api/businesses/${businessId}/menu-items`, as, { name, variants: [{ price: '10' }] })
async function fillMenu(as: TestPerson, businessId: string): Promise<number> {
  for (let i = 0; i < 5; i++) expect((await addItem(as, businessId, `Item ${i}`)).statusCode).toBe(201)
  return (await addItem(as, businessId, 'One more')).statusCode
}
const newsOf = async (as: TestPerson) =>
  (await billing.call<{ type: string }[]>(as, 'GET', '/api/notifications')).map(({ type }) => type).filter((type) => /product/.test(type))
const assign = (id: string, businessId: string) => test.request('PUT', `/api/billing/agreements/${id}/business`, person, { businessId })
const goOn = async (time: Parameters<TestApp['clock']['advance']>[0]) => {
  test.clock.advance(time)
  await test.runJobs()
}

describe('Starter', () => {
  it('can’t be bought by a person without a business, who sees the reason before checkout', async () => {
    const starter = (await plans()).get('starter')
    expect(starter).toMatchObject({ needsBusiness: true, notice: expect.stringContaining('Starter requires a business that you own.') })
    const answer = await test.request('POST', '/api/billing/checkouts', person, { provider: 'test', planId: 'starter' })
    expect(answer.statusCode).toBe(409)
    expect(answer.json().message).toBe(
      'Starter unlocks the menu of a business that you own. You don’t own one here yet. Register or claim one first.',
    )
    const foreign = await test.request('POST', '/api/billing/checkouts', person, {
      provider: 'test',
      planId: 'starter',
      businessId: shop.id,
    })
    expect(foreign.statusCode).toBe(403)
  })

  it('lifts the menu limit of only the payer’s own business', async () => {
    const [own, other] = [await billing.addOwnBusiness(person, 'Own Yard'), shop]
    expect(await fillMenu(person, own.id)).toBe(409)
    const bought = await billing.buy(person, { planId: 'starter' })
    expect(bought).toMatchObject({ title: 'Starter for Own Yard', business: { id: own.id } })
    expect((await addItem(person, own.id, 'Sixth')).statusCode).toBe(201)
    expect(await billing.standing(person, own.id)).toMatchObject({ plans: [{ id: 'starter' }], entitlements: ['unlimited_menu'] })
    expect(await fillMenu(owner, other.id)).toBe(409)
    // A personal plan isn't among the business's purchases, which its owners see.
    expect(await billing.call<Agreement[]>(person, 'GET', `/api/billing/agreements?business=${own.id}`)).toEqual([])
    expect((await test.request('POST', '/api/billing/checkouts', person, { provider: 'test', planId: 'starter' })).statusCode).toBe(409)
  })

  it('waits for a choice among several businesses, locks it for 30 days, and follows ownership', async () => {
    const [first, second] = [await billing.addOwnBusiness(person, 'First Yard'), await billing.addOwnBusiness(person, 'Second Yard')]
    const bought = await billing.buy(person, { planId: 'starter' })
    expect(bought).toMatchObject({ business: null, abilities: { assign: true } })
    expect((await billing.standing(person, first.id)).entitlements).toEqual([])
    expect((await assign(bought.id, shop.id)).statusCode).toBe(403)
    expect((await assign(bought.id, first.id)).json()).toMatchObject({ business: { id: first.id }, abilities: { assign: false } })
    expect((await billing.standing(person, first.id)).entitlements).toContain('unlimited_menu')
    expect((await assign(bought.id, second.id)).json()).toMatchObject({ code: 'conflict', message: expect.stringMatching(/^You can move/) })
    await billing.provider.renewDue()
    test.clock.advance({ days: 30 })
    expect((await assign(bought.id, second.id)).json()).toMatchObject({ business: { id: second.id }, title: 'Starter for Second Yard' })
    expect((await billing.standing(person, first.id)).entitlements).toEqual([])
    expect((await billing.standing(person, second.id)).entitlements).toContain('unlimited_menu')

    const buyer = await test.signUp()
    await billing.stayIn()
    await joinBusiness(test.db, buyer.user.id, second.id, 'staff')
    await billing.call(person, 'POST', `/api/businesses/${second.id}/team/transfer`, { userId: buyer.user.id })
    expect((await billing.standing(buyer, second.id)).entitlements).toEqual([])
    expect((await assign(bought.id, first.id)).statusCode).toBe(200)
  })

  it('isn’t sold if the limit is already lifted, and ends with the paid period', async () => {
    const [own, full] = [await billing.addOwnBusiness(person, 'Own Yard'), await billing.addOwnBusiness(person, 'Full Yard')]
    await billing.buy(person, { planId: 'business_tools', businessId: full.id })
    const again = await test.request('POST', '/api/billing/checkouts', person, { provider: 'test', planId: 'starter', businessId: full.id })
    expect(again.json()).toMatchObject({ code: 'conflict', message: 'The menu of Full Yard is already unlimited.' })
    const bought = await billing.buy(person, { planId: 'starter', businessId: own.id })
    await billing.call(person, 'POST', `/api/billing/agreements/${bought.id}/cancellation`)
    expect(await billing.standing(person, own.id)).toMatchObject({ plans: [{ id: 'starter', endsAt: bought.paidUntil }] })
    test.clock.set(bought.paidUntil as string)
    expect((await billing.standing(person, own.id)).entitlements).toEqual([])
  })

  it('can lift a menu’s limit only as a person’s plan, which a database constraint enforces', async () => {
    const own = await billing.addOwnBusiness(person, 'Own Yard')
    const { id } = await billing.buy(person, { planId: 'business_tools', businessId: own.id })
    const lift = test.db.updateTable('agreements').set({ menu_business_id: own.id }).where('id', '=', id).execute()
    await expect(lift).rejects.toThrow('agreements_lift_menus_by_plans_of_people')
  })

  it('adds product updates to notifications and the digest, and lets the person turn them off', async () => {
    await addItem(owner, shop.id, 'Before')
    // Moves to another day, because news is grouped by day.
    await test.runJobs()
    await goOn({ days: 2 })
    expect(await newsOf(person)).toEqual([])
    await billing.addOwnBusiness(person, 'Own Yard')
    await billing.buy(person, { planId: 'starter' })
    await addItem(owner, shop.id, 'After')
    await test.runJobs()
    await goOn({ hours: 1 })
    // Without early news in the plan, the person gets it a day after subscribers do.
    expect(await newsOf(person)).toEqual([])
    await goOn({ days: 1 })
    expect(await newsOf(person)).toEqual(['new_product'])
    const morning = new Date(test.clock.now())
    morning.setUTCHours(33, 0, 0, 0)
    test.clock.set(morning)
    await test.ctx.jobs.enqueue('notifications.digests', {})
    expect((await mailsTo(test, person.email)).filter(({ text }) => text.includes('has something new on its menu'))).toHaveLength(1)

    const preferences = await billing.call<{ topics: { topic: string; channels: object }[] }>(
      person,
      'GET',
      '/api/notification-preferences',
    )
    const off = { in_app: false, email: false, push: false }
    expect(preferences.topics.find(({ topic }) => topic === 'products')?.channels).toEqual({ ...off, in_app: true, email: true })
    const topics = preferences.topics.map((each) => (each.topic === 'products' ? { ...each, channels: off } : each))
    const saved = await billing.call<typeof preferences>(person, 'PATCH', '/api/notification-preferences', { ...preferences, topics })
    expect(saved.topics.find(({ topic }) => topic === 'products')?.channels).toEqual(off)
  })
})

describe('Pro and VIP', () => {
  const exclusive = async () => {
    await billing.call(owner, 'POST', '/api/posts', {
      businessId: shop.id,
      title: 'Behind the gate',
      content: 'The upper terrace is ready.',
      postType: 'update',
      isExclusive: true,
    })
    return async () => (await billing.call<{ content: string }[]>(person, 'GET', `/api/businesses/${shop.id}/posts`))[0]?.content
  }

  it.each(['pro', 'vip'])(
    'lets %s unlock exclusive posts, subscriber prices, and early news of businesses that set no price',
    async (planId) => {
      const content = await exclusive()
      await billing.call(owner, 'POST', `/api/businesses/${shop.id}/menu-items`, {
        name: 'A',
        variants: [{ price: '10', memberPrice: '8' }],
      })
      const hasPrice = async () =>
        (await billing.call<{ hasMemberPrices: boolean }[]>(person, 'GET', `/api/businesses/${shop.id}/products`))[0]?.hasMemberPrices
      expect([await content(), await hasPrice()]).toEqual(['', false])
      await goOn({ minutes: 1 })
      await goOn({ days: 2 })
      const bought = await billing.buy(person, { planId })
      expect([await content(), await hasPrice()]).toEqual(['The upper terrace is ready.', true])
      await addItem(owner, shop.id, 'B')
      await goOn({ minutes: 1 })
      expect(await newsOf(person)).toEqual(['new_product'])

      await billing.buy(owner, { planId: 'business_tools', businessId: shop.id })
      await billing.call(owner, 'PUT', `/api/businesses/${shop.id}/subscription-offer`, {
        price: '9.00',
        currency: 'USD',
        title: 'Club',
        perks: [],
      })
      expect([await content(), await hasPrice()]).toEqual(['', false])
      await billing.call(owner, 'PUT', `/api/businesses/${shop.id}/subscription-offer`, {
        price: null,
        currency: 'USD',
        title: 'Club',
        perks: [],
      })
      await billing.call(person, 'POST', `/api/billing/agreements/${bought.id}/cancellation`)
      expect(await content()).toBe('The upper terrace is ready.')
      test.clock.set(bought.paidUntil as string)
      expect([await content(), await hasPrice()]).toEqual(['', false])
    },
  )

  it('points out before a Pro purchase that VIP costs less and includes all of Pro', async () => {
    const offered = await plans()
    const [pro, vip] = [offered.get('pro'), offered.get('vip')]
    expect(pro?.notice).toBe('VIP includes all of this for $39.99.')
    expect(pro?.details.join(' ')).toContain('Following businesses is free for everyone.')
    expect(new Set(pro?.entitlements).isSubsetOf(new Set(vip?.entitlements))).toBe(true)
  })

  it('unlocks messages to a business with VIP but not with Pro', async () => {
    const messages = messagesOf(test)
    const pro = await billing.buy(person, { planId: 'pro' })
    expect((await messages.tryToOpen(person, { kind: 'business', id: shop.id })).statusCode).toBe(403)
    await billing.buy(person, { planId: 'vip', replaces: pro.id })
    const { id } = await messages.open(person, { kind: 'business', id: shop.id })
    expect((await messages.tryToSend(person, id, 'Are you open?')).statusCode).toBe(201)
    expect((await billing.ownStanding(person)).entitlements).toEqual(expect.arrayContaining(['vip_events', 'priority_support']))
  })
})

describe('business plans', () => {
  const unlocked = async () => (await billing.call<PlanStatus>(owner, 'GET', `/api/businesses/${shop.id}/plan`)).entitlements.toSorted()
  const tools = ['own_prices', 'unlimited_menu', 'unlimited_locations', 'insights', 'priority_support']
  const verified = ['verified_badge', 'gallery', 'social_links', 'priority_support']

  it.each([
    ['verified', verified],
    ['business_tools', tools],
    ['pro_partner', [...new Set([...verified, ...tools])]],
  ])('lets %s unlock the features on its card', async (planId, expected) => {
    expect(await unlocked()).toEqual([])
    await billing.buy(owner, { planId, businessId: shop.id })
    expect(await unlocked()).toEqual(expected.toSorted())
  })

  it.each(['verified', 'pro_partner'])('lets %s put photos, a short video and social links on the page', async (planId) => {
    const url = `/api/businesses/${shop.id}`
    const [photo, clip] = [
      await addMedia(test.db, owner.user.id),
      await addMedia(test.db, owner.user.id, { kind: 'video', extension: 'mp4', duration_ms: 9000 }),
    ]
    const page = () => billing.call<PageExtras>(person, 'GET', `${url}/page-extras`)
    const { galleryVersion: version } = await billing.call<ManagedPageExtras>(owner, 'GET', `${url}/page-extras/managed`)
    const add = async () => [
      (await test.request('PUT', `${url}/gallery`, owner, { items: [{ mediaId: clip.id }, { mediaId: photo.id }], version })).statusCode,
      (await test.request('PATCH', `${url}/social-links`, owner, { instagram: 'corner' })).statusCode,
    ]
    expect(await add()).toEqual([409, 409])
    const bought = await billing.buy(owner, { planId, businessId: shop.id })
    expect(await page()).toEqual({ gallery: [], socialLinks: [] })
    expect(await add()).toEqual([200, 200])
    const { gallery, socialLinks } = await page()
    expect(gallery.map(({ media }) => media.kind)).toEqual(['video', 'image'])
    expect(socialLinks).toEqual([{ network: 'instagram', url: 'https://www.instagram.com/corner' }])

    await billing.call(owner, 'POST', `/api/billing/agreements/${bought.id}/cancellation`)
    expect((await page()).gallery).toHaveLength(2)
    test.clock.set(bought.paidUntil as string)
    expect(await page()).toEqual({ gallery: [], socialLinks: [] })
  })

  it('adds no social links with Business Tools', async () => {
    await billing.buy(owner, { planId: 'business_tools', businessId: shop.id })
    const answer = await test.request('PATCH', `/api/businesses/${shop.id}/social-links`, owner, { x: 'corner' })
    expect(answer.json()).toMatchObject({ code: 'plan_limit' })
  })

  it('shows the Verified badge only after the license is verified', async () => {
    await billing.buy(owner, { planId: 'verified', businessId: shop.id })
    const badge = async () =>
      (await billing.call<{ hasVerifiedBadge: boolean }>(person, 'GET', `/api/businesses/${shop.id}`)).hasVerifiedBadge
    expect(await badge()).toBe(false)
    const license = test.db.updateTable('businesses').where('id', '=', shop.id)
    await license.set({ license_verified_through: '2060-01-01' }).execute()
    test.ctx.cache.invalidate('businesses')
    expect(await badge()).toBe(true)
  })
})
