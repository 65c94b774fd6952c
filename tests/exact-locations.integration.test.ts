import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '#server/db/connect.ts'
import { migrate, migrationNames } from '#server/db/migrate.ts'
import { newId } from '#server/kernel/ids.ts'
import { createEmptyDatabase } from './support/empty-database.ts'
import { addPeople } from './support/people.ts'
import { startTestApp, type TestApp, type TestPerson } from './support/test-app.ts'

/** For people, posts and farms, no call accepts or shows a location more precise than a city. */

const exact = ['39.739236, -104.990251', '1234 Larimer St Apt 5, Denver, CO 80202', `39°44'21"N 104°59'25"W`, 'P2QX+7H Denver']

let t: TestApp
let person: TestPerson

beforeAll(async () => {
  t = await startTestApp()
  person = await t.signUp()
})
afterAll(() => t.close())

const profile = (location: string) => ({ firstName: 'Ann', lastName: 'Gardener', location, isProfilePublic: true })
const farm = (location: string) => ({ businessType: 'farm', businessName: 'Hidden Terrace', location })
const post = (place: string) => ({ title: 'A day out', content: 'Sunshine.', place })

describe.each([
  ['POST', '/api/user/profile', 'location', profile],
  ['PATCH', '/api/user/settings/profile', 'location', (location: string) => ({ location })],
  ['POST', '/api/posts', 'place', post],
  ['POST', '/api/drafts', 'place', post],
  ['POST', '/api/businesses', 'location', farm],
] as const)('%s %s', (method, url, field, body) => {
  it.each(exact)('refuses %s and names its field', async (text) => {
    const refused = await t.request(method, url, person, body(text))
    expect(refused.statusCode, refused.body).toBe(400)
    expect(Object.keys(refused.json().fields)).toEqual([field])
  })
})

it('refuses a more precise place when a post is edited', async () => {
  const made = await t.request('POST', '/api/posts', person, post('Denver, CO'))
  const edited = await t.request('PATCH', `/api/posts/${made.json().id}`, person, { place: '39.739236, -104.990251' })
  expect(edited.json().fields).toHaveProperty('place')
})

it('converts the ZIP code of a person or post to its city, and leaves foreign postal codes alone', async () => {
  const saved = async (location: string) => (await t.request('POST', '/api/user/profile', person, profile(location))).json().location
  expect(await saved('80202')).toBe('Denver, CO')
  expect(await saved('Denver, CO 80202-1234')).toBe('Denver, CO')
  expect(await saved('Berlin 10115')).toBe('Berlin 10115')
  expect((await t.request('POST', '/api/posts', person, post('80202'))).json().place).toBe('Denver, CO')
})

it('hides a farm’s ZIP code from everyone, and refuses it in the database', async () => {
  const made = await t.request('POST', '/api/businesses', person, farm('Denver, CO 80202'))
  expect(made.statusCode, made.body).toBe(201)
  for (const viewer of [person, null]) {
    const answer = await t.request('GET', `/api/businesses/${made.json().id}`, viewer)
    expect(answer.json()).toMatchObject({ location: 'Denver, CO', zip: null })
    expect(answer.body).not.toContain('80202')
  }
  const kept = t.db.updateTable('businesses').set({ zip: '80202' }).where('id', '=', made.json().id)
  await expect(kept.execute()).rejects.toThrow('farms_have_no_zip')
})

it('accepts a ZIP code from a shop but never coordinates', async () => {
  const shop = (location: string) => ({ ...farm(location), businessType: 'dispensary' })
  expect((await t.request('POST', '/api/businesses', person, shop('39.739236, -104.990251'))).json().fields).toHaveProperty('location')
  expect((await t.request('POST', '/api/businesses', person, shop('Denver, CO 80202'))).json()).toMatchObject({ zip: '80202' })
})

describe('the migration', () => {
  it('reduces each stored place to its city or clears it', async () => {
    const database = await createEmptyDatabase()
    const names = migrationNames()
    const at = names.indexOf('20261123T1530-clean-exact-locations')
    await migrate(database.url, undefined, names.slice(0, at))
    const before = connect(database.url, { databasePoolSize: 2, statementTimeoutMs: 10_000, lockTimeoutMs: 5_000 }, { warn() {} })
    const locations: [string, string | null][] = [
      ['39.739236, -104.990251', null],
      ['1234 Larimer St Apt 5, Denver, CO 80202', 'Denver, CO'],
      ['77 West Wacker Dr #400', null],
      ['Denver, CO', 'Denver, CO'],
      ['29 Palms, CA', '29 Palms, CA'],
      ['Berlin, Germany', 'Berlin, Germany'],
    ]
    const people = await addPeople(before.db, locations.length)
    for (const [i, [location]] of locations.entries()) {
      await sql`update users set location = ${location} where id = ${people[i]}`.execute(before.db)
    }
    const farms = [newId(), newId()]
    for (const [i, location] of ['Denver, CO 80202', '39.739236, -104.990251'].entries()) {
      await sql`
        insert into businesses (id, slug, name, type, location, city, state, country, zip, pin_latitude, pin_longitude, pin_precision, search_text, created_at, updated_at)
        values (${farms[i]}, ${`farm-${i}`}, 'Farm', 'farm', ${location}, 'Denver', 'CO', 'US', '80202', 39.7, -104.9, 'city', 'farm', now(), now())`.execute(
        before.db,
      )
    }
    await before.close()
    await migrate(database.url)
    const after = connect(database.url, { databasePoolSize: 2, statementTimeoutMs: 10_000, lockTimeoutMs: 5_000 }, { warn() {} })
    const rows = await after.db.selectFrom('users').select(['id', 'location']).where('id', 'in', people).execute()
    expect(people.map((id) => rows.find((row) => row.id === id)?.location)).toEqual(locations.map(([, cleaned]) => cleaned))
    const kept = await after.db.selectFrom('businesses').select(['location', 'zip', 'pin_precision']).orderBy('slug').execute()
    expect(kept).toEqual([
      { location: 'Denver, CO', zip: null, pin_precision: 'city' },
      { location: null, zip: null, pin_precision: null },
    ])
    await after.close()
    await database.drop()
  })
})
