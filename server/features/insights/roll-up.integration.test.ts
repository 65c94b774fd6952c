import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { utcDate } from '#contracts/age.ts'
import { visitKinds, visitSources } from '#contracts/insights.endpoints.ts'
import { connect } from '#server/db/connect.ts'
import { newId } from '#server/kernel/ids.ts'
import { localTime } from '#server/kernel/time-zones.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { createTestClock } from '#tests/support/clock.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { addPeople } from '#tests/support/people.ts'
import { followBusiness, joinBusiness } from '#tests/support/social.ts'
import { timeZoneOf } from './days.ts'
import { partsOf, recordAudiences } from './insights.queries.ts'
import { type Counted, stretchesOf } from './published.ts'
import { dropOldPartitions, makePartitions, rollUpVisits } from './roll-up.ts'

let database: TestDatabase
let ids: string[]
const clock = createTestClock()
const ctx = () => ({ db: database.db, clock })

beforeAll(async () => {
  database = await createTestDatabase()
  ids = [
    await addPlaced('America/Denver'),
    await addPlaced('Pacific/Auckland'),
    (await addBusiness(database.db, { city: null, state: null })).id,
    // Has no time zone, so its state's applies.
    (await addBusiness(database.db, { city: 'Honolulu', state: 'HI' })).id,
  ]
})
afterAll(() => database.drop())
beforeEach(async () => {
  await sql`truncate visit_events, visit_days`.execute(database.db)
  await sql`drop function if exists on_write cascade`.execute(database.db)
  await database.db.updateTable('visit_rollup').set({ open_from: null, counted_at: null }).execute()
  clock.set('2026-11-21T18:00:00Z')
})

async function addPlaced(timeZone: string): Promise<string> {
  const { id } = await addBusiness(database.db)
  await database.db.insertInto('locations').values({ id, business_id: id, name: 'Main', time_zone: timeZone }).execute()
  return id
}

type Event = { at: Date; business: number; kind: number; source: number; visitor: number; subject: boolean }
const subjects = [newId(), newId()]

const rowOf = ({ at, business, kind, source, visitor, subject }: Event) => ({
  at,
  business_id: ids[business] as string,
  kind: visitKinds[kind] as (typeof visitKinds)[number],
  source: visitSources[source] as (typeof visitSources)[number],
  subject_id: visitKinds[kind] === 'post' ? (subjects[subject ? 0 : 1] as string) : null,
  visitor,
})
const add = async (events: Event[]) => {
  if (events.length > 0) await database.db.insertInto('visit_events').values(events.map(rowOf)).execute()
}

const zones = ['America/Denver', 'Pacific/Auckland', 'UTC', 'Pacific/Honolulu']
function counted(events: Event[]) {
  const cells = new Map<string, { visits: number; visitors: Set<number> }>()
  const count = (key: string, visitor: number) => {
    const cell = cells.get(key) ?? { visits: 0, visitors: new Set() }
    cells.set(key, { visits: cell.visits + 1, visitors: cell.visitors.add(visitor) })
  }
  for (const event of events) {
    const { business_id, kind, source, subject_id } = rowOf(event)
    const day = localTime(zones[event.business] as string, event.at).date
    count([business_id, 'all', day, kind, ''].join(), event.visitor)
    count([business_id, 'source', day, kind, source].join(), event.visitor)
    if (subject_id) count([business_id, 'subject', day, kind, subject_id].join(), event.visitor)
  }
  return Object.fromEntries([...cells].map(([key, { visits, visitors }]) => [key, [visits, visitors.size]]))
}
async function stored() {
  const rows = await database.db.selectFrom('visit_days').selectAll().execute()
  return Object.fromEntries(rows.map((row) => [[row.business_id, row.part, row.day, row.kind, row.key].join(), [row.visits, row.visitors]]))
}

const minutes = 30 * 24 * 60
const anyEvent = fc.record({
  at: fc.nat(minutes).map((ago) => new Date(Date.parse('2026-11-21T18:00:00Z') - ago * 60_000)),
  business: fc.nat(3),
  kind: fc.nat(visitKinds.length - 1),
  source: fc.nat(visitSources.length - 1),
  visitor: fc.nat(12),
  subject: fc.boolean(),
})

