import type { Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Attendee, BusinessEvent } from '#contracts/events.ts'
import { hourMs } from '#contracts/time.ts'
import { up as endBlockedRsvps } from '#server/db/migrations/20261201T0821-end-rsvps-of-blocked-people.ts'
import { blockJobs } from '#server/features/blocks/index.ts'
import { newId } from '#server/kernel/ids.ts'
import { type EventTest, localOf, startEventTest } from '#tests/support/business-events.ts'
import { licensed } from '#tests/support/businesses.ts'
import { blockPerson, joinBusiness } from '#tests/support/social.ts'
import type { TestPerson } from '#tests/support/test-app.ts'
import { eventJobs } from './rsvp.ts'

let { test, world, stranger, subscriber, vip, statusOf, fieldsOf } = {} as EventTest
beforeAll(async () => {
  ;({ test, world, stranger, subscriber, vip, statusOf, fieldsOf } = await startEventTest())
})
afterAll(() => test?.close())
beforeEach(() => test.db.deleteFrom('events').execute())

describe('an RSVP', () => {
  it('is refused once the event is full, even when 20 people RSVP at once', async () => {
    const event = await world.create({ capacity: 7 })
    const people = await Promise.all(Array.from({ length: 20 }, () => test.signUp()))
    const answers = await Promise.all(people.map((person) => world.rsvp(person, event.id)))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(7)
    for (const answer of answers.filter(({ statusCode }) => statusCode !== 200)) {
      expect(answer.json()).toMatchObject({ code: 'conflict', message: 'This event is full.' })
    }
    const rows = await test.db.selectFrom('event_rsvps').select('user_id').where('event_id', '=', event.id).execute()
    expect(rows).toHaveLength(7)
    expect(await world.read(stranger, event.id)).toMatchObject({ goingCount: 7, abilities: { rsvp: false } })
  })

  it('states when the person will be reminded, unless the reminder was already sent or it’s too late for one', async () => {
    const event = await world.create()
    expect(await world.read(stranger, event.id)).toMatchObject({ remindAt: null })
    const { remindAt } = (await world.rsvp(stranger, event.id)).json() as BusinessEvent
    expect(Date.parse(event.startsAt) - Date.parse(remindAt ?? '')).toBe(24 * hourMs)
    const before = test.clock.now()
    test.clock.set(new Date(Date.parse(event.startsAt) - hourMs / 2))
    await eventJobs(test.ctx)['events.remind-due']({})
    expect(await world.read(stranger, event.id)).toMatchObject({ isGoing: true, remindAt: null })
    expect((await world.rsvp(subscriber, event.id)).json()).toMatchObject({ isGoing: true, remindAt: null })
    test.clock.set(before)
  })

  it('is idempotent and frees the seat when withdrawn', async () => {
    const event = await world.create({ capacity: 1 })
    for (const time of [1, 2]) {
      const answer = await world.rsvp(stranger, event.id)
      expect(answer.json(), `time ${time}`).toMatchObject({ isGoing: true, goingCount: 1, abilities: { rsvp: true } })
    }
    expect((await world.rsvp(subscriber, event.id)).statusCode).toBe(409)
    for (const time of [1, 2]) {
      const left = await world.made(stranger, 'DELETE', `/api/events/${event.id}/rsvp`)
      expect(left, `time ${time}`).toMatchObject({ isGoing: false, goingCount: 0 })
    }
    expect((await world.rsvp(subscriber, event.id)).statusCode).toBe(200)
  })

  it('can be withdrawn even if moderators hid the event or its business', async () => {
    const event = await world.create()
    const withdraw = () => test.request('DELETE', `/api/events/${event.id}/rsvp`, stranger)
    for (const table of ['businesses', 'events'] as const) {
      await world.rsvp(stranger, event.id)
      const id = table === 'events' ? event.id : world.shop.id
      await test.db.updateTable(table).set({ moderation: 'hidden' }).where('id', '=', id).execute()
      expect(await statusOf('PUT', `/api/events/${event.id}/rsvp`, stranger), table).toBe(404)
      for (const time of [1, 2]) {
        const answer = await withdraw()
        expect([answer.statusCode, answer.json()], `${table}, time ${time}`).toEqual([200, null])
      }
      expect((await world.read(world.staff, event.id)).goingCount, table).toBe(0)
      await test.db.updateTable(table).set({ moderation: null }).where('id', '=', id).execute()
    }
    expect(await statusOf('DELETE', `/api/events/${newId()}/rsvp`, stranger)).toBe(404)
  })

  it('shows the team who is going, without people hidden by a block', async () => {
    const event = await world.create()
    await world.rsvp(stranger, event.id)
    await world.rsvp(subscriber, event.id)
    const attendees = (as: TestPerson) => world.made<Attendee[]>(as, 'GET', `/api/events/${event.id}/attendees`)
    expect((await attendees(world.staff)).map(({ person }) => person.id)).toEqual([stranger.user.id, subscriber.user.id])
    expect((await attendees(world.owner))[0]?.person.name).toBe('Sam Stone')
    await blockPerson(test.db, stranger.user.id, world.staff.user.id)
    expect((await attendees(world.staff)).map(({ person }) => person.id)).toEqual([subscriber.user.id])
    await test.db.deleteFrom('person_blocks').execute()
  })

  it('ends when the business blocks the person, who no longer sees its events', async () => {
    const event = await world.create()
    const person = await test.signUp()
    await world.rsvp(person, event.id)
    await world.made(world.owner, 'PUT', `/api/businesses/${world.shop.id}/blocked-people/${person.user.id}`)
    expect((await world.read(stranger, event.id)).goingCount).toBe(0)
    expect(await statusOf('GET', `/api/events/${event.id}`, person)).toBe(404)
    expect((await world.rsvp(person, event.id)).statusCode).toBe(404)
    expect(await world.made(person, 'GET', '/api/events')).toEqual([])
  })

  it('ends when the owner personally blocks the person, unless they’re on the team', async () => {
    const event = await world.create({ capacity: 3 })
    const [guest, left] = [await test.signUp(), await test.signUp()]
    for (const person of [guest, left, world.staff]) await world.rsvp(person, event.id)
    for (const person of [guest, world.staff]) await world.made(world.owner, 'PUT', `/api/people/${person.user.id}/block`)
    expect((await world.read(stranger, event.id)).goingCount).toBe(2)
    expect((await world.read(world.staff, event.id)).isGoing).toBe(true)
    expect(await statusOf('DELETE', `/api/events/${event.id}/rsvp`, guest)).toBe(404)

    // For example, the business got a new owner, who had blocked this person before.
    await blockPerson(test.db, world.owner.user.id, left.user.id)
    expect((await world.read(stranger, event.id)).goingCount).toBe(2)
    const withdrawn = await test.request('DELETE', `/api/events/${event.id}/rsvp`, left)
    expect([withdrawn.statusCode, withdrawn.json()]).toEqual([200, null])
    expect((await world.read(stranger, event.id)).goingCount).toBe(1)

    await world.rsvp(stranger, event.id)
    await blockPerson(test.db, world.owner.user.id, stranger.user.id)
    await endBlockedRsvps(test.db as unknown as Kysely<unknown>)
    const going = await test.db.selectFrom('event_rsvps').select('user_id').where('event_id', '=', event.id).execute()
    expect(going).toEqual([{ user_id: world.staff.user.id }])
    expect((await world.read(subscriber, event.id)).goingCount).toBe(1)
    await test.db.deleteFrom('person_blocks').execute()
  })

  it('ends when someone who blocked the person becomes the owner, or when a blocked person leaves the team', async () => {
    const event = await world.create()
    const guest = await test.signUp()
    for (const person of [guest, world.staff]) await world.rsvp(person, event.id)
    for (const person of [guest, world.staff]) await blockPerson(test.db, world.manager.user.id, person.user.id)
    const going = async () => {
      const rows = await test.db.selectFrom('event_rsvps').select('user_id').where('event_id', '=', event.id).execute()
      expect((await world.read(stranger, event.id)).goingCount).toBe(rows.length)
      return rows.map((row) => row.user_id)
    }
    const transfer = async (from: TestPerson, to: TestPerson) => {
      await world.made(from, 'POST', `/api/businesses/${world.shop.id}/team/transfer`, { userId: to.user.id })
      await test.runJobs()
    }
    await transfer(world.owner, world.manager)
    expect(await going()).toEqual([world.staff.user.id])
    const leave = `/api/businesses/${world.shop.id}/team/members/${world.staff.user.id}`
    expect(await statusOf('DELETE', leave, world.staff)).toBe(204)
    await test.runJobs()
    expect(await going()).toEqual([])

    // A process of the previous release doesn't end them at once.
    await test.db.insertInto('event_rsvps').values({ event_id: event.id, user_id: guest.user.id, created_at: test.clock.now() }).execute()
    await test.db.updateTable('events').set({ going_count: 1 }).where('id', '=', event.id).execute()
    await joinBusiness(test.db, world.staff.user.id, world.shop.id, 'staff')
    await test.db.insertInto('business_blocks').values({ user_id: world.staff.user.id, business_id: world.shop.id }).execute()
    await blockJobs(test.ctx)['blocks.end-within-teams']({})
    expect(await going()).toEqual([])
    expect(await test.db.selectFrom('business_blocks').selectAll().execute()).toEqual([])
    await transfer(world.manager, world.owner)
    await test.db.deleteFrom('person_blocks').execute()
  })

  it('ends when the person blocks the business or deletes their account', async () => {
    const event = await world.create()
    const [blocker, leaver] = [await test.signUp(), await test.signUp()]
    for (const person of [blocker, leaver]) await world.rsvp(person, event.id)
    await world.made(blocker, 'PUT', `/api/businesses/${world.shop.id}/block`)
    expect((await world.read(stranger, event.id)).goingCount).toBe(1)
    const { eraseRsvps } = await import('./rsvp.ts')
    expect(await eraseRsvps.eraseSome(test.ctx, { id: leaver.user.id, email: leaver.email })).toBe(1)
    expect((await world.read(stranger, event.id)).goingCount).toBe(0)
  })
})

