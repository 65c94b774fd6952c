import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BusinessEvent } from '#contracts/events.ts'
import type { Notification } from '#contracts/notifications.ts'
import { denver, eventWorld } from '#tests/support/business-events.ts'
import { type Deliveries, startDeliveries } from '#tests/support/deliveries.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { addPeople, followBusiness, subscribeTo } from '#tests/support/social.ts'
import type { TestPerson } from '#tests/support/test-app.ts'
import { moderatedEvent } from './event.moderated.ts'
import { eventJobs } from './index.ts'

let d: Deliveries
let world: Awaited<ReturnType<typeof eventWorld>>

beforeAll(async () => {
  d = await startDeliveries()
  world = await eventWorld(d.test)
})
afterAll(() => d?.close())
beforeEach(async () => {
  for (const table of ['events', 'business_follows', 'subscriptions'] as const) await d.test.db.deleteFrom(table).execute()
  await d.test.db.updateTable('users').set({ following_count: 0 }).execute()
  // Monday, 8 AM in Denver.
  await d.reset()
})

const remindDue = () => eventJobs(d.test.ctx)['events.remind-due']({})
async function newsOf(person: TestPerson): Promise<Notification[]> {
  await d.test.runJobs()
  return (await d.test.request('GET', '/api/notifications', person)).json() as Notification[]
}
const titlesOf = async (person: TestPerson) => (await newsOf(person)).map(({ title }) => title)
const newsMails = (person: TestPerson) => d.mails.filter(({ to, subject }) => to === person.email && subject.includes('notification'))
const reminderRows = () => d.test.db.selectFrom('notifications').select('id').where('type', '=', 'event_reminder').execute()
const at = (startsLocal: string, endsLocal: string, given: object = {}) => ({
  title: 'Open house',
  description: 'Come and look around.',
  timeZone: denver,
  city: 'Denver, CO',
  startsLocal,
  endsLocal,
  ...given,
})
const create = (details: object) => world.made<BusinessEvent>(world.owner, 'POST', `/api/businesses/${world.shop.id}/events`, details)
const edit = (id: string, details: object) => world.made<BusinessEvent>(world.owner, 'PUT', `/api/events/${id}`, details)
const thursday = at('2026-12-03T18:00', '2026-12-03T20:00')

describe('a new event', () => {
  it('is announced once to interested followers of legal age in its audience', async () => {
    const { db } = d.test
    const [follower, subscriber, vip, unwilling] = [
      await d.test.signUp(),
      await d.test.signUp(),
      await d.test.signUp(),
      await d.test.signUp(),
    ]
    const young = await d.test.signUp({ birthday: '2007-01-01' })
    const outsideVip = await world.vip()
    for (const person of [follower, subscriber, vip, young, unwilling]) await followBusiness(db, person.user.id, world.shop.id)
    await subscribeTo(db, subscriber.user.id, world.shop.id)
    await grantPlan(db, { userId: vip.user.id, planId: 'vip' })
    const { topics } = await d.preferences(unwilling)
    const off = { in_app: false, email: false, push: false }
    await d.prefer({ topics: topics.map((each) => (each.topic === 'posts' ? { ...each, channels: off } : each)) }, unwilling)

    const people = { follower, subscriber, vip, unwilling, young, outsideVip, owner: world.owner }
    const notified: Record<string, string[]> = {}
    for (const audience of ['everyone', 'subscribers', 'vip'] as const) {
      const event = await create({ ...thursday, audience, title: `For ${audience}` })
      await d.test.runJobs()
      await d.happen('event.announced', { eventId: event.id })
    }
    for (const [who, person] of Object.entries(people))
      notified[who] = (await titlesOf(person)).map((title) => /“For (\w+)”/.exec(title)?.[1] ?? title)
    expect(notified).toEqual({
      follower: ['everyone'],
      subscriber: ['subscribers', 'everyone'],
      vip: ['vip', 'everyone'],
      unwilling: [],
      young: [],
      outsideVip: [],
      owner: [],
    })
    const [news] = (await newsOf(follower)) as [Notification]
    expect(news.title).toBe('Lantern House announced “For everyone”, Thu, Dec 3, 6:00 PM MST')
    expect(news.actionUrl).toMatch(/^\/events\/[0-9a-f-]{36}$/)
  })

  it('reaches every follower of a popular business', async () => {
    const ids = await addPeople(d.test.db, 2100)
    await d.test.db
      .insertInto('business_follows')
      .values(ids.map((user_id) => ({ user_id, business_id: world.shop.id })))
      .execute()
    const event = await create(thursday)
    await d.test.runJobs()
    const { count } = await d.test.db
      .selectFrom('notifications')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('event_id', '=', event.id)
      .executeTakeFirstOrThrow()
    expect(count).toBe(2100)
  })

  it('disappears from the notifications once canceled', async () => {
    const follower = await d.test.signUp()
    await followBusiness(d.test.db, follower.user.id, world.shop.id)
    const event = await create(thursday)
    expect(await titlesOf(follower)).toHaveLength(1)
    await world.made(world.owner, 'PUT', `/api/events/${event.id}/cancellation`, {})
    expect(await titlesOf(follower)).toEqual([])
  })
})