test('still counts visits after the clock was temporarily ahead', async () => {
  const event = (at: string): Event => ({ at: new Date(at), business: 0, kind: 0, source: 0, visitor: 1, subject: false })
  const events = [event('2026-11-20T18:00:00Z'), event('2026-11-21T17:00:00Z')]
  await add(events.slice(0, 1))
  clock.set('2026-12-24T18:00:00Z')
  await rollUpVisits(ctx())
  clock.set('2026-11-21T18:00:00Z')
  await add(events.slice(1))
  await rollUpVisits(ctx())
  expect(await stored()).toEqual(counted(events))
})

test('has daily totals that match the visits in every time zone, however often and in whatever batches it runs', async () => {
  await fc.assert(
    fc
      .asyncProperty(fc.array(anyEvent, { maxLength: 60 }), fc.nat(60), async (events, cut) => {
        const inOrder = events.toSorted((a, b) => a.at.getTime() - b.at.getTime())
        const middle = inOrder[cut]?.at ?? new Date('2026-11-21T18:00:00Z')
        await add(inOrder.slice(0, cut))
        clock.set(middle)
        await rollUpVisits(ctx())
        await rollUpVisits(ctx())
        await add(inOrder.slice(cut))
        clock.set('2026-11-21T18:00:00Z')
        await rollUpVisits(ctx())
        expect(await stored()).toEqual(counted(events))
      })
      .beforeEach(async () => {
        await sql`truncate visit_events, visit_days`.execute(database.db)
        await database.db.updateTable('visit_rollup').set({ open_from: null }).execute()
      }),
    { numRuns: 25 },
  )
})

test('never changes past days and recounts the current one', async () => {
  const event = { business: 2, kind: 0, source: 0, visitor: 1, subject: false }
  await add([
    { ...event, at: new Date('2026-11-10T12:00:00Z') },
    { ...event, at: new Date('2026-11-21T12:00:00Z') },
  ])
  await rollUpVisits(ctx())
  const before = await stored()
  // Deleting a month's individual visits must not change its daily counts.
  await sql`delete from visit_events where at < '2026-11-15'`.execute(database.db)
  await add([{ ...event, visitor: 2, at: new Date('2026-11-21T13:00:00Z') }])
  await rollUpVisits(ctx())
  expect(await stored()).toEqual({
    ...before,
    [[ids[2], 'all', '2026-11-21', 'page', ''].join()]: [2, 2],
    [[ids[2], 'source', '2026-11-21', 'page', 'search'].join()]: [2, 2],
  })
})

/** Runs `body` (PL/pgSQL) whenever rows are written to the table. */
async function onWrite(table: string, body: string, level: 'row' | 'statement'): Promise<() => Promise<unknown>> {
  await sql
    .raw(`create function on_write() returns trigger language plpgsql as $$ begin ${body}; return new; end $$;
      create trigger on_write before insert on ${table} for each ${level} execute function on_write()`)
    .execute(database.db)
  return () => sql`drop function on_write cascade`.execute(database.db)
}

test('counts every day of a long gap once, even if it fails in between', async () => {
  const events = [20, 15, 9, 8, 3, 1, 0].flatMap((ago): Event[] => {
    const event = { business: 0, kind: 0, source: 0, subject: false, at: new Date(Date.parse('2026-11-21T17:00:00Z') - ago * 86_400_000) }
    return [1, 2].map((visitor) => ({ ...event, visitor }))
  })
  await add(events)
  const repair = await onWrite('visit_days', `if new.day = '2026-11-12' then raise 'broken'; end if`, 'row')
  await expect(rollUpVisits(ctx())).rejects.toThrow('broken')
  expect(await database.db.selectFrom('visit_rollup').select('open_from').executeTakeFirst()).toEqual({ open_from: '2026-11-12' })
  expect(await stored()).toEqual(counted(events.slice(0, 4)))
  await repair()
  await rollUpVisits(ctx())
  expect(await database.db.selectFrom('visit_rollup').select('open_from').executeTakeFirst()).toEqual({ open_from: '2026-11-21' })
  expect(await stored()).toEqual(counted(events))
})

