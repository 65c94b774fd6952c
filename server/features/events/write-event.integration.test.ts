import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BusinessEvent } from '#contracts/events.ts'
import { newId } from '#server/kernel/ids.ts'
import { type EventTest, localOf, startEventTest } from '#tests/support/business-events.ts'
import { addBusiness, licensed } from '#tests/support/businesses.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { moderationCalls } from '#tests/support/moderation.ts'
import { followBusiness, joinBusiness } from '#tests/support/social.ts'
import type { TestPerson } from '#tests/support/test-app.ts'

let { test, world, stranger, young, statusOf, fieldsOf } = {} as EventTest
beforeAll(async () => {
  ;({ test, world, stranger, young, statusOf, fieldsOf } = await startEventTest())
})
afterAll(() => test?.close())
beforeEach(() => test.db.deleteFrom('events').execute())

describe('publishing', () => {
  it('is open to the team in every role', async () => {
    for (const person of [world.owner, world.manager, world.staff]) await world.create({}, person)
    const url = `/api/businesses/${world.shop.id}/events`
    expect(await statusOf('POST', url, stranger, world.details())).toBe(403)
    expect(await statusOf('POST', url, null, world.details())).toBe(401)
    const { id } = await world.create()
    for (const [method, address, body] of [
      ['PUT', `/api/events/${id}`, world.details({ title: 'Stolen' })],
      ['PUT', `/api/events/${id}/cancellation`, { note: 'Stolen' }],
      ['DELETE', `/api/events/${id}`, undefined],
      ['GET', `/api/events/${id}/attendees`, undefined],
    ] as const) {
      expect(await statusOf(method, address, stranger, body), address).toBe(403)
      expect(await statusOf(method, address, null, body), address).toBe(401)
    }
    expect(await world.read(stranger, id)).toMatchObject({ title: 'Open house', canceledAt: null })
    expect((await world.read(world.staff, id)).abilities).toMatchObject({ edit: true, cancel: true, delete: true, seeAttendees: true })
    expect((await world.read(stranger, id)).abilities).toEqual({
      rsvp: true,
      edit: false,
      cancel: false,
      delete: false,
      seeAttendees: false,
      report: true,
    })
  })

  it('requires a verified license, and a publisher old enough for the audience', async () => {
    const bare = await addBusiness(test.db)
    await joinBusiness(test.db, world.owner.user.id, bare.id)
    const refused = await test.request('POST', `/api/businesses/${bare.id}/events`, world.owner, world.details({ city: 'Denver, CO' }))
    expect(refused.statusCode).toBe(403)
    expect(refused.json().message).toMatch(/license/)
    await joinBusiness(test.db, young.user.id, world.shop.id, 'staff')
    const early = await test.request('POST', `/api/businesses/${world.shop.id}/events`, young, world.details())
    expect(early.json().code).toBe('age_restricted')
    await test.db.deleteFrom('business_members').where('user_id', '=', young.user.id).execute()
  })

  it('creates one event per idempotency key', async () => {
    const send = () =>
      test.app.inject({
        method: 'POST',
        url: `/api/businesses/${world.shop.id}/events`,
        headers: { cookie: world.owner.cookie, 'idempotency-key': 'one' },
        payload: body,
      })
    const body = world.details()
    const [first, second] = [await send(), await send()]
    expect(second.json()).toEqual(first.json())
    expect(await world.list(stranger)).toHaveLength(1)
  })

  it('holds text that breaks the rules, and announces the event only after it is approved', async () => {
    await followBusiness(test.db, stranger.user.id, world.shop.id)
    const { moderator, caseOf, decided } = moderationCalls(test)
    const event = await world.create({ description: 'Our tea cures cancer.' })
    expect(event).toMatchObject({ moderation: 'held', heldFor: [expect.stringMatching(/./)] })
    await test.runJobs()
    const news = async () => (await test.request('GET', '/api/notifications', stranger)).json().map(({ type }: { type: string }) => type)
    expect(await statusOf('GET', `/api/events/${event.id}`, stranger)).toBe(404)
    expect(await world.list(stranger)).toEqual([])
    expect((await world.list(world.staff)).map(({ moderation }) => moderation)).toEqual(['held'])
    expect(await news()).toEqual([])
    await decided(await moderator(), await caseOf('event', event.id), { actions: [{ action: 'approve' }] })
    await test.runJobs()
    expect((await world.read(stranger, event.id)).moderation).toBeNull()
    expect(await news()).toEqual(['new_event'])
    await test.db.deleteFrom('business_follows').execute()
  })

  it('does not treat a recurring event as a repetition', async () => {
    const description = 'Every month we open the doors, show the new shelf and read certificates together. Bring your questions along.'
    const events = [await world.create({ description }), await world.create({ description, hours: 96 })]
    expect(events.map(({ moderation }) => moderation)).toEqual([null, null])
  })

  it('refuses muted people', async () => {
    const person = await test.signUp()
    await joinBusiness(test.db, person.user.id, world.shop.id, 'staff')
    await test.db
      .updateTable('users')
      .set({ muted_until: world.inHours(5) })
      .where('id', '=', person.user.id)
      .execute()
    const answer = await test.request('POST', `/api/businesses/${world.shop.id}/events`, person, world.details())
    expect(answer.json().code).toBe('muted')
  })

  it('names the invalid field', async () => {
    const url = `/api/businesses/${world.shop.id}/events`
    const wrong = (given: object) => fieldsOf('POST', url, world.owner, { ...world.details(), ...given })
    expect(await wrong({ title: '' })).toEqual({ title: 'Title is required' })
    expect(Object.keys(await wrong({ startsLocal: '2027-02-30T10:00', endsLocal: '2027-03-30T10:00' }))).toEqual(['startsLocal'])
    expect(Object.keys(await wrong({ startsLocal: localOf(world.inHours(-2)) }))).toEqual(['startsLocal'])
    expect(Object.keys(await wrong({ endsLocal: localOf(world.inHours(71)) }))).toEqual(['endsLocal'])
    expect(Object.keys(await wrong({ endsLocal: localOf(world.inHours(72 + 15 * 24)) }))).toEqual(['endsLocal'])
    expect(Object.keys(await wrong({ startsLocal: localOf(world.inHours(3 * 366 * 24)), endsLocal: '2999-01-01T10:00' }))).toContain(
      'startsLocal',
    )
    expect(Object.keys(await wrong({ timeZone: '+02:00' }))).toEqual(['timeZone'])
    expect(Object.keys(await wrong({ locationId: null }))).toEqual(['city'])
    expect(Object.keys(await wrong({ locationId: newId() }))).toEqual(['locationId'])
    expect(Object.keys(await wrong({ capacity: 0 }))).toEqual(['capacity'])
  })
})