describe('an event', () => {
  it('is canceled with a note instead of deleted if people are going', async () => {
    const event = await world.create()
    await world.rsvp(stranger, event.id)
    expect(await statusOf('DELETE', `/api/events/${event.id}`, world.owner)).toBe(409)
    const cancel = (note: string) => world.made<BusinessEvent>(world.manager, 'PUT', `/api/events/${event.id}/cancellation`, { note })
    expect(await cancel('The hall is flooded.')).toMatchObject({ cancelNote: 'The hall is flooded.', canceledAt: expect.any(String) })
    expect((await cancel('Another reason')).cancelNote).toBe('The hall is flooded.')
    expect((await world.list(stranger)).map(({ id, canceledAt }) => [id, canceledAt !== null])).toEqual([[event.id, true]])
    expect(await world.made(stranger, 'GET', '/api/events')).toEqual([])
    expect((await world.rsvp(subscriber, event.id)).statusCode).toBe(409)
    expect(await statusOf('PUT', `/api/events/${event.id}`, world.owner, world.details())).toBe(409)
  })

  it('can’t narrow its audience while people are going, or lower its capacity below their number', async () => {
    const event = await world.create({ audience: 'subscribers', capacity: 5 })
    await world.rsvp(subscriber, event.id)
    await world.rsvp(world.staff, event.id)
    const url = `/api/events/${event.id}`
    expect(await fieldsOf('PUT', url, world.owner, world.details({ audience: 'vip', capacity: 1 }))).toEqual({
      audience: expect.stringContaining('People are already going.'),
      capacity: '2 people are already going',
    })
    expect(await world.made(world.owner, 'PUT', url, world.details({ audience: 'everyone', capacity: 2 }))).toMatchObject({
      audience: 'everyone',
      capacity: 2,
    })
  })

  it('can’t change its audience from VIPs to subscribers while VIPs who don’t subscribe are going', async () => {
    const event = await world.create({ audience: 'vip' })
    await world.rsvp(vip, event.id)
    const url = `/api/events/${event.id}`
    expect(await fieldsOf('PUT', url, world.owner, world.details({ audience: 'subscribers' }))).toEqual({
      audience: 'People are already going. Keep its audience or open it to everyone.',
    })
    await world.made(world.owner, 'PUT', url, world.details({ audience: 'vip', title: 'Tasting' }))
    await world.made(world.owner, 'PUT', url, world.details({ audience: 'everyone' }))
    expect(await world.read(vip, event.id)).toMatchObject({ audience: 'everyone', isGoing: true, isLocked: false })
  })

  it('can be deleted if no one is going', async () => {
    const event = await world.create()
    await world.made(world.staff, 'DELETE', `/api/events/${event.id}`)
    expect(await statusOf('GET', `/api/events/${event.id}`, world.owner)).toBe(404)
  })

  it('refuses a cancellation note that breaks the rules instead of holding it', async () => {
    const event = await world.create()
    const fields = await fieldsOf('PUT', `/api/events/${event.id}/cancellation`, world.owner, { note: 'Our tea cures cancer instead.' })
    expect(Object.keys(fields)).toEqual(['note'])
    await test.db.updateTable('businesses').set({ license_verified_through: '2020-01-01' }).where('id', '=', world.shop.id).execute()
    // Without a license nothing new is published, but attendees still learn of the cancellation.
    expect(await statusOf('PUT', `/api/events/${event.id}`, world.owner, world.details({ title: 'New' }))).toBe(403)
    expect(await statusOf('PUT', `/api/events/${event.id}/cancellation`, world.owner, { note: 'It rains.' })).toBe(200)
    await test.db.updateTable('businesses').set(licensed).where('id', '=', world.shop.id).execute()
  })
})

