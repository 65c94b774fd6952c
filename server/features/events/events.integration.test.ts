import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BusinessEvent } from '#contracts/events.ts'
import { type EventTest, startEventTest } from '#tests/support/business-events.ts'
import { addBusiness, licensed } from '#tests/support/businesses.ts'
import { decisionWith, moderationCalls } from '#tests/support/moderation.ts'
import { addPeople, followBusiness, joinBusiness } from '#tests/support/social.ts'
import type { TestPerson } from '#tests/support/test-app.ts'

let { test, world, stranger, subscriber, vip, young, statusOf } = {} as EventTest
beforeAll(async () => {
  ;({ test, world, stranger, subscriber, vip, young, statusOf } = await startEventTest())
})
afterAll(() => test?.close())
beforeEach(() => test.db.deleteFrom('events').execute())

describe('the visibility of an event', () => {
  const secret = 'The cellar behind the counter.'

  it.each([
    ['everyone', { owner: 'open', staff: 'open', stranger: 'open', subscriber: 'open', vip: 'open', young: 404 }],
    ['subscribers', { owner: 'open', staff: 'open', stranger: 'locked', subscriber: 'open', vip: 'locked', young: 404 }],
    ['vip', { owner: 'open', staff: 'open', stranger: 'locked', subscriber: 'locked', vip: 'open', young: 404 }],
  ] as const)('shows an event for %s to its audience, and its title and date to others of legal age', async (audience, expected) => {
    const event = await world.create({ audience, description: secret, venue: 'Cellar', capacity: 9 })
    const people = { owner: world.owner, staff: world.staff, stranger, subscriber, vip, young }
    const seen: Record<string, unknown> = {}
    for (const [who, person] of Object.entries(people)) {
      const answer = await test.request('GET', `/api/events/${event.id}`, person)
      const list = await test.request('GET', `/api/businesses/${world.shop.id}/events`, person)
      const read = answer.json() as BusinessEvent
      seen[who] = answer.statusCode === 200 ? (read.isLocked ? 'locked' : 'open') : answer.statusCode
      const file = await test.request('GET', `/api/events/${event.id}/calendar.ics`, person)
      if (seen[who] === 'open') {
        expect(read).toMatchObject({ description: secret, capacity: 9, abilities: { rsvp: true } })
        expect(file.body).toContain('SUMMARY:Open house')
        expect(list.json()).toEqual([read])
        continue
      }
      expect(answer.body + list.body + file.body).not.toMatch(/cellar/i)
      expect(file.statusCode).toBe(seen[who] === 'locked' ? 403 : 404)
      expect(await statusOf('PUT', `/api/events/${event.id}/rsvp`, person)).toBe(seen[who] === 'locked' ? 403 : 404)
      if (seen[who] === 'locked') {
        expect(read).toMatchObject({ title: 'Open house', startsAt: event.startsAt, place: null, capacity: null, goingCount: 0 })
        expect(list.json()).toEqual([read])
      } else expect(list.json()).toEqual([])
    }
    expect(seen).toEqual(expected)
    expect(await statusOf('GET', `/api/events/${event.id}`, null)).toBe(401)
  })

  it('unlocks VIP events with the plan and locks them when it ends', async () => {
    const event = await world.create({ audience: 'vip' })
    const person = await world.vip()
    expect((await world.read(person, event.id)).isLocked).toBe(false)
    await test.db.updateTable('agreements').set({ entitled_until: test.clock.now() }).where('payer_id', '=', person.user.id).execute()
    expect((await world.read(person, event.id)).isLocked).toBe(true)
  })

  it('suggests no events of a business that closed for good, except to people who are going', async () => {
    const event = await world.create()
    const listed = async (as: TestPerson) => (await test.request('GET', '/api/events', as)).json() as BusinessEvent[]
    expect(await statusOf('PUT', `/api/events/${event.id}/rsvp`, subscriber)).toBe(200)
    const close = (closure: 'temporary' | 'permanent' | null) =>
      test.db
        .updateTable('businesses')
        .set({ closure, closed_at: closure && test.clock.now(), closed_by: closure && 'owner' })
        .where('id', '=', world.shop.id)
        .execute()
    await close('temporary')
    expect(await listed(stranger)).toMatchObject([{ id: event.id }])
    await close('permanent')
    expect(await listed(stranger)).toEqual([])
    expect(await listed(subscriber)).toMatchObject([{ id: event.id }])
    expect(await statusOf('GET', `/api/events/${event.id}`, stranger)).toBe(200)
    await close(null)
  })

  it('hides events of a business that the viewer blocked or that moderators hid', async () => {
    const event = await world.create()
    const blocker = await test.signUp()
    await test.request('PUT', `/api/businesses/${world.shop.id}/block`, blocker)
    expect(await statusOf('GET', `/api/events/${event.id}`, blocker)).toBe(404)
    expect(await world.made(blocker, 'GET', '/api/events')).toEqual([])
    await test.db.updateTable('businesses').set({ moderation: 'hidden' }).where('id', '=', world.shop.id).execute()
    expect(await statusOf('GET', `/api/events/${event.id}`, stranger)).toBe(404)
    expect(await world.made(stranger, 'GET', '/api/events')).toEqual([])
    expect((await world.read(world.staff, event.id)).title).toBe('Open house')
    await test.db.updateTable('businesses').set({ moderation: null }).where('id', '=', world.shop.id).execute()
  })

  it('doesn’t reveal a locked event’s location through a search near a place', async () => {
    const event = await world.create({ audience: 'vip', city: 'Boulder, CO' })
    const near = (as: TestPerson, place: string) =>
      world.made<BusinessEvent[]>(as, 'GET', `/api/events?radius=10&near=${encodeURIComponent(place)}`)
    expect((await near(vip, 'Boulder, CO')).map(({ id }) => id)).toEqual([event.id])
    expect(await near(vip, 'Denver, CO')).toEqual([])
    expect(await near(stranger, 'Boulder, CO')).toEqual([])
    expect((await world.made<BusinessEvent[]>(stranger, 'GET', '/api/events')).map(({ id }) => id)).toEqual([event.id])
  })
})

