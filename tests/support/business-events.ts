import type { Insertable } from 'kysely'
import { expect } from 'vitest'
import type { BusinessEvent, EventDetails } from '#contracts/events.ts'
import type { DB, Db } from '#server/db/connect.ts'
import { newId } from '#server/kernel/ids.ts'
import { localTime } from '#server/kernel/time-zones.ts'
import { addBusiness, licensed } from './businesses.ts'
import { grantPlan } from './entitlements.ts'
import { joinBusiness, subscribeTo } from './social.ts'
import { startTestApp, type TestApp, type TestPerson } from './test-app.ts'

export const denver = 'America/Denver'

/** The local time in the zone, such as "2027-03-20T18:00". */
export function localOf(time: Date, timeZone = denver): string {
  const { date, minute } = localTime(timeZone, time)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date}T${two(Math.floor(minute / 60))}:${two(minute % 60)}`
}

/** Inserts an event directly into the table. By default, it starts thirty days from now. */
export async function addEvent(db: Db, businessId: string, details: Partial<Insertable<DB['events']>> = {}): Promise<string> {
  const id = newId()
  const now = new Date()
  const starts_at = new Date(now.getTime() + 30 * 86_400_000)
  const ends_at = new Date(starts_at.getTime() + 7_200_000)
  const times = { starts_at, ends_at, time_zone: denver, created_at: now, updated_at: now }
  const words = { title: 'Open house', description: 'Come and look around.', city: 'Denver, CO' }
  await db
    .insertInto('events')
    .values({ id, business_id: businessId, audience: 'everyone', is_farm: false, ...times, ...words, ...details })
    .execute()
  return id
}

/** A licensed shop in Denver, its team, and calls about its events. */
export async function eventWorld(test: TestApp) {
  const shop = await addBusiness(test.db, { name: 'Lantern House', address: '615 Main St', ...licensed })
  const owner = await test.signUp({ accountType: 'business' })
  const manager = await test.signUp()
  const staff = await test.signUp()
  await joinBusiness(test.db, owner.user.id, shop.id)
  await test.db.insertInto('business_members').values({ user_id: manager.user.id, business_id: shop.id, role: 'manager' }).execute()
  await joinBusiness(test.db, staff.user.id, shop.id, 'staff')

  const inHours = (hours: number) => new Date(test.clock.now().getTime() + hours * 3_600_000)
  /** By default, the event starts in three days and lasts two hours. */
  const details = ({ hours = 72, lasts = 2, ...given }: Partial<EventDetails> & { hours?: number; lasts?: number } = {}) => ({
    title: 'Open house',
    description: 'Come and look around.',
    startsLocal: localOf(inHours(hours), given.timeZone),
    endsLocal: localOf(inHours(hours + lasts), given.timeZone),
    timeZone: denver,
    locationId: given.city ? null : shop.id,
    ...given,
  })
  async function made<Answer>(as: TestPerson, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object): Promise<Answer> {
    const answer = await test.request(method, url, as, body)
    expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBeLessThan(300)
    return (answer.body ? answer.json() : undefined) as Answer
  }
  return {
    shop,
    owner,
    manager,
    staff,
    inHours,
    details,
    made,
    create: (given: Parameters<typeof details>[0] = {}, as = owner, businessId = shop.id) =>
      made<BusinessEvent>(as, 'POST', `/api/businesses/${businessId}/events`, details(given)),
    rsvp: (as: TestPerson, id: string) => test.request('PUT', `/api/events/${id}/rsvp`, as),
    read: (as: TestPerson, id: string) => made<BusinessEvent>(as, 'GET', `/api/events/${id}`),
    list: (as: TestPerson, query = '') => made<BusinessEvent[]>(as, 'GET', `/api/businesses/${shop.id}/events${query}`),
    async vip(): Promise<TestPerson> {
      const person = await test.signUp()
      await grantPlan(test.db, { userId: person.user.id, planId: 'vip' })
      return person
    },
  }
}

export type EventTest = Awaited<ReturnType<typeof startEventTest>>

/** Starts a server for a test file about events, with a business, its team, and other people. */
export async function startEventTest() {
  const test = await startTestApp()
  // The clocks don't change in the following weeks.
  test.clock.set('2026-12-01T18:00:00Z')
  const world = await eventWorld(test)
  const stranger = await test.signUp({ firstName: 'Sam', lastName: 'Stone' })
  const subscriber = await test.signUp()
  await subscribeTo(test.db, subscriber.user.id, world.shop.id)
  return {
    test,
    world,
    stranger,
    subscriber,
    vip: await world.vip(),
    young: await test.signUp({ birthday: `${test.clock.now().getUTCFullYear() - 19}-01-01` }),
    statusOf: async (...call: Parameters<TestApp['request']>) => (await test.request(...call)).statusCode,
    async fieldsOf(...call: Parameters<TestApp['request']>) {
      const answer = await test.request(...call)
      expect(answer.statusCode, answer.body).toBe(400)
      return answer.json().fields as Record<string, string>
    },
  }
}