describe('a reminder', () => {
  it('arrives at the same time the day before, once, even with concurrent runs', async () => {
    const person = await d.test.signUp()
    const event = await create(thursday)
    await world.rsvp(person, event.id)
    d.test.clock.set('2026-12-03T00:59:00Z')
    await remindDue()
    expect(await titlesOf(person)).toEqual([])
    d.test.clock.set('2026-12-03T01:00:00Z')
    await Promise.all(Array.from({ length: 8 }, remindDue))
    expect(await titlesOf(person)).toEqual(['You’re going to “Open house” by Lantern House: Thu, Dec 3, 6:00 PM MST'])
    // The clock goes back, then jumps ahead.
    for (const time of ['2026-12-02T12:00:00Z', '2026-12-03T02:00:00Z', '2026-12-04T00:00:00Z']) {
      d.test.clock.set(time)
      await remindDue()
      await d.happen('event.due', { eventId: event.id, startsAt: event.startsAt, userIds: [person.user.id] })
    }
    expect(await reminderRows()).toHaveLength(1)
  })

  it('is sent only once to each of many people despite concurrent runs', async () => {
    const event = await create(thursday)
    const ids = await addPeople(d.test.db, 1200)
    const remind_at = new Date('2026-12-03T01:00:00Z')
    const rows = ids.map((user_id) => ({ event_id: event.id, user_id, created_at: d.test.clock.now(), remind_at }))
    await d.test.db.insertInto('event_rsvps').values(rows).execute()
    await d.test.db.updateTable('events').set({ going_count: rows.length }).execute()
    d.test.clock.set('2026-12-03T01:00:00Z')
    await Promise.all([remindDue(), remindDue(), remindDue()])
    await d.test.runJobs()
    const notified = await d.test.db.selectFrom('notifications').select('user_id').where('type', '=', 'event_reminder').execute()
    expect(notified.map(({ user_id }) => user_id).toSorted()).toEqual(ids.toSorted())
  })

  it('arrives an hour before the event for people who replied yes earlier that day, but not for those who replied later', async () => {
    const [early, late] = [await d.test.signUp(), await d.test.signUp()]
    const event = await create(thursday)
    d.test.clock.set('2026-12-03T12:00:00Z')
    await world.rsvp(early, event.id)
    await remindDue()
    expect(await titlesOf(early)).toEqual([])
    d.test.clock.set('2026-12-04T00:01:00Z')
    await world.rsvp(late, event.id)
    await remindDue()
    expect(await titlesOf(early)).toHaveLength(1)
    expect(await titlesOf(late)).toEqual([])
  })

  it('arrives late after an outage but not after the event has begun', async () => {
    const person = await d.test.signUp()
    const [first, second] = [await create(thursday), await create(at('2026-12-03T12:00', '2026-12-03T13:00', { title: 'Lunch' }))]
    for (const { id } of [first, second]) await world.rsvp(person, id)
    d.test.clock.set('2026-12-03T22:00:00Z')
    await remindDue()
    expect(await titlesOf(person)).toEqual([expect.stringContaining('“Open house”')])
    d.test.clock.set('2026-12-04T01:00:00Z')
    expect(await titlesOf(person)).toEqual([])
  })

  it('arrives at the same local time across a clock change', async () => {
    const person = await d.test.signUp()
    // Daylight saving time starts in Denver on March 14, 2027, at 2 AM.
    const event = await create(at('2027-03-14T18:00', '2027-03-14T20:00'))
    expect(event.startsAt).toBe('2027-03-15T00:00:00.000Z')
    await world.rsvp(person, event.id)
    d.test.clock.set('2027-03-14T00:59:00Z')
    await remindDue()
    await d.test.runJobs()
    expect(await reminderRows()).toEqual([])
    // 6 PM on the previous day, 23 hours ahead. The sessions would have expired by then.
    await d.test.db
      .updateTable('sessions')
      .set({ expires_at: new Date('2027-06-01') })
      .execute()
    d.test.clock.set('2027-03-14T01:00:00Z')
    await remindDue()
    expect(await titlesOf(person)).toEqual(['You’re going to “Open house” by Lantern House: Sun, Mar 14, 6:00 PM MDT'])
  })

  it('moves along with a rescheduled event', async () => {
    const person = await d.test.signUp()
    const event = await create(thursday)
    await world.rsvp(person, event.id)
    d.test.clock.set('2026-12-03T01:00:00Z')
    await remindDue()
    // The reminder's own job has not run yet.
    await edit(event.id, at('2026-12-10T18:00', '2026-12-10T20:00'))
    expect((await newsOf(person)).map(({ type }) => type)).toEqual(['event_changed'])
    d.test.clock.set('2026-12-10T00:59:00Z')
    await remindDue()
    await d.test.runJobs()
    expect(await reminderRows()).toEqual([])
    d.test.clock.set('2026-12-10T01:00:00Z')
    await remindDue()
    expect((await newsOf(person)).map(({ type }) => type)).toEqual(['event_reminder', 'event_changed'])
    // Moved once more, after the reminder.
    await edit(event.id, at('2026-12-12T18:00', '2026-12-12T20:00'))
    d.test.clock.set('2026-12-12T01:00:00Z')
    await remindDue()
    await d.test.runJobs()
    expect(await reminderRows()).toHaveLength(2)
  })

  it('skips canceled events, and people who withdrew their RSVP', async () => {
    const [left, stayed] = [await d.test.signUp(), await d.test.signUp()]
    const [first, second] = [await create(thursday), await create({ ...thursday, title: 'Second' })]
    await world.rsvp(left, first.id)
    await world.rsvp(stayed, second.id)
    await world.made(left, 'DELETE', `/api/events/${first.id}/rsvp`)
    await world.made(world.owner, 'PUT', `/api/events/${second.id}/cancellation`, {})
    d.test.clock.set('2026-12-03T01:00:00Z')
    await remindDue()
    await d.test.runJobs()
    expect(await reminderRows()).toEqual([])
  })

  it.each([
    ['closed for good', { closure: 'permanent', closed_at: new Date('2026-12-01'), closed_by: 'owner' }],
    ['is hidden by moderators', { moderation: 'hidden' }],
  ] as const)('isn’t shown or emailed if the business %s', async (_case, columns) => {
    const person = await d.test.signUp()
    const event = await create(thursday)
    await world.rsvp(person, event.id)
    const open = { closure: null, closed_at: null, closed_by: null, moderation: null }
    const setShop = (set: object) => d.test.db.updateTable('businesses').set(set).where('id', '=', world.shop.id).execute()
    await setShop(columns)
    d.test.clock.set('2026-12-03T01:00:00Z')
    await remindDue()
    expect(await titlesOf(person)).toEqual([])
    await d.wait({ minutes: 4 })
    expect(newsMails(person)).toEqual([])
    await setShop(open)
  })
})

