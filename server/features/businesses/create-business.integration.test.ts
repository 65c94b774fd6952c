import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Business, BusinessSummary } from '#contracts/businesses.ts'
import type { ModerationCaseDetail } from '#contracts/moderation.ts'
import { up as renameMine } from '#server/db/migrations/20261130T0940-rename-businesses-called-mine.ts'
import { maxBusinessesPerAccount } from '#server/features/team/index.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { addListing } from '#tests/support/listings.ts'
import { pictureWithSecrets } from '#tests/support/pictures.ts'
import { giveRole } from '#tests/support/roles.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson

beforeAll(async () => {
  test = await startTestApp({ fetchPicture: () => pictureWithSecrets('jpeg', 120, 80) })
  owner = await test.signUp()
})
afterAll(() => test?.close())

const create = (body: object, as: TestPerson | null = owner, key?: string) =>
  test.app.inject({
    method: 'POST',
    url: '/api/businesses',
    headers: { ...(as ? { cookie: as.cookie } : {}), ...(key ? { 'idempotency-key': key } : {}) },
    payload: body,
  })

describe('POST /api/businesses/setups', () => {
  const setUp = (body: object, as: TestPerson | null = owner) => test.request('POST', '/api/businesses/setups', as, body)

  it('creates a business from a name and a type, with an optional location', async () => {
    const made = await setUp({ businessType: 'dispensary', businessName: 'Later Door' })
    expect(made.statusCode, made.body).toBe(201)
    expect(made.json()).toMatchObject({ name: 'Later Door', type: 'dispensary', location: null, city: null, pin: null })
    const { id } = made.json() as Business
    const placed = await test.request('PATCH', `/api/businesses/${id}`, owner, { location: 'Golden, CO' })
    expect(placed.json()).toMatchObject({ location: 'Golden, CO', state: 'CO' })
    expect((await setUp({ businessName: 'Here Now', location: 'denver, co' })).json()).toMatchObject({ location: 'Denver, CO' })
  })

  it('requires a member, a name, and the type farm or dispensary, and refuses coordinates', async () => {
    expect((await setUp({ businessName: 'Glass', businessType: 'glass_shop' })).json().fields).toEqual({
      businessType: 'Must be farm or dispensary',
    })
    expect(Object.keys((await setUp({ location: '39.7392, -104.9903' })).json().fields)).toEqual(['businessName', 'location'])
    expect((await setUp({ businessName: 'No One' }, null)).statusCode).toBe(401)
  })
})

describe('POST /api/businesses', () => {
  it('creates a business with its owner and completes onboarding', async () => {
    const newcomer = await registerOnly()
    const made = await create(
      {
        businessName: "Nature's Door",
        businessType: 'dispensary',
        location: 'denver, co',
        address: '1 Main St',
        description: 'Grown on the hill.',
        phone: '+1 303 555 0134',
        website: 'https://door.example',
        imageUrl: 'https://pictures.example/door.jpg',
        licenseNumber: '402R-1',
      },
      newcomer,
    )
    expect(made.statusCode, made.body).toBe(201)
    const business = made.json() as Business
    expect(business).toMatchObject({
      slug: 'natures-door-denver',
      name: "Nature's Door",
      location: 'Denver, CO',
      city: 'Denver',
      state: 'CO',
      address: '1 Main St',
      description: 'Grown on the hill.',
      phone: '+1 303 555 0134',
      website: 'https://door.example',
      imageUrl: null,
      isClaimed: true,
      licenseStanding: 'none',
      licenses: [],
      pin: { precision: 'city' },
      productAge: { minimumAge: 21 },
    })
    await test.runJobs()
    expect((await test.request('GET', `/api/businesses/${business.id}`)).json().imageUrl).toMatch(/^\/media\/[0-9a-f-]+\/medium\.webp$/)
    const user = (await test.request('GET', '/api/auth/user', newcomer)).json()
    expect(user).toMatchObject({ hasCompletedOnboarding: true, userType: 'business', businessType: 'dispensary' })
    const { role } = (await test.request('GET', `/api/businesses/${business.id}/status`, newcomer)).json()
    expect(role).toBe('owner')
  })

  it('does not store a farm’s address', async () => {
    const business = (await create({ businessName: 'Hill Farm', location: '80202', address: '1 Hidden Rd' })).json() as Business
    expect(business).toMatchObject({ type: 'farm', address: null, pin: { precision: 'city' } })
    const row = await test.db.selectFrom('businesses').selectAll().where('id', '=', business.id).executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain('Hidden')
  })

  it('refuses a street as the location of a farm', async () => {
    const answer = await create({ businessName: 'Hill Farm', location: '4120 Hidden Rd, Nowhere County' })
    expect(answer.json()).toMatchObject({ code: 'invalid_input', fields: { location: expect.stringMatching(/without a street/) } })
  })

  it('numbers the slugs of namesakes, even when created concurrently', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => create({ businessName: 'Twin', location: 'Denver, CO' })))
    expect(made.map((answer) => (answer.json() as Business).slug).sort()).toEqual([
      'twin-denver',
      ...[2, 3, 4, 5].map((n) => `twin-denver-${n}`),
    ])
  })

  it('reports every missing or invalid field', async () => {
    const answer = await create({ businessName: ' ', location: '', website: 'javascript:alert(1)' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().fields).toMatchObject({
      businessName: 'Business name is required',
      location: 'Location is required',
      website: expect.any(String),
    })
  })

  it('creates one business per idempotency key, even concurrently', async () => {
    const body = { businessName: 'Once', location: 'Boulder, CO' }
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(body, owner, 'key-1')))
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([201]))
    expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1)
    expect((await create({ ...body, businessName: 'Other' }, owner, 'key-1')).statusCode).toBe(422)
  })

  it('enforces the limit per account, even concurrently', async () => {
    const keen = await test.signUp()
    const answers = await Promise.all(
      Array.from({ length: maxBusinessesPerAccount + 3 }, (_, i) => create({ businessName: `Chain ${i}`, location: 'Denver, CO' }, keen)),
    )
    const codes = answers.map((answer) => answer.statusCode)
    expect(codes.filter((code) => code === 201)).toHaveLength(maxBusinessesPerAccount)
    expect(codes.filter((code) => code === 409)).toHaveLength(3)
    expect(answers.find((answer) => answer.statusCode === 409)?.json().message).toMatch(/up to 20 businesses/)
  })

  it('asks visitors to sign in', async () => {
    expect((await create({ businessName: 'X', location: 'Y' }, null)).statusCode).toBe(401)
  })

  it('asks for a missing birthday and refuses minors', async () => {
    const young = await registerOnly()
    await test.db.updateTable('users').set({ birthday: null }).where('id', '=', young.user.id).execute()
    const body = { businessName: 'X', location: 'Denver, CO' }
    expect((await create(body, young)).json().code).toBe('birthday_required')
    expect((await create({ ...body, birthday: '2015-01-01' }, young)).json().code).toBe('underage')
    expect((await test.db.selectFrom('businesses').select('id').where('name', '=', 'X').execute()).length).toBe(0)
  })
})

