import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Notification } from '#contracts/notifications.ts'
import { notificationOwners } from '#server/app/registries.ts'
import type { Mail } from '#server/kernel/mail.ts'
import { type Deliveries, startDeliveries } from '#tests/support/deliveries.ts'
import * as social from '#tests/support/social.ts'
import type { TestApp, TestPerson } from '#tests/support/test-app.ts'
import { mailDue } from './send-mails.ts'

let test: TestApp
let ann: TestPerson
let ben: TestPerson
let mails: Mail[]
let d: Deliveries

beforeAll(async () => {
  d = await startDeliveries()
  ;({ test, ann, ben, mails } = d)
})
afterAll(() => d?.close())
beforeEach(() => d.reset())

async function runDigests() {
  await test.ctx.jobs.enqueue('notifications.digests', {})
  await test.runJobs()
}
const unread = async (as = ann) => (await test.request('GET', '/api/notifications/unread-count', as)).json().count as number

describe('the preference form', () => {
  it('starts with the specified defaults and stores only the differences', async () => {
    const given = await d.preferences()
    expect(given).toMatchObject({ isEmailOn: true, emailRhythm: 'daily', quietHours: null, timeZone: 'UTC' })
    expect(given.topics.find(({ topic }) => topic === 'posts')?.channels).toEqual({ in_app: true, email: true, push: true })
    expect(given.topics.find(({ topic }) => topic === 'products')?.channels).toEqual({ in_app: false, email: false, push: false })
    const topics = given.topics.map((each) => (each.topic === 'likes' ? { ...each, channels: { ...each.channels, in_app: false } } : each))
    await d.prefer({ topics, quietHours: { from: 1320, until: 420 }, timeZone: 'America/Denver', emailRhythm: 'weekly' })
    expect(await d.preferences()).toEqual({
      topics,
      isEmailOn: true,
      emailRhythm: 'weekly',
      quietHours: { from: 1320, until: 420 },
      timeZone: 'America/Denver',
      isPromptOn: true,
    })
    expect(await test.db.selectFrom('notification_choices').selectAll().execute()).toEqual([
      { user_id: ann.user.id, topic: 'likes', channel: 'in_app', is_on: false },
    ])
    await d.prefer({ topics: given.topics })
    expect(await test.db.selectFrom('notification_choices').selectAll().execute()).toEqual([])
  })

  it('changes only what is sent, so an outdated page keeps changes made on another', async () => {
    await d.prefer({
      emailRhythm: 'weekly',
      quietHours: { from: 1320, until: 420 },
      topics: [{ topic: 'posts', channels: { push: false } }],
    })
    await d.prefer({ isEmailOn: false })
    await d.prefer({ timeZone: 'America/Denver', topics: [{ topic: 'posts', channels: { email: false } }] })
    await d.prefer({})
    const saved = await d.preferences()
    const delivery = { isEmailOn: false, emailRhythm: 'weekly', isPromptOn: true, quietHours: { from: 1320, until: 420 } }
    expect(saved).toMatchObject({ ...delivery, timeZone: 'America/Denver' })
    expect(saved.topics.find(({ topic }) => topic === 'posts')?.channels).toEqual({ in_app: true, email: false, push: false })
    await d.prefer({ quietHours: null })
    expect(await d.preferences()).toEqual({ ...saved, quietHours: null })
  })

  it.each(['Mars/Olympus', '+02:00', ''])('rejects the time zone %j', async (timeZone) => {
    const answer = await test.request('PATCH', '/api/notification-preferences', ann, { timeZone })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().fields).toHaveProperty('timeZone')
  })

  it('uses the last value if a topic is given twice', async () => {
    const given = await d.preferences()
    const { topic } = given.topics[0] as (typeof given.topics)[number]
    const choice = (push: boolean) => ({ topic, channels: { in_app: false, email: false, push } })
    await d.prefer({ topics: [choice(true), choice(false)] })
    expect((await d.preferences()).topics[0]).toEqual(choice(false))
  })

  it('can hide notifications in the app that are still emailed', async () => {
    const { topics } = await d.preferences()
    await d.prefer({
      emailRhythm: 'each',
      topics: topics.map((each) => (each.topic === 'comments' ? { ...each, channels: { in_app: false, email: true, push: false } } : each)),
    })
    await d.comment()
    expect(await unread()).toBe(0)
    expect((await test.request('GET', '/api/notifications', ann)).json()).toEqual([])
    await d.wait({ minutes: 4 })
    expect(mails).toHaveLength(1)
  })
})