test('counts a day that takes longer than a statement usually may', async () => {
  const impatient = connect(database.url, { databasePoolSize: 2, statementTimeoutMs: 500, lockTimeoutMs: 500 }, { warn() {} })
  const events: Event[] = [{ at: new Date('2026-11-21T12:00:00Z'), business: 0, kind: 0, source: 0, visitor: 1, subject: false }]
  await add(events)
  const speedUp = await onWrite('visit_days', 'perform pg_sleep(0.6)', 'statement')
  await rollUpVisits({ db: impatient.db, clock }).finally(speedUp)
  await impatient.close()
  expect(await stored()).toEqual(counted(events))
})

test('records the followers of every business with a team in batches, and is safe to repeat after a failure', async () => {
  const { db } = database
  const [owner, ...others] = (await addPeople(db, 4)) as [string, ...string[]]
  const businesses = await Promise.all(Array.from({ length: 5 }, () => addBusiness(db)))
  const sorted = businesses.map(({ id }) => id).sort()
  for (const [n, id] of sorted.entries()) {
    await joinBusiness(db, owner, id)
    if (n % 2 === 0) await joinBusiness(db, others[0] as string, id, 'staff')
    for (const person of others.slice(n % 3)) await followBusiness(db, person, id)
  }
  const recorded = async () =>
    (await db.selectFrom('audience_days').select(['business_id', 'followers']).orderBy('business_id').execute()).map(
      ({ business_id, followers }) => [business_id, followers],
    )
  const repair = await onWrite('audience_days', `if new.business_id = '${sorted[4]}' then raise 'broken'; end if`, 'row')
  await expect(recordAudiences(db, clock.now(), 2)).rejects.toThrow('broken')
  expect(await recorded()).toEqual(sorted.slice(0, 4).map((id, n) => [id, 3 - (n % 3)]))
  await repair()
  for (const atOnce of [2, 5, 100]) {
    await recordAudiences(db, clock.now(), atOnce)
    expect(await recorded()).toEqual(sorted.map((id, n) => [id, 3 - (n % 3)]))
  }
})

test('moves the open days of a business to its new time zone', async () => {
  const id = await addPlaced('America/Denver')
  ids[4] = id
  clock.set('2026-11-21T08:00:00Z')
  // 11:30 PM on the previous day in Denver.
  await add([{ at: new Date('2026-11-21T06:30:00Z'), business: 4, kind: 0, source: 0, visitor: 1, subject: false }])
  await rollUpVisits(ctx())
  expect(Object.keys(await stored())).toContain([id, 'all', '2026-11-20', 'page', ''].join())
  await database.db.updateTable('locations').set({ time_zone: 'America/New_York' }).where('id', '=', id).execute()
  await rollUpVisits(ctx())
  expect(Object.keys(await stored()).filter((key) => key.includes(',all,'))).toEqual([[id, 'all', '2026-11-21', 'page', ''].join()])
  // A zone that PostgreSQL doesn't support must not stop the roll-up, which falls back to the state's zone (Denver's).
  await database.db.updateTable('locations').set({ time_zone: 'Mars/Olympus' }).where('id', '=', id).execute()
  await rollUpVisits(ctx())
  expect(Object.keys(await stored())).toContain([id, 'all', '2026-11-20', 'page', ''].join())
  ids.length = 4
})

test('counts the days of a business without a time zone in its county’s, as its page shows them', async () => {
  const places = [
    { city: 'Ontario', state: 'OR', zip: '97914' },
    { city: 'Portland', state: 'OR', zip: '97201' },
    { city: 'Pensacola', state: 'FL' },
    { city: 'West Wendover', state: 'NV' },
  ]
  const added = []
  for (const place of places) added.push((await addBusiness(database.db, { zip: null, ...place })).id)
  ids.push(...added)
  // 11:30 PM on the previous day in Portland and 12:30 AM in Boise.
  await add(
    added.map((_, n) => ({ at: new Date('2026-11-21T07:30:00Z'), business: 4 + n, kind: 0, source: 0, visitor: 1, subject: false })),
  )
  await rollUpVisits(ctx())
  const days = Object.keys(await stored()).flatMap((key) => (key.includes(',all,') ? [key.split(',')] : []))
  const dayOf = (id: string | undefined) => days.filter(([business]) => business === id).map(([, , day]) => day)
  expect(added.map(dayOf)).toEqual([['2026-11-21'], ['2026-11-20'], ['2026-11-21'], ['2026-11-21']])
  expect(await Promise.all(added.map((id) => timeZoneOf(database.db, id)))).toEqual([
    'America/Boise',
    'America/Los_Angeles',
    'America/Chicago',
    'America/Denver',
  ])
  ids.length = 4
})