describe('a business already in the register', () => {
  it('can’t be created with a listing’s license number, and the error links to claiming the listing instead', async () => {
    const listing = await addListing(test.db, { name: 'The Dab', number: '402R-01006', city: 'Broomfield' })
    for (const [licenseNumber, location] of [
      ['402R-01006', 'Denver, CO'],
      [' 402r 01006', 'Broomfield, CO'],
      // The number is unique across all states.
      ['402R01006', 'Somewhere else'],
    ]) {
      const answer = await create({ businessName: 'Aspen Weed Co', businessType: 'dispensary', location, licenseNumber })
      expect([answer.statusCode, answer.json()], answer.body).toEqual([
        409,
        {
          code: 'conflict',
          message: expect.stringContaining('This license number belongs to “The Dab”.'),
          fields: { licenseNumber: expect.stringContaining('claim it') },
          links: [{ title: 'Claim The Dab', path: `/business/register?claim=${listing.slug}` }],
        },
      ])
    }
    expect(await test.db.selectFrom('businesses').select('id').where('name', '=', 'Aspen Weed Co').execute()).toEqual([])
    const other = { businessName: 'Aspen Weed Co', businessType: 'dispensary', location: 'Portland, OR', licenseNumber: '402R-01006' }
    expect((await create(other)).statusCode).toBe(201)
  })

  it('is found by the license number entered at sign-up unless the form clears it', async () => {
    const listing = await addListing(test.db, { number: '402R-01007' })
    const newcomer = await registerOnly()
    await test.db.updateTable('users').set({ license_number: '402R-01007' }).where('id', '=', newcomer.user.id).execute()
    expect((await test.request('GET', '/api/auth/user', newcomer)).json()).toMatchObject({ licenseNumber: '402R-01007' })
    const body = { businessName: 'New Door', businessType: 'dispensary', location: 'Denver, CO' }
    const answer = await create(body, newcomer)
    expect([answer.statusCode, answer.json().links?.[0].path]).toEqual([409, `/business/register?claim=${listing.slug}`])
    expect((await create({ ...body, licenseNumber: null }, newcomer)).statusCode).toBe(201)
    expect((await create({ ...body, businessName: 'Second Door' }, newcomer)).statusCode).toBe(201)
  })

  it('can be created with its license number if moderators removed the listing', async () => {
    const listing = await addListing(test.db, { number: '402R-01008' })
    await test.db.updateTable('businesses').set({ moderation: 'removed' }).where('id', '=', listing.id).execute()
    const body = { businessName: 'Quiet Door', businessType: 'dispensary', location: 'Denver, CO', licenseNumber: '402R-01008' }
    expect((await create(body)).statusCode).toBe(201)
  })

  it('may be created again by name and city, ranks below the listing, and is reported to moderators once', async () => {
    const listing = await addListing(test.db, { name: 'Cedar & Sage, LLC', city: 'Boulder' })
    await test.db.updateTable('licenses').set({ name_key: 'cedar and sage' }).where('business_id', '=', listing.id).execute()
    const body = { businessName: 'CEDAR & SAGE', businessType: 'dispensary', location: 'Boulder, CO' }
    const answers = await Promise.all(Array.from({ length: 3 }, () => create(body, owner, 'duplicate-1')))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201])
    const made = answers[0]?.json() as Business
    const cases = await test.db.selectFrom('moderation_cases').selectAll().where('subject_id', '=', made.id).execute()
    expect(cases).toMatchObject([{ subject: 'business', source: 'check', status: 'open', user_id: owner.user.id, reports_count: 0 }])

    const moderator = await test.signUp()
    await giveRole(test, moderator, 'moderator')
    const found = (await test.request('GET', `/api/moderation/cases/${cases[0]?.id}`, moderator)).json() as ModerationCaseDetail
    expect(found).toMatchObject({
      title: 'CEDAR & SAGE',
      state: null,
      source: 'check',
      findings: [{ rule: 'possible_duplicate', says: expect.stringContaining('“Cedar & Sage, LLC”'), path: `/business/${listing.slug}` }],
    })
    expect(found.mayDo).toEqual(expect.arrayContaining(['dismiss', 'hide', 'remove']))
    const queue = (await test.request('GET', '/api/moderation/cases?kind=reports', moderator)).json() as ModerationCaseDetail[]
    expect(queue.map(({ id }) => id)).toContain(cases[0]?.id)
    expect((await test.request('GET', `/api/moderation/cases/${cases[0]?.id}`, owner)).statusCode).toBe(404)

    for (const query of ['q=cedar', 'q=cedar&near=Boulder, CO', 'q=cedar&sort=distance&near=Boulder, CO']) {
      const list = (await test.request('GET', `/api/businesses?${query}`, null)).json() as BusinessSummary[]
      expect(
        list.map(({ id }) => id),
        query,
      ).toEqual([listing.id, made.id])
    }
  })

  it('is reported once its location is known, if it was set up without one', async () => {
    const listing = await addListing(test.db, { name: 'Juniper Gate', city: 'Golden' })
    const findings = async (id: string) => {
      const cases = await test.db.selectFrom('moderation_cases').select('findings').where('subject_id', '=', id).execute()
      return cases.flatMap((each) => each.findings as { rule: string; path: string }[])
    }
    const finding = { rule: 'possible_duplicate', path: `/business/${listing.slug}` }
    const setUp = async (body: object): Promise<Business> =>
      (await test.request('POST', '/api/businesses/setups', owner, { businessType: 'dispensary', ...body })).json()
    const edit = (id: string, edits: object) => test.request('PATCH', `/api/businesses/${id}`, owner, edits)

    const later = await setUp({ businessName: 'Juniper Gate' })
    expect(await findings(later.id)).toEqual([])
    expect((await edit(later.id, { location: 'Golden, CO' })).statusCode).toBe(200)
    expect(await findings(later.id)).toMatchObject([finding])
    expect((await edit(later.id, { description: 'By the creek' })).statusCode).toBe(200)
    for (const location of ['Denver, CO', 'Golden, CO']) expect((await edit(later.id, { location })).statusCode).toBe(200)
    expect(await findings(later.id)).toHaveLength(1)

    const somewhere = await setUp({ businessName: 'JUNIPER GATE', location: 'Colorado' })
    expect(await findings(somewhere.id)).toMatchObject([finding])
    const elsewhere = await setUp({ businessName: 'Juniper Gate', location: 'Oregon' })
    const renamed = await setUp({ businessName: 'Birch Gate', location: 'Golden, CO' })
    expect([...(await findings(elsewhere.id)), ...(await findings(renamed.id))]).toEqual([])
    expect((await edit(renamed.id, { name: 'Juniper Gate' })).statusCode).toBe(200)
    expect(await findings(renamed.id)).toMatchObject([finding])
  })

  it('isn’t a duplicate if it is in another city or repeats the owner’s own business', async () => {
    await addListing(test.db, { name: 'Fern Gate', city: 'Boulder' })
    const body = { businessName: 'Fern Gate', businessType: 'dispensary', location: 'Denver, CO' }
    const made = [(await create(body)).json() as Business, (await create(body)).json() as Business]
    const ids = made.map(({ id }) => id)
    expect(await test.db.selectFrom('moderation_cases').select('id').where('subject_id', 'in', ids).execute()).toEqual([])
  })
})

it('replaces the slug “mine” with one whose page can be opened', async () => {
  await addBusiness(test.db, { slug: 'mine-business' })
  const { id } = await addBusiness(test.db, { slug: 'mine' })
  await renameMine(test.db as unknown as Kysely<unknown>)
  expect((await test.request('GET', '/api/businesses/mine-business-2')).json()).toMatchObject({ id })
})

async function registerOnly(): Promise<TestPerson> {
  const person = await test.signUp()
  await test.db.updateTable('users').set({ has_completed_onboarding: false }).where('id', '=', person.user.id).execute()
  return person
}