describe('the calendar file', () => {
  function parse(file: string): Map<string, string> {
    expect(file.endsWith('\r\n')).toBe(true)
    const physical = file.slice(0, -2).split('\r\n')
    for (const line of physical) expect(Buffer.byteLength(line), line).toBeLessThanOrEqual(75)
    expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    const lines = file.slice(0, -2).replaceAll('\r\n ', '').split('\r\n')
    expect([lines[0], lines[1], lines.at(-2), lines.at(-1)]).toEqual(['BEGIN:VCALENDAR', 'VERSION:2.0', 'END:VEVENT', 'END:VCALENDAR'])
    return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]))
  }
  const unescaped = (text = '') => text.replace(/\\(n|.)/g, (_all, character: string) => (character === 'n' ? '\n' : character))

  it('describes what, when, and where per RFC 5545', async () => {
    const description = `Bring a chair; we have soup, bread \\ salt.\n\n${'Überall schön 🌿 '.repeat(20)}`.trim()
    const event = await world.create({ title: 'Soup, salt; and talk', description, venue: 'Hall 🌿' })
    const answer = await test.request('GET', `/api/events/${event.id}/calendar.ics`, stranger)
    expect(answer.headers).toMatchObject({ 'content-type': 'text/calendar; charset=utf-8', 'cache-control': 'private, no-store' })
    const file = parse(answer.body)
    expect(unescaped(file.get('SUMMARY'))).toBe('Soup, salt; and talk')
    expect(unescaped(file.get('DESCRIPTION'))).toBe(description)
    expect(unescaped(file.get('LOCATION'))).toBe('Hall 🌿, 615 Main St, Denver, CO')
    const stamp = (time: string) => time.replace(/[-:]|\.000/g, '')
    expect(file.get('DTSTART')).toBe(stamp(event.startsAt))
    expect(file.get('DTEND')).toBe(stamp(event.endsAt))
    expect(file.get('DTSTAMP')).toMatch(/^\d{8}T\d{6}Z$/)
    expect([file.get('UID'), file.get('SEQUENCE'), file.get('STATUS')]).toEqual([event.id, '0', 'CONFIRMED'])
    expect(file.get('URL')).toMatch(new RegExp(`/events/${event.id}$`))
  })

  it('is named after the event’s day in its own time zone', async () => {
    const day = localOf(new Date(test.clock.now().getTime() + 5 * 24 * 3600_000)).slice(0, 10)
    const event = await world.create({ startsLocal: `${day}T18:00`, endsLocal: `${day}T20:00` })
    const { headers } = await test.request('GET', `/api/events/${event.id}/calendar.ics`, stranger)
    expect(headers['content-disposition']).toContain(`event-${day}.ics`)
  })

  it('keeps its UID, and increments its sequence when its content changes', async () => {
    const event = await world.create()
    const read = async () => {
      const file = parse((await test.request('GET', `/api/events/${event.id}/calendar.ics`, stranger)).body)
      return [file.get('UID'), file.get('SEQUENCE'), file.get('STATUS')]
    }
    const edit = (given: object) => world.made(world.owner, 'PUT', `/api/events/${event.id}`, world.details(given))
    await edit({ capacity: 50 })
    expect(await read()).toEqual([event.id, '0', 'CONFIRMED'])
    await edit({ title: 'Open house with soup' })
    expect(await read()).toEqual([event.id, '1', 'CONFIRMED'])
    await edit({ title: 'Open house with soup', hours: 80 })
    expect(await read()).toEqual([event.id, '2', 'CONFIRMED'])
    await world.made(world.owner, 'PUT', `/api/events/${event.id}/cancellation`, {})
    expect(await read()).toEqual([event.id, '3', 'CANCELLED'])
  })
})