describe('the list', () => {
  it('lists every event once, soonest first, even while others are published', async () => {
    const ids: string[] = []
    for (const hours of [30, 30, 20, 50, 40]) ids.push((await world.create({ hours })).id)
    const expected = [ids[2], ...[ids[0] as string, ids[1] as string].toSorted(), ids[4], ids[3]]
    const found: string[] = []
    let url: string | undefined = '/api/events?limit=2'
    while (url) {
      const answer = await test.request('GET', url, stranger)
      found.push(...(answer.json() as BusinessEvent[]).map(({ id }) => id))
      if (found.length === 2) await world.create({ hours: 10 })
      url = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1]
    }
    expect(found).toEqual(expected)
  })

  it('leaves out past events but includes current ones', async () => {
    const event = await world.create({ hours: 1, lasts: 3 })
    test.clock.advance({ hours: 2 })
    expect((await world.list(stranger)).map(({ id }) => id)).toEqual([event.id])
    test.clock.advance({ hours: 3 })
    expect(await world.list(stranger)).toEqual([])
    expect(await statusOf('PUT', `/api/events/${event.id}/rsvp`, stranger)).toBe(409)
    expect(await statusOf('PUT', `/api/events/${event.id}`, world.owner, world.details())).toBe(409)
    expect((await world.read(stranger, event.id)).abilities.rsvp).toBe(false)
  })

  it('can be limited to events by followed businesses and events the viewer is going to', async () => {
    const other = await addBusiness(test.db, { name: 'Elsewhere', ...licensed })
    await joinBusiness(test.db, world.owner.user.id, other.id)
    const followed = await world.create()
    const elsewhere = (title: string) =>
      world.made<BusinessEvent>(world.owner, 'POST', `/api/businesses/${other.id}/events`, {
        ...world.details({ title }),
        locationId: other.id,
      })
    const [attended] = [await elsewhere('Mine'), await elsewhere('Not mine')]
    const person = await test.signUp()
    await followBusiness(test.db, person.user.id, world.shop.id)
    expect((await world.rsvp(person, attended.id)).statusCode).toBe(200)
    const mine = await world.made<BusinessEvent[]>(person, 'GET', '/api/events?following=true')
    expect(mine.map(({ id }) => id).toSorted()).toEqual([followed.id, attended.id].toSorted())
    expect(mine.find(({ id }) => id === attended.id)).toMatchObject({ isGoing: true, goingCount: 1 })
    expect(await statusOf('GET', '/api/events?following=maybe', person)).toBe(400)
    expect(await statusOf('GET', '/api/events?near=Nowhere at all', person)).toBe(400)
  })

  it('fills a page of followed businesses’ events near a place, even if earlier ones are elsewhere or locked', async () => {
    const person = await test.signUp()
    await followBusiness(test.db, person.user.id, world.shop.id)
    for (const hours of [10, 20]) await world.create({ hours })
    for (const hours of [30, 40]) await world.create({ hours, city: 'Boulder, CO', audience: 'vip' })
    const inBoulder = [await world.create({ hours: 50, city: 'Boulder, CO' }), await world.create({ hours: 60, city: 'Boulder, CO' })]
    const url = '/api/events?following=true&near=Boulder, CO&radius=10&limit=1'
    const first = await test.request('GET', url, person)
    expect(first.json()).toMatchObject([{ id: inBoulder[0]?.id }])
    const next = /<([^>]+)>/.exec(String(first.headers.link))?.[1] as string
    expect(await world.made<BusinessEvent[]>(person, 'GET', next)).toMatchObject([{ id: inBoulder[1]?.id }])
  })
})

describe('moderation', () => {
  it('hides a reported event from everyone but its team and restores it', async () => {
    const { report, reported, caseOf, decided, undo, moderator } = moderationCalls(test)
    const event = await world.create()
    expect(await statusOf('POST', '/api/reports', world.staff, { subject: 'event', subjectId: event.id, reason: 'spam' })).toBe(403)
    expect(await statusOf('POST', '/api/reports', young, { subject: 'event', subjectId: event.id, reason: 'spam' })).toBe(404)
    await report(stranger, 'event', event.id)
    const judge = await moderator()
    const [decision] = await decided(judge, await caseOf('event', event.id), decisionWith({ action: 'hide' }))
    expect(await statusOf('GET', `/api/events/${event.id}`, stranger)).toBe(404)
    expect(await world.made(stranger, 'GET', '/api/events')).toEqual([])
    expect((await world.read(world.owner, event.id)).moderation).toBe('hidden')
    expect((await undo(judge, decision?.id as string)).statusCode).toBe(200)
    expect((await world.read(stranger, event.id)).moderation).toBeNull()
    await decided(judge, await reported('event', event.id), decisionWith({ action: 'remove' }))
    expect(await statusOf('GET', `/api/events/${event.id}`, world.owner)).toBe(404)
  })
})

it('hides other people’s RSVPs', async () => {
  const event = await world.create()
  const [id] = await addPeople(test.db, 1, { first_name: 'Zenobia' })
  await test.db
    .insertInto('event_rsvps')
    .values({ event_id: event.id, user_id: id as string, created_at: test.clock.now() })
    .execute()
  const answers = [await test.request('GET', `/api/events/${event.id}`, stranger), await test.request('GET', '/api/events', stranger)]
  for (const { body } of answers) expect(body).not.toMatch(/Zenobia/)
})