const partitionOf = async (at: string) => {
  const { rows } = await sql<{ name: string }>`
    select tableoid::regclass::text as name from visit_events where at = ${at}::timestamptz`.execute(database.db)
  return rows.map((row) => row.name)
}

test('moves visits to monthly partitions, and drops old partitions once their visits are counted', async () => {
  const at = (time: string): Event => ({ at: new Date(time), business: 2, kind: 0, source: 0, visitor: 1, subject: false })
  const [last, first] = ['2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00.000Z']
  await add([at(last), at(first)])
  expect(await partitionOf(last)).toEqual(['visit_events_default'])
  await makePartitions(database.db, new Date('2026-11-30T12:00:00Z'))
  await Promise.all([
    makePartitions(database.db, new Date('2026-12-02T12:00:00Z')),
    makePartitions(database.db, new Date('2026-12-02T12:00:00Z')),
  ])
  expect(await partitionOf(last)).toEqual(['visit_events_2026_11'])
  expect(await partitionOf(first)).toEqual(['visit_events_2026_12'])
  await add([at('2027-02-03T00:00:00.000Z')])
  expect(await partitionOf('2027-02-03T00:00:00.000Z')).toEqual(['visit_events_2027_02'])

  const later = new Date('2028-01-01T00:00:00Z')
  expect(await dropOldPartitions(database.db, later, null)).toEqual([])
  clock.set(later)
  await rollUpVisits(ctx())
  const { open_from } = await database.db.selectFrom('visit_rollup').select('open_from').executeTakeFirstOrThrow()
  expect(await dropOldPartitions(database.db, later, open_from)).toEqual(['2026-11'])
  expect(await partitionOf(last)).toEqual([])
  expect(await partitionOf(first)).toEqual(['visit_events_2026_12'])
  expect(Object.keys(await stored()).filter((key) => key.includes(',all,'))).toHaveLength(3)
})

test('never shows a group or a remainder of fewer than five visitors', async () => {
  const busy = fc.array(
    fc.record({
      at: fc.nat(9).map((ago) => new Date(Date.parse('2026-11-20T12:00:00Z') - ago * 86_400_000)),
      business: fc.constant(2),
      kind: fc.constant(0),
      // One source is large, and the others together sometimes have fewer than five.
      source: fc.nat(40).map((n) => Math.max(0, n - 38)),
      visitor: fc.nat(14),
      subject: fc.constant(false),
    }),
    { minLength: 80, maxLength: 300 },
  )
  let divided = 0
  await fc.assert(
    fc
      .asyncProperty(busy, async (events: Event[]) => {
        await add(events)
        await rollUpVisits(ctx())
        const whole = (await database.db
          .selectFrom('visit_days')
          .select(['day', 'visits', 'visitors'])
          .where('part', '=', 'all')
          .orderBy('day')
          .execute()) as Counted[]
        for (const stretch of stretchesOf(whole, '2026-11-21')) {
          const parts = await partsOf(database.db, ids[2] as string, 'source', 'page', [stretch], 10)
          expect(parts.reduce((sum, { visits }) => sum + visits, 0)).toBe(stretch.visits)
          const keys = new Set(parts.map(({ key }) => key).filter(Boolean))
          divided += keys.size
          const within = events.filter(({ at }) => utcDate(at) >= stretch.first && utcDate(at) <= stretch.last)
          const people = (of: Event[]) => new Set(of.map((event) => `${utcDate(event.at)} ${event.visitor}`)).size
          const sourceOf = (event: Event) => visitSources[event.source] as string
          for (const key of keys) expect(people(within.filter((event) => sourceOf(event) === key))).toBeGreaterThanOrEqual(5)
          const rest = people(within.filter((event) => !keys.has(sourceOf(event))))
          expect(rest === 0 || rest >= 5, `${rest} are left beside ${[...keys]}`).toBe(true)
        }
      })
      .beforeEach(async () => {
        await sql`truncate visit_events, visit_days`.execute(database.db)
        await database.db.updateTable('visit_rollup').set({ open_from: null }).execute()
      }),
    { numRuns: 25 },
  )
  expect(divided).toBeGreaterThan(0)
})
