import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addBusiness } from '#tests/support/businesses.ts'
import { type Deliveries, startDeliveries } from '#tests/support/deliveries.ts'
import type { MemoryJobs } from '#tests/support/memory-jobs.ts'
import { messagesOf } from '#tests/support/messages.ts'
import * as social from '#tests/support/social.ts'
import type { TestApp, TestPerson } from '#tests/support/test-app.ts'
import { sendPush } from './pushes.ts'

let test: TestApp
let ann: TestPerson
let ben: TestPerson
let d: Deliveries

beforeAll(async () => {
  d = await startDeliveries()
  ;({ test, ann, ben } = d)
})
afterAll(() => d?.close())
beforeEach(() => d.reset())

describe('a push', () => {
  const subscription = (name: string) => ({ endpoint: `https://push.example.com/${name}`, keys: { p256dh: 'p', auth: 'a' } })
  const save = (name: string, as = ann) => test.request('PUT', '/api/push/subscription', as, subscription(name))

  it('goes once to each browser and contains only a count', async () => {
    for (const name of ['phone', 'laptop', 'phone']) expect((await save(name)).statusCode).toBe(204)
    await d.comment('Secret words', 'A title')
    await d.comment()
    await d.wait({ seconds: 15 })
    await d.wait({ hours: 1 })
    expect(d.pushes.map(({ target }) => target.endpoint).sort()).toEqual([
      'https://push.example.com/laptop',
      'https://push.example.com/phone',
    ])
    for (const { message } of d.pushes) {
      expect(message).toEqual({ title: 'Sungrove', body: 'You have 2 new notifications', url: '/notifications' })
    }
  })

  it('replaces the previous one and adds its unread notifications to the count, for a day', async () => {
    await save('phone')
    const bodies = () => d.pushes.map(({ message }) => message.body)
    const chat = messagesOf(test)
    for (const name of ['Cal', 'Dee']) {
      const writer = await test.signUp({ firstName: name })
      await chat.send(writer, await chat.between(ann, writer), 'Hello')
      await test.runJobs()
      await d.wait({ seconds: 15 })
    }
    await d.comment()
    await d.wait({ seconds: 15 })
    expect(bodies()).toEqual(['You have 1 new notification', 'You have 2 new notifications', 'You have 3 new notifications'])
    expect(d.pushes.map(({ message }) => message.url)).toEqual(['/messages', '/messages', '/notifications'])
    await d.wait({ days: 1 })
    await d.comment()
    await d.wait({ seconds: 15 })
    expect(bodies().at(-1)).toBe('You have 1 new notification')
  })

  it('no longer goes to a browser whose subscription ended or was removed', async () => {
    await save('phone')
    d.answers.push = 'gone'
    await d.comment()
    await d.wait({ seconds: 15 })
    expect(d.pushes).toHaveLength(1)
    await d.comment()
    await d.wait({ seconds: 15 })
    expect(d.pushes).toHaveLength(1)
    d.answers.push = 'sent'
    await save('laptop')
    const removal = { endpoint: subscription('laptop').endpoint }
    expect((await test.request('POST', '/api/push/subscription/removals', ben, removal)).statusCode).toBe(204)
    expect(await test.db.selectFrom('push_subscriptions').selectAll().execute(), 'not another person’s subscription').toHaveLength(1)
    await test.request('POST', '/api/push/subscription/removals', ann, removal)
    await d.comment()
    await d.wait({ seconds: 15 })
    expect(d.pushes).toHaveLength(1)
  })

  it('no longer goes to a browser whose push service has failed for three days', async () => {
    await save('phone')
    d.answers.push = new Error('The push service responded with 500.')
    const count = async () => (await test.db.selectFrom('push_subscriptions').selectAll().execute()).length
    const push = async () => {
      const [row] = await test.db.selectFrom('push_subscriptions').select('id').execute()
      return sendPush(test.ctx, { userId: ann.user.id, subscriptionId: row?.id as string, count: 1 })
    }
    await expect(push()).rejects.toThrow('500')
    test.clock.advance({ days: 2 })
    await expect(push()).rejects.toThrow('500')
    d.answers.push = 'sent'
    await push()
    d.answers.push = new Error('The push service responded with 500.')
    test.clock.advance({ days: 2 })
    await expect(push()).rejects.toThrow('500')
    expect(await count()).toBe(1)
    // The next failure is too late to belong to the same outage.
    test.clock.advance({ days: 4 })
    await expect(push()).rejects.toThrow('500')
    test.clock.advance({ days: 2 })
    await expect(push()).rejects.toThrow('500')
    test.clock.advance({ days: 1 })
    await push()
    expect(await count()).toBe(0)
  })

  it('counts only the last day’s notifications in a new browser', async () => {
    await d.comment()
    await d.wait({ days: 2 })
    await save('phone')
    await d.comment()
    await d.wait({ seconds: 15 })
    expect(d.pushes.map(({ message }) => message.body)).toEqual(['You have 1 new notification'])
  })

  it('no longer goes to a browser in which the person signed out, there or from another device', async () => {
    const signIn = async (): Promise<TestPerson> => {
      const { cookies } = await test.request('POST', '/api/login', null, { email: ann.email, password: ann.password })
      const session = cookies.find(({ name }) => name === test.sessionCookieName)
      return { ...ann, cookie: `${session?.name}=${encodeURIComponent(session?.value ?? '')}` }
    }
    const [phone, laptop] = [await signIn(), await signIn()]
    await save('phone', phone)
    await save('laptop', laptop)
    const endpoints = async () => (await test.db.selectFrom('push_subscriptions').select('endpoint').execute()).map((row) => row.endpoint)
    await test.request('GET', '/api/logout', phone)
    expect(await endpoints()).toEqual([subscription('laptop').endpoint])
    await test.request('POST', '/api/sign-in/sessions/end-others', ann)
    expect(await endpoints()).toEqual([])
  })

  it('goes to a browser that subscribed without a session only while the person has a session from that time', async () => {
    await save('phone')
    const subscribedAt = async (created_at: Date) => {
      await test.db.updateTable('push_subscriptions').set({ session_id: null, created_at }).execute()
      await d.comment()
      await d.wait({ seconds: 15 })
      return d.pushes.length
    }
    const { first } = await test.db
      .selectFrom('sessions')
      .select((eb) => eb.fn.min('created_at').as('first'))
      .where('user_id', '=', ann.user.id)
      .executeTakeFirstOrThrow()
    expect(await subscribedAt(first)).toBe(1)
    expect(await subscribedAt(new Date(first.getTime() - 1))).toBe(1)
  })

  it('goes to a browser only for the last person who subscribed in it, and to at most ten browsers per person', async () => {
    for (let i = 0; i < 12; i++) await save(`browser-${i}`)
    await save('browser-11', ben)
    const rows = await test.db.selectFrom('push_subscriptions').select(['user_id', 'endpoint']).orderBy('id').execute()
    expect(rows.filter(({ user_id }) => user_id === ann.user.id)).toHaveLength(9)
    expect(rows.filter(({ user_id }) => user_id === ben.user.id).map(({ endpoint }) => endpoint)).toEqual([
      'https://push.example.com/browser-11',
    ])
  })

  it('waits until the quiet hours end', async () => {
    await save('phone')
    await d.prefer({ quietHours: { from: 15 * 60, until: 16 * 60 } })
    await d.comment()
    await d.wait({ minutes: 30 })
    expect(d.pushes).toEqual([])
    await d.wait({ minutes: 31 })
    expect(d.pushes).toHaveLength(1)
  })

  it('isn’t repeated for every comment in a flood, and neither is an email', async () => {
    await save('phone')
    await d.prefer({ emailRhythm: 'each' })
    const postId = await d.comment()
    const more = async () =>
      d.happen('comment.written', {
        commentId: await social.addComment(test.db, { post_id: postId, author_id: ben.user.id, created_at: test.clock.now() }),
      })
    for (let i = 0; i < 30; i++) {
      await d.wait({ seconds: 15 })
      await more()
    }
    await d.wait({ minutes: 4 })
    expect([d.pushes.length, d.mails.length]).toEqual([1, 1])
    await d.wait({ hours: 1 })
    await more()
    await d.wait({ minutes: 4 })
    expect([d.pushes.length, d.mails.length]).toEqual([2, 2])
  })

  it('about messages is repeated only after all are read, and leads to them unless there is other news', async () => {
    await save('phone')
    const chat = messagesOf(test)
    const id = await chat.between(ann, ben)
    const write = async () => {
      const { sequence } = await chat.send(ben, id, 'Hello')
      await test.runJobs()
      await d.wait({ seconds: 15 })
      return sequence
    }
    const first = await write()
    expect(d.pushes.map(({ message }) => message.url)).toEqual(['/messages'])
    await write()
    expect(d.pushes, 'while unread').toHaveLength(1)
    await chat.read(ann, id, first)
    await write()
    expect(d.pushes, 'partly read').toHaveLength(1)
    await chat.read(ann, id, first + 2)
    await d.comment()
    await write()
    expect(d.pushes.map(({ message }) => message.url)).toEqual(['/messages', '/notifications'])
  })

  it('leaves no jobs behind if quiet hours last all day, and neither does an email', async () => {
    await save('phone')
    await d.prefer({ quietHours: { from: 0, until: 0 }, emailRhythm: 'each' })
    for (let i = 0; i < 3; i++) await d.comment()
    await d.wait({ minutes: 4 })
    const deliveries = (test.ctx.jobs as MemoryJobs).waiting.filter(({ name }) => /-due$/.test(name))
    expect(deliveries).toEqual([])
    expect([...d.pushes, ...d.mails]).toEqual([])
    await d.prefer({ quietHours: null })
    await d.comment()
    await d.wait({ minutes: 4 })
    expect(d.pushes.map(({ message }) => message.body)).toEqual(['You have 4 new notifications'])
  })

  it('can’t use keys or addresses that the database can’t store', async () => {
    const given = subscription('x')
    for (const payload of [
      { ...given, endpoint: 'https://push.example.com/\0' },
      { ...given, keys: { ...given.keys, auth: '\0' } },
      { ...given, keys: { ...given.keys, p256dh: '\0' } },
    ]) {
      expect((await test.request('PUT', '/api/push/subscription', ann, payload)).statusCode).toBe(400)
    }
    expect((await test.request('POST', '/api/push/subscription/removals', ann, { endpoint: '\0' })).statusCode).toBe(400)
  })

  it.each([
    'http://push.example.com/x',
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://localhost/x',
    'https://printer.local/x',
    'https://push.example.com:8443/x',
  ])('does not go to %s', async (endpoint) => {
    expect((await test.request('PUT', '/api/push/subscription', ann, { ...subscription('x'), endpoint })).statusCode).toBe(400)
  })
})

