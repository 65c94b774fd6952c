import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Business } from '../../../contracts/businesses.ts'
import { startTestApp, type TestApp, type TestPerson } from '../../../tests/support/test-app.ts'
import { maxBusinessesPerAccount } from '../team/index.ts'

let test: TestApp
let owner: TestPerson

beforeAll(async () => {
  test = await startTestApp()
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

describe('POST /api/businesses', () => {
  it('makes a business with its owner, and completes onboarding', async () => {
    const newcomer = await registerOnly()
    const made = await create(
      {
        businessName: "Nature's Door",
        businessType: 'dispensary',
        location: 'denver, co',
        address: '1 Main St',
        website: 'https://door.example',
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
      description: null,
      isClaimed: true,
      licenseStanding: 'none',
      licenses: [],
      pin: { precision: 'city' },
      productAge: { minimumAge: 21 },
    })
    const user = (await test.request('GET', '/api/auth/user', newcomer)).json()
    expect(user).toMatchObject({ hasCompletedOnboarding: true, userType: 'business', businessType: 'dispensary' })
    const { role } = (await test.request('GET', `/api/businesses/${business.id}/status`, newcomer)).json()
    expect(role).toBe('owner')
  })

  it("does not keep a farm's address", async () => {
    const business = (await create({ businessName: 'Hill Farm', location: '80202', address: '1 Hidden Rd' })).json() as Business
    expect(business).toMatchObject({ type: 'farm', address: null, pin: { precision: 'city' } })
    const row = await test.db.selectFrom('businesses').selectAll().where('id', '=', business.id).executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain('Hidden')
  })

  it('refuses a street in the place of a farm', async () => {
    const answer = await create({ businessName: 'Hill Farm', location: '4120 Hidden Rd, Nowhere County' })
    expect(answer.json()).toMatchObject({ code: 'invalid_input', fields: { location: expect.stringMatching(/without its street/) } })
  })

  it('numbers the slugs of namesakes, also of those made at the same moment', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => create({ businessName: 'Twin', location: 'Denver, CO' })))
    expect(made.map((answer) => (answer.json() as Business).slug).sort()).toEqual([
      'twin-denver',
      ...[2, 3, 4, 5].map((n) => `twin-denver-${n}`),
    ])
  })

  it('says what the specification says about what is missing, and all at once', async () => {
    const answer = await create({ businessName: ' ', location: '', website: 'javascript:alert(1)' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().fields).toMatchObject({
      businessName: 'Business name is required',
      location: 'Location is required',
      website: expect.any(String),
    })
  })

  it('makes one business for one idempotency key, however often and at once it comes', async () => {
    const body = { businessName: 'Once', location: 'Boulder, CO' }
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(body, owner, 'key-1')))
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([201]))
    expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1)
    expect((await create({ ...body, businessName: 'Other' }, owner, 'key-1')).statusCode).toBe(422)
  })

  it('stops at the limit, also when two come at once', async () => {
    const keen = await test.signUp()
    const answers = await Promise.all(
      Array.from({ length: maxBusinessesPerAccount + 3 }, (_, i) => create({ businessName: `Chain ${i}`, location: 'Denver, CO' }, keen)),
    )
    const codes = answers.map((answer) => answer.statusCode)
    expect(codes.filter((code) => code === 201)).toHaveLength(maxBusinessesPerAccount)
    expect(codes.filter((code) => code === 409)).toHaveLength(3)
    expect(answers.find((answer) => answer.statusCode === 409)?.json().message).toMatch(/at most 20 businesses/)
  })

  it('asks visitors to sign in', async () => {
    expect((await create({ businessName: 'X', location: 'Y' }, null)).statusCode).toBe(401)
  })

  it('asks an account without a birthday for it, and refuses the young', async () => {
    const young = await registerOnly()
    await test.db.updateTable('users').set({ birthday: null }).where('id', '=', young.user.id).execute()
    const body = { businessName: 'X', location: 'Denver, CO' }
    expect((await create(body, young)).json().code).toBe('birthday_required')
    expect((await create({ ...body, birthday: '2015-01-01' }, young)).json().code).toBe('underage')
    expect((await test.db.selectFrom('businesses').select('id').where('name', '=', 'X').execute()).length).toBe(0)
  })
})

/** An account before onboarding. */
async function registerOnly(): Promise<TestPerson> {
  const person = await test.signUp()
  await test.db.updateTable('users').set({ has_completed_onboarding: false }).where('id', '=', person.user.id).execute()
  return person
}