describe('a single email', () => {
  beforeEach(() => d.prefer({ emailRhythm: 'each' }))

  it('is sent once after a few minutes, without quoting the comment', async () => {
    const postId = await d.comment('Well said')
    expect(mails).toEqual([])
    await d.wait({ minutes: 4 })
    await d.wait({ hours: 1 })
    expect(mails).toHaveLength(1)
    const [{ to, subject, text, headers }] = mails as [Mail]
    expect({ to, subject }).toEqual({ to: ann.email, subject: 'You have 1 new notification' })
    expect(text).toContain(`Ben Birch commented on “Talk”\nhttp://localhost:3000/post/${postId}#comment-`)
    expect(text).not.toContain('Well said')
    expect(headers?.['List-Unsubscribe']).toMatch(/^<http:\/\/localhost:3000\/api\/unsubscribe\/[^>]+>, <mailto:[^>]+>$/)
    expect(headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
    await test.db.transaction().execute((tx) => test.ctx.jobs.enqueue('notifications.mail-due', { userIds: [ann.user.id] }, { tx }))
    await test.runJobs()
    await runDigests()
    expect(mails).toHaveLength(1)
  })

  it('is sent only once despite concurrent processes', async () => {
    await d.comment()
    await Promise.all(Array.from({ length: 8 }, () => mailDue(test.ctx, notificationOwners, { userIds: [ann.user.id] })))
    await test.runJobs()
    expect(mails).toHaveLength(1)
  })

  it('skips notifications read in the meantime, likes, and people with email turned off', async () => {
    await d.comment()
    await test.request('POST', '/api/notifications/mark-all-read', ann)
    await d.wait({ minutes: 4 })
    const postId = await social.addPost(test.db, { author_id: ann.user.id })
    await social.addLike(test.db, postId, ben.user.id)
    await d.happen('post.liked', { postId, userId: ben.user.id })
    await d.wait({ minutes: 4 })
    await d.comment()
    await d.prefer({ isEmailOn: false })
    await d.wait({ minutes: 4 })
    expect(mails).toEqual([])
  })

  it('covers many notifications and lists the first 20', async () => {
    for (let i = 0; i < 25; i++) await d.comment()
    await d.wait({ minutes: 4 })
    expect(mails.map(({ subject }) => subject)).toEqual(['You have 25 new notifications'])
    expect(mails[0]?.text.match(/Ben Birch commented/g)).toHaveLength(20)
    expect(mails[0]?.text).toContain('and 5 more')
  })

  it('waits for the end of quiet hours, even when the clock jumps back', async () => {
    await d.prefer({ quietHours: { from: 22 * 60, until: 7 * 60 }, timeZone: 'America/Denver' })
    test.clock.set('2026-11-24T04:58:00Z') // 21:58 in Denver.
    await d.comment()
    await d.wait({ minutes: 4 })
    expect(mails, '22:02').toEqual([])
    await d.wait({ hours: 8 })
    expect(mails, '6:02').toEqual([])
    await d.wait({ hours: -2 })
    expect(mails, 'back to 4:02').toEqual([])
    await d.wait({ hours: 3 })
    expect(mails, '7:02').toHaveLength(1)
    await d.wait({ days: 2 })
    expect(mails).toHaveLength(1)
  })

  it('waits for the end of a suspension', async () => {
    const until = new Date(test.clock.now().getTime() + 3_600_000)
    const suspend = (suspended_until: Date | null, banned_at: Date | null = null) =>
      test.db.updateTable('users').set({ suspended_until, banned_at }).where('id', '=', ann.user.id).execute()
    for (const [end, banned] of [
      [until, null],
      [null, test.clock.now()],
    ] as const) {
      await suspend(end, banned)
      await d.comment()
      await d.wait({ minutes: 4 })
      expect(mails).toEqual([])
    }
    await suspend(until)
    await d.wait({ hours: 1 })
    await d.comment()
    await d.wait({ minutes: 4 })
    expect(mails).toHaveLength(3)
    await suspend(null)
  })

  it('never goes to demo accounts, or to unconfirmed addresses if confirmation is required', async () => {
    await test.db.updateTable('users').set({ is_demo: true }).where('id', '=', ann.user.id).execute()
    await d.comment()
    await d.wait({ minutes: 4 })
    await test.db.updateTable('users').set({ is_demo: false }).where('id', '=', ann.user.id).execute()
    expect(mails).toEqual([])
    const { config } = test.ctx
    test.ctx.config = { ...config, emailVerification: 'required' }
    await d.comment()
    await d.wait({ minutes: 4 })
    expect(mails).toEqual([])
    await test.db.updateTable('users').set({ email_verified: true }).where('id', '=', ann.user.id).execute()
    await d.comment()
    await d.wait({ minutes: 4 })
    expect(mails.length).toBeGreaterThan(0)
    test.ctx.config = config
    await test.db.updateTable('users').set({ email_verified: false }).where('id', '=', ann.user.id).execute()
  })
})

describe('an email outside the digest', () => {
  const request = async (method: 'POST' | 'PUT', url: string, as: TestPerson, payload: object) => {
    const answer = await test.request(method, url, as, payload)
    expect(answer.statusCode, answer.body).toBeLessThan(300)
    await test.runJobs()
    return answer.json()
  }
  const reviewBy = async (reviewer: TestPerson, businessId: string, rating: number) =>
    request('PUT', `/api/businesses/${businessId}/rating`, reviewer, { rating, review: `It was ${rating} stars` })
  const toAnn = () => mails.filter(({ to }) => to === ann.email)
  let shopId: string

  beforeAll(async () => {
    const shop = { businessType: 'dispensary', businessName: 'Cedar Corner', location: 'Denver, CO' }
    shopId = (await request('POST', '/api/businesses', ann, shop)).id
  })

  it('announces even a single review if it has under 4 stars', async () => {
    await reviewBy(ben, shopId, 2)
    expect(toAnn()).toEqual([])
    await d.wait({ minutes: 4 })
    expect(toAnn()).toHaveLength(1)
    expect(toAnn()[0]).toMatchObject({ to: ann.email, subject: 'You have 1 new notification' })
    expect(toAnn()[0]?.text).toContain('Ben Birch gave Cedar Corner 2 stars\nhttp://localhost:3000/business/')
    expect(toAnn()[0]?.text).not.toContain('It was 2 stars')
    await reviewBy(await test.signUp({ firstName: 'Cleo', lastName: 'Cedar' }), shopId, 1)
    await d.wait({ minutes: 4 })
    expect(toAnn()[1]?.text).toContain('Cleo Cedar gave Cedar Corner 1 star\n')
    expect(toAnn()[1]?.text).not.toContain('Ben Birch')
  })

  it('has one entry in the app, dated when the review was lowered to under 4 stars', async () => {
    const cleo = await test.signUp({ firstName: 'Cleo', lastName: 'Cedar' })
    await reviewBy(cleo, shopId, 5)
    await d.wait({ days: 3 })
    const before = test.clock.now().toISOString()
    await reviewBy(cleo, shopId, 1)
    const after = test.clock.now().toISOString()
    await d.wait({ minutes: 1 })
    await reviewBy(cleo, shopId, 2)
    const news = (await test.request('GET', '/api/notifications', ann)).json() as Notification[]
    expect(news.map(({ type }) => type)).toEqual(['low_review', 'review'])
    const [{ createdAt }] = news as [Notification]
    expect(createdAt >= before && createdAt <= after).toBe(true)
  })

  it('leaves a 4-star review and a comment to the digest', async () => {
    await reviewBy(await test.signUp(), shopId, 4)
    await d.comment()
    await d.wait({ minutes: 4 })
    expect(toAnn()).toEqual([])
    test.clock.set('2026-11-24T08:05:00Z')
    await runDigests()
    expect(toAnn()).toHaveLength(1)
    expect(toAnn()[0]?.subject).toBe('You have 2 new notifications')
  })

  it('waits for people who prefer the digest, and is sent once to people who get every notification', async () => {
    await d.prefer({ isPromptOn: false })
    await reviewBy(await test.signUp(), shopId, 1)
    await d.wait({ minutes: 4 })
    expect(toAnn()).toEqual([])
    test.clock.set('2026-11-24T08:05:00Z')
    await runDigests()
    expect(toAnn()).toHaveLength(1)
    await d.prefer({ emailRhythm: 'each', isPromptOn: true })
    await reviewBy(await test.signUp(), shopId, 3)
    await d.wait({ minutes: 4 })
    await d.wait({ hours: 1 })
    expect(toAnn()).toHaveLength(2)
  })
})

describe('unsubscribing', () => {
  async function unsubscribeUrl() {
    await d.prefer({ emailRhythm: 'each' })
    await d.comment()
    await d.wait({ minutes: 4 })
    const [, url = ''] = /<([^>]+)>/.exec(mails.at(-1)?.headers?.['List-Unsubscribe'] ?? '') ?? []
    return new URL(url).pathname
  }

  it('takes one click in the email app, even from another site and without a session', async () => {
    const url = await unsubscribeUrl()
    const answer = await test.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site', origin: 'https://mail.example' },
      payload: 'List-Unsubscribe=One-Click',
    })
    expect(answer.statusCode, answer.body).toBe(204)
    expect(await d.preferences()).toMatchObject({ isEmailOn: false, emailRhythm: 'each' })
    await d.comment()
    await d.wait({ minutes: 4 })
    expect(mails).toHaveLength(1)
  })

  it('is offered by a page that changes nothing when opened', async () => {
    const url = await unsubscribeUrl()
    const page = await test.app.inject({ url: url.replace('/api', '') })
    expect(page.statusCode).toBe(200)
    expect(page.headers['referrer-policy']).toBe('no-referrer')
    const [, action = ''] = /action="([^"]+)"/.exec(page.body) ?? []
    expect(action).toBe(url)
    expect((await d.preferences()).isEmailOn).toBe(true)
    const done = await test.app.inject({
      method: 'POST',
      url: action,
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
      payload: '',
    })
    expect(done.body).toContain('unsubscribed from notification emails')
    expect((await d.preferences()).isEmailOn).toBe(false)
  })

  it('refuses an invalid token or another person’s', async () => {
    const url = await unsubscribeUrl()
    const forged = url.replace(ann.user.id, ben.user.id)
    for (const wrong of [forged, `${url}x`, '/api/unsubscribe/a.b']) {
      expect((await test.app.inject({ method: 'POST', url: wrong })).statusCode, wrong).toBe(404)
      expect((await test.app.inject({ url: wrong.replace('/api', '') })).statusCode, wrong).toBe(404)
    }
    expect((await d.preferences(ben)).isEmailOn).toBe(true)
  })
})