it('leaks no content, place, tag, or comment of an exclusive post into notifications, emails, or pushes for outsiders', async () => {
  const canary = 'canary-7f3a'
  const { id } = await addBusiness(test.db, { type: 'farm', name: 'Hidden Farm' })
  await social.joinBusiness(test.db, ben.user.id, id)
  await social.followBusiness(test.db, ann.user.id, id)
  const subscriber = await test.signUp()
  await social.followBusiness(test.db, subscriber.user.id, id)
  await social.subscribeTo(test.db, subscriber.user.id, id)
  await d.prefer({ emailRhythm: 'each' })
  await test.request('PUT', '/api/push/subscription', ann, {
    endpoint: 'https://push.example.com/canary',
    keys: { p256dh: 'p', auth: 'a' },
  })
  const postId = await social.addPost(test.db, {
    author_id: ben.user.id,
    business_id: id,
    title: 'Members only',
    content: `${canary} content`,
    is_exclusive: true,
    place: `${canary} place`,
    tags: [canary],
  })
  await d.happen('post.published', { postId })
  const commentId = await social.addComment(test.db, { post_id: postId, author_id: subscriber.user.id, content: `${canary} comment` })
  await d.happen('comment.written', { commentId })
  // Someone who commented as a subscriber and has unsubscribed isn't notified of replies.
  const lapsed = await social.addComment(test.db, { post_id: postId, author_id: ann.user.id, content: `${canary} mine` })
  await d.happen('comment.written', {
    commentId: await social.addComment(test.db, {
      post_id: postId,
      author_id: subscriber.user.id,
      parent_id: lapsed,
      content: `${canary} reply`,
    }),
  })
  await d.wait({ minutes: 4 })

  const answer = await test.request('GET', '/api/notifications', ann)
  expect(answer.json()).toMatchObject([{ title: 'Hidden Farm has an update: “Members only”', content: '' }])
  expect(d.mails.filter(({ to }) => to === ann.email)).toHaveLength(1)
  expect(d.pushes).toHaveLength(1)
  const rows = await test.db.selectFrom('notifications').selectAll().execute()
  expect(`${answer.body}${JSON.stringify([rows, d.pushes, d.mails])}`).not.toContain(canary)
  expect((await test.request('GET', '/api/notifications', subscriber)).body).toContain(`${canary} content`)
})