describe('editing', () => {
  it('refuses an edit of an outdated version, so that team members don’t overwrite each other', async () => {
    const event = await world.create()
    expect(event.editedAt).toBeNull()
    const edit = (as: TestPerson, given: object) => test.request('PUT', `/api/events/${event.id}`, as, { ...world.details(), ...given })
    test.clock.advance({ minutes: 1 })
    const first = (await edit(world.manager, { title: 'Open evening', editedAt: null })).json() as BusinessEvent
    expect(first).toMatchObject({ title: 'Open evening', editedAt: expect.any(String) })
    test.clock.advance({ minutes: 1 })
    const outdated = await edit(world.staff, { title: 'Open morning', editedAt: null })
    expect([outdated.statusCode, outdated.json().code]).toEqual([409, 'conflict'])
    expect(await world.read(world.staff, event.id)).toMatchObject({ title: 'Open evening', editedAt: first.editedAt })
    // An RSVP isn't an edit.
    await world.rsvp(stranger, event.id)
    expect((await edit(world.staff, { title: 'Open morning', editedAt: first.editedAt })).statusCode).toBe(200)
    expect((await edit(world.owner, { title: 'Open night' })).statusCode).toBe(200)
  })
})

describe('the place of an event', () => {
  it('is a location with its address, or a city with the owner’s venue', async () => {
    expect((await world.create({ venue: 'Back room' })).place).toEqual({
      locationId: world.shop.id,
      venue: 'Back room',
      address: '615 Main St',
      city: 'Denver, CO',
    })
    expect((await world.create({ city: 'boulder, co', venue: 'Creek Hall, 12 Pearl St' })).place).toEqual({
      locationId: null,
      venue: 'Creek Hall, 12 Pearl St',
      address: null,
      city: 'Boulder, CO',
    })
  })

  it('is refused if the location is being deleted', async () => {
    const at = (rest: string) => `/api/businesses/${world.shop.id}/${rest}`
    const place = { name: 'North', location: 'Boulder, CO', timeZone: 'America/Denver' }
    const { id: locationId } = await world.made<{ id: string }>(world.owner, 'POST', at('locations'), place)
    const { answer } = await test.db.transaction().execute(async (tx) => {
      await tx.deleteFrom('locations').where('id', '=', locationId).execute()
      const answer = test.request('POST', at('events'), world.owner, { ...world.details(), locationId })
      await untilWaiting(test.db, { statement: 'location' })
      return { answer }
    })
    expect((await answer).json().fields).toEqual({ locationId: 'Choose one of this business’s locations' })
  })

  it('is only the city for a farm, unless the owner names a venue without a street number', async () => {
    const farm = await addBusiness(test.db, { type: 'farm', city: 'Boulder', name: 'North Slope', ...licensed })
    await joinBusiness(test.db, world.owner.user.id, farm.id)
    const url = `/api/businesses/${farm.id}/events`
    const own = await world.made<BusinessEvent>(world.owner, 'POST', url, { ...world.details(), locationId: farm.id })
    expect(own.place).toEqual({ locationId: farm.id, venue: null, address: null, city: 'Boulder, CO' })
    const wrong = async (given: object) =>
      Object.keys(await fieldsOf('POST', url, world.owner, { ...world.details(), locationId: null, ...given }))
    expect(await wrong({ city: '4200 Farm Road' })).toEqual(['city'])
    expect(await wrong({ city: 'Boulder, CO', venue: '4200 Farm Road' })).toEqual(['venue'])
    const zip = await world.made<BusinessEvent>(world.owner, 'POST', url, {
      ...world.details(),
      locationId: null,
      city: '80302',
      venue: 'Grange Hall',
    })
    expect(zip.place).toEqual({ locationId: null, venue: 'Grange Hall', address: null, city: 'Boulder, CO' })
    const pins = await test.db.selectFrom('events').select(['pin_latitude', 'pin_longitude']).where('business_id', '=', farm.id).execute()
    const { pin_latitude, pin_longitude } = await test.db
      .selectFrom('businesses')
      .selectAll()
      .where('id', '=', farm.id)
      .executeTakeFirstOrThrow()
    for (const pin of pins) expect(pin).toEqual({ pin_latitude, pin_longitude })
  })

  it('shows only the city once the business becomes a farm', async () => {
    const nursery = await addBusiness(test.db, { address: '77 Hidden Lane', ...licensed })
    await joinBusiness(test.db, world.owner.user.id, nursery.id)
    const url = `/api/businesses/${nursery.id}/events`
    const event = await world.made<BusinessEvent>(world.owner, 'POST', url, { ...world.details(), locationId: nursery.id, venue: 'Barn 4' })
    expect(event.place).toMatchObject({ venue: 'Barn 4', address: '77 Hidden Lane' })
    await test.db.updateTable('businesses').set({ type: 'farm', address: null }).where('id', '=', nursery.id).execute()
    expect((await world.read(stranger, event.id)).place).toEqual({ locationId: nursery.id, venue: null, address: null, city: 'Denver, CO' })
    expect(await world.made(stranger, 'GET', '/api/events?near=Denver, CO')).toEqual([])
  })

  it('remains as announced when the location is removed', async () => {
    const location = { name: 'Second', location: 'Aurora, CO', address: '9 Second St', timeZone: 'America/Denver' }
    const { id } = await world.made<{ id: string }>(world.owner, 'POST', `/api/businesses/${world.shop.id}/locations`, location)
    const event = await world.create({ locationId: id })
    await world.made(world.owner, 'DELETE', `/api/businesses/${world.shop.id}/locations/${id}`)
    expect((await world.read(stranger, event.id)).place).toEqual({
      locationId: null,
      venue: null,
      address: '9 Second St',
      city: 'Aurora, CO',
    })
  })

  it('keeps the address of a removed location, without notifying attendees, until the city or venue changes', async () => {
    const location = { name: 'Second', location: 'Aurora, CO', address: '9 Second St', timeZone: 'America/Denver' }
    const { id } = await world.made<{ id: string }>(world.owner, 'POST', `/api/businesses/${world.shop.id}/locations`, location)
    const event = await world.create({ locationId: id })
    await world.made(world.owner, 'DELETE', `/api/businesses/${world.shop.id}/locations/${id}`)
    const state = () =>
      test.db
        .selectFrom('events')
        .select(['address', 'city', 'pin_latitude', 'pin_longitude', 'moved_sequence'])
        .where('id', '=', event.id)
        .executeTakeFirstOrThrow()
    const edit = (given: object) =>
      world.made<BusinessEvent>(world.owner, 'PUT', `/api/events/${event.id}`, { ...world.details({ city: 'Aurora, CO', ...given }) })
    const before = await state()
    await edit({ description: 'Come and look around!' })
    expect(await state()).toEqual(before)
    expect((await edit({ venue: 'Grange Hall' })).place).toMatchObject({ venue: 'Grange Hall', address: null })
    expect((await state()).moved_sequence).toBeGreaterThan(before.moved_sequence)
  })
})