describe('a change', () => {
  it('notifies only people who are going, and only of a new time or place', async () => {
    const [going, follower] = [await d.test.signUp(), await d.test.signUp()]
    await followBusiness(d.test.db, follower.user.id, world.shop.id)
    const event = await create(thursday)
    await world.rsvp(going, event.id)
    await edit(event.id, { ...thursday, title: 'Open house with soup' })
    expect(await titlesOf(going)).toEqual([])
    await edit(event.id, at('2026-12-04T19:00', '2026-12-04T20:00', { title: 'Open house with soup', venue: 'Back room' }))
    expect(await titlesOf(going)).toEqual([
      '“Open house with soup” by Lantern House has a new time or place: Fri, Dec 4, 7:00 PM MST, Back room, Denver, CO',
    ])
    expect((await newsOf(follower)).map(({ type }) => type)).toEqual(['new_event'])
  })

  it('is announced once even if the description changes, or the time changes again, before its job has run', async () => {
    const person = await d.test.signUp()
    const event = await create(thursday)
    await world.rsvp(person, event.id)
    const moved = at('2026-12-04T19:00', '2026-12-04T20:00')
    await edit(event.id, moved)
    await edit(event.id, { ...moved, description: 'Come and look around. Bring a friend.' })
    expect(await titlesOf(person)).toEqual([expect.stringContaining('has a new time or place: Fri, Dec 4, 7:00 PM MST')])
    await edit(event.id, at('2026-12-05T19:00', '2026-12-05T20:00'))
    await edit(event.id, at('2026-12-06T19:00', '2026-12-06T20:00'))
    expect(await titlesOf(person)).toHaveLength(2)
  })

  it('is emailed within minutes, even to people with a daily digest, with the time in the event’s zone', async () => {
    const person = await d.test.signUp()
    const event = await create(thursday)
    await world.rsvp(person, event.id)
    await edit(event.id, at('2026-12-03T19:00', '2026-12-03T20:00', { timeZone: 'America/Chicago' }))
    await d.test.runJobs()
    await d.wait({ minutes: 4 })
    const mails = newsMails(person)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain('Thu, Dec 3, 7:00 PM CST')
    expect(mails[0]?.text).toContain(`/events/${event.id}`)
    // The digest has nothing left to send.
    await d.wait({ days: 1 })
    await d.test.ctx.jobs.enqueue('notifications.digests', {})
    await d.test.runJobs()
    expect(newsMails(person)).toHaveLength(1)
  })

  it('reaches attendees who are no longer in the audience, without naming the place, as do the reminder and cancellation', async () => {
    const person = await world.vip()
    const event = await create({ ...thursday, audience: 'vip' })
    await world.rsvp(person, event.id)
    await d.test.db.updateTable('agreements').set({ entitled_until: d.test.clock.now() }).where('payer_id', '=', person.user.id).execute()
    await edit(event.id, at('2026-12-04T19:00', '2026-12-04T20:00', { audience: 'vip', venue: 'Back room' }))
    const changed = '“Open house” by Lantern House has a new time or place: Fri, Dec 4, 7:00 PM MST'
    expect(await titlesOf(person)).toEqual([changed])
    await d.wait({ minutes: 4 })
    expect(newsMails(person)[0]?.text).toContain('Fri, Dec 4, 7:00 PM MST')
    expect(newsMails(person)[0]?.text).not.toContain('Back room')
    d.test.clock.set('2026-12-04T02:00:00Z')
    await remindDue()
    expect(await titlesOf(person)).toEqual(['You’re going to “Open house” by Lantern House: Fri, Dec 4, 7:00 PM MST', changed])
    await world.made(world.owner, 'PUT', `/api/events/${event.id}/cancellation`, {})
    expect(await titlesOf(person)).toEqual([expect.stringContaining('is canceled')])
  })

  it('respects the recipient’s preference and quiet hours', async () => {
    const [silent, asleep] = [await d.test.signUp(), await d.test.signUp()]
    const { topics } = await d.preferences(silent)
    const noMail = { in_app: true, email: false, push: false }
    await d.prefer({ topics: topics.map((each) => (each.topic === 'events' ? { ...each, channels: noMail } : each)) }, silent)
    await d.prefer({ quietHours: { from: 7 * 60, until: 10 * 60 }, timeZone: 'America/Denver' }, asleep)
    const event = await create(thursday)
    for (const person of [silent, asleep]) await world.rsvp(person, event.id)
    await world.made(world.owner, 'PUT', `/api/events/${event.id}/cancellation`, { note: 'The hall is flooded.' })
    await d.test.runJobs()
    await d.wait({ minutes: 4 })
    expect([...newsMails(silent), ...newsMails(asleep)]).toEqual([])
    const [news] = (await newsOf(silent)) as [Notification]
    expect(news).toMatchObject({
      type: 'event_canceled',
      title: '“Open house” by Lantern House on Thu, Dec 3, 6:00 PM MST is canceled',
      content: 'The hall is flooded.',
    })
    await d.wait({ hours: 2 })
    expect([newsMails(silent).length, newsMails(asleep).length]).toEqual([0, 1])
  })

  it('is announced only after a moderator’s approval', async () => {
    const person = await d.test.signUp()
    const event = await create(thursday)
    await world.rsvp(person, event.id)
    const held = await edit(event.id, at('2026-12-04T18:00', '2026-12-04T20:00', { description: 'Our tea cures cancer.' }))
    expect(held.moderation).toBe('held')
    expect(await titlesOf(person)).toEqual([])
    await d.test.db.updateTable('events').set({ moderation: null }).execute()
    expect(await titlesOf(person)).toEqual([expect.stringContaining('has a new time or place')])
  })

  it('is emailed and pushed once moderators approve or restore the event, as is a cancellation in the meantime', async () => {
    const [person, late] = [await d.test.signUp(), await d.test.signUp()]
    const subscription = { endpoint: 'https://push.example.com/phone', keys: { p256dh: 'p', auth: 'a' } }
    expect((await d.test.request('PUT', '/api/push/subscription', person, subscription)).statusCode).toBeLessThan(300)
    const [moved, canceled] = [await create(thursday), await create({ ...thursday, title: 'Second' })]
    for (const { id } of [moved, canceled]) await world.rsvp(person, id)
    await edit(moved.id, at('2026-12-04T18:00', '2026-12-04T20:00', { description: 'Our tea cures cancer.' }))
    await d.test.db.updateTable('events').set({ moderation: 'hidden' }).where('id', '=', canceled.id).execute()
    await world.made(world.owner, 'PUT', `/api/events/${canceled.id}/cancellation`, {})
    // Pushes leave out news that is more than a day old.
    await d.wait({ hours: 30 })
    expect([newsMails(person).length, d.pushes.length]).toEqual([0, 0])
    for (const [{ id }, news] of [
      [moved, 'has a new time or place: Fri, Dec 4, 6:00 PM MST'],
      [canceled, '“Second” by Lantern House on Thu, Dec 3, 6:00 PM MST is canceled'],
    ] as const) {
      const [mails, pushes] = [newsMails(person).length, d.pushes.length]
      await d.test.db.transaction().execute((tx) => moderatedEvent.set(tx, d.test.ctx, id, null))
      if (id === moved.id) await world.rsvp(late, id)
      await d.test.runJobs()
      await d.wait({ minutes: 4 })
      expect([newsMails(person).length, d.pushes.length], news).toEqual([mails + 1, pushes + 1])
      expect(newsMails(person).at(-1)?.text).toContain(news)
    }
    expect(await titlesOf(late)).toEqual([])
  })
})