it('omits from a digest any notifications that went unread for weeks while emails were off', async () => {
  const digest = async () => {
    await test.ctx.jobs.enqueue('notifications.digests', {})
    await test.runJobs()
  }
  await d.prefer({ isEmailOn: false })
  await d.comment('Weeks ago', 'Old')
  await d.wait({ days: 20 })
  await d.comment('Just now', 'New')
  await d.prefer({ isEmailOn: true })
  test.clock.set('2026-12-14T08:05:00Z')
  await digest()
  await d.wait({ days: 1 })
  await digest()
  expect(d.mails.map(({ subject }) => subject)).toEqual(['You have 1 new notification'])
  expect(d.mails[0]?.text).toContain('“New”')
})

it('uses the device’s time zone until the person chooses one', async () => {
  const seen = (timeZone: string) => test.request('PUT', '/api/notification-preferences/device-time-zone', ann, { timeZone })
  expect((await seen('America/Denver')).statusCode).toBe(204)
  expect(await d.preferences()).toMatchObject({ timeZone: 'America/Denver' })
  await seen('Asia/Tokyo')
  expect(await d.preferences()).toMatchObject({ timeZone: 'America/Denver' })
  await d.prefer({ timeZone: 'Etc/UTC' })
  await seen('America/Denver')
  expect(await d.preferences()).toMatchObject({ timeZone: 'Etc/UTC' })
  // Saving a digest or a switch creates the row without a chosen zone.
  await test.db.updateTable('notification_settings').set({ time_zone: 'UTC' }).where('user_id', '=', ann.user.id).execute()
  await seen('America/Denver')
  expect(await d.preferences()).toMatchObject({ isEmailOn: true, timeZone: 'America/Denver' })
  expect((await seen('Mars/Olympus')).statusCode).toBe(400)
})
