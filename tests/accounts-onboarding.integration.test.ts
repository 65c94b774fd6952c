import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CurrentUser } from '#contracts/accounts.ts'
import { completeOnboardingAsBusiness, provideBirthday } from '#server/features/accounts/index.ts'
import type { Session } from '#server/kernel/actor.ts'
import { type AccountsApp, registration, sessionCookieOf, startAccountsApp } from './support/accounts-app.ts'

let t: AccountsApp

beforeAll(async () => {
  t = await startAccountsApp()
})
afterAll(() => t.close())

const form = { firstName: 'Ann', lastName: 'Gardener', location: 'Denver, CO' }

async function signUp(details: object = {}) {
  const cookie = sessionCookieOf(await t.post('/api/register', registration(details))) as string
  return { cookie, session: (await t.ctx.sessions.read(cookie)) as Session }
}

async function signUpWithoutBirthday() {
  const person = await signUp()
  await t.db.updateTable('users').set({ birthday: null }).where('id', '=', person.session.actor.id).execute()
  return { ...person, session: (await t.ctx.sessions.read(person.cookie)) as Session }
}

const save = (cookie: string, details: object = {}) => t.post('/api/user/profile', { ...form, ...details }, { cookie })
const currentUser = async (cookie: string) => (await t.get('/api/auth/user', { cookie })).json()

test('stores units and a region with the account, and refuses unknown units', async () => {
  const { cookie } = await signUp()
  const none = { region: null, temperature: null, length: null, mass: null, distance: null }
  expect((await currentUser(cookie)).preferences).toEqual(none)
  const preferences = { region: 'DE', temperature: 'F', length: 'in', mass: 'oz', distance: 'km' }
  const change = (payload: object) =>
    t.app.inject({ method: 'PATCH', url: '/api/user/preferences', payload, headers: { cookie, 'sec-fetch-site': 'same-origin' } })
  expect((await change(preferences)).json()).toMatchObject({ preferences })
  expect((await currentUser(cookie)).preferences).toEqual(preferences)
  const refused = await change({ ...preferences, region: 'Germany', mass: 'stone' })
  expect([refused.statusCode, Object.keys(refused.json().fields)]).toEqual([400, ['region', 'mass']])
  expect((await change({ mass: 'g' })).json()).toMatchObject({ preferences: { ...preferences, mass: 'g' } })
  expect((await change(none)).json()).toMatchObject({ preferences: none })
})

test('stores when a person’s age was first confirmed at the age gate', async () => {
  const { cookie, session } = await signUp()
  const confirm = () =>
    t.app.inject({ method: 'PUT', url: '/api/user/age-confirmation', headers: { cookie, 'sec-fetch-site': 'same-origin' } })
  const confirmedAt = async () =>
    (await t.db.selectFrom('users').select('age_confirmed_at').where('id', '=', session.actor.id).executeTakeFirstOrThrow())
      .age_confirmed_at
  // Giving a birthday, which OpenID accounts lack at first, also confirms the age.
  expect(await currentUser(cookie)).toMatchObject({ hasConfirmedAge: true })
  await t.db.updateTable('users').set({ birthday: null }).where('id', '=', session.actor.id).execute()
  expect(await currentUser(cookie)).toMatchObject({ hasConfirmedAge: false, hasCompletedOnboarding: false })
  expect((await confirm()).json()).toMatchObject({ hasConfirmedAge: true, hasCompletedOnboarding: false })
  const first = await confirmedAt()
  t.clock.advance({ hours: 1 })
  expect((await confirm()).statusCode).toBe(200)
  expect(await confirmedAt()).toEqual(first)
  expect(await currentUser(cookie)).toMatchObject({ hasConfirmedAge: true })
})

describe('the personal form', () => {
  test('is saved and completes onboarding', async () => {
    const { cookie } = await signUp()
    const response = await save(cookie, {
      bio: ' I like terraces. ',
      interests: ['Flower', 'Growing Tips'],
      isProfilePublic: true,
      allowLocationSharing: false,
    })
    expect(response.statusCode, response.body).toBe(200)
    const expected = {
      firstName: 'Ann',
      lastName: 'Gardener',
      location: 'Denver, CO',
      bio: 'I like terraces.',
      interests: ['Flower', 'Growing Tips'],
      isProfilePublic: true,
      allowLocationSharing: false,
      hasCompletedOnboarding: true,
      userType: 'consumer',
    }
    expect(CurrentUser.parse(response.json())).toMatchObject(expected)
    expect(await currentUser(cookie)).toEqual(response.json())
  })

  test('has the specified defaults', async () => {
    const { cookie } = await signUp()
    expect((await save(cookie)).json()).toMatchObject({ bio: null, interests: [], isProfilePublic: false, allowLocationSharing: true })
  })

  test('limits the length of each text and the number of interests', async () => {
    const { cookie } = await signUp()
    const maxLengths = { firstName: 80, lastName: 80, location: 120, bio: 1000 }
    for (const [field, max] of Object.entries(maxLengths)) {
      expect((await save(cookie, { [field]: 'a'.repeat(max) })).statusCode, field).toBe(200)
      expect((await save(cookie, { [field]: 'a'.repeat(max + 1) })).json().fields, field).toEqual({
        [field]: `At most ${max.toLocaleString('en-US')} characters`,
      })
    }
    const interests = (count: number) => Array.from({ length: count }, (_, index) => `Interest ${index}`)
    expect((await save(cookie, { interests: interests(30) })).statusCode).toBe(200)
    expect((await save(cookie, { interests: interests(31) })).json().fields).toEqual({ interests: 'At most 30 interests' })
  })

  test('names the missing fields', async () => {
    const { cookie } = await signUp()
    const response = await t.post('/api/user/profile', { firstName: ' ' }, { cookie })
    expect(response.statusCode).toBe(400)
    expect(response.json().fields).toEqual({
      firstName: 'First name is required',
      lastName: 'Last name is required',
      location: 'Location is required',
    })
    expect((await currentUser(cookie)).hasCompletedOnboarding).toBe(false)
  })

  test('can’t change fields outside the form', async () => {
    const { cookie } = await signUp()
    await save(cookie, { role: 'admin', email: 'other@example.com', subscriptionTier: 'vip', birthday: '1980-01-01', userType: 'business' })
    expect(await currentUser(cookie)).toMatchObject({
      role: 'member',
      subscriptionTier: null,
      subscriptionEndsAt: null,
      birthday: '1990-04-01',
      userType: 'consumer',
    })
  })

  test('refuses visitors', async () => {
    expect((await t.post('/api/user/profile', form)).statusCode).toBe(401)
  })

  test('can’t write to another person’s account', async () => {
    const [ann, bob] = [await signUp(), await signUp()]
    await save(ann.cookie, { id: bob.session.actor.id, location: 'Lyon' })
    expect((await currentUser(bob.cookie)).location).toBeNull()
  })
})

describe('the type of an account', () => {
  const complete = (userId: string) =>
    t.db.transaction().execute((tx) => completeOnboardingAsBusiness(tx, userId, 'dispensary', t.clock.now()))

  test('follows the first completed form: personal', async () => {
    const { cookie, session } = await signUp({ accountType: 'business', businessType: 'farm' })
    expect((await save(cookie)).json().userType).toBe('consumer')
    await complete(session.actor.id)
    expect(await currentUser(cookie)).toMatchObject({ userType: 'consumer', hasCompletedOnboarding: true })
  })

  test('follows the first completed form: business', async () => {
    const { cookie, session } = await signUp()
    await complete(session.actor.id)
    expect(await currentUser(cookie)).toMatchObject({ userType: 'business', businessType: 'dispensary', hasCompletedOnboarding: true })
    expect((await save(cookie)).json()).toMatchObject({ userType: 'business', firstName: 'Ann' })
  })
})

describe('an account without a birthday', () => {
  test('must include a birthday in the form', async () => {
    const { cookie } = await signUpWithoutBirthday()
    const without = await save(cookie)
    expect([without.statusCode, without.json().code]).toEqual([403, 'birthday_required'])
    expect((await currentUser(cookie)).hasCompletedOnboarding).toBe(false)
    const withIt = await save(cookie, { birthday: '1990-04-01' })
    expect(withIt.json()).toMatchObject({ birthday: '1990-04-01', hasCompletedOnboarding: true })
  })

  test('can set the birthday only once', async () => {
    const { cookie } = await signUpWithoutBirthday()
    await save(cookie, { birthday: '1990-04-01' })
    expect((await save(cookie, { birthday: '1970-01-01' })).json().birthday).toBe('1990-04-01')
  })

  test('is deleted with its sessions if the person is under 18', async () => {
    t.clock.set('2026-11-21T12:00:00Z')
    try {
      const { cookie, session } = await signUpWithoutBirthday()
      const response = await save(cookie, { birthday: '2008-11-22' })
      expect([response.statusCode, response.json().code]).toEqual([400, 'underage'])
      expect(response.json().message).toBe('You must be 18 years or older to access this platform.')
      expect((await t.get('/api/auth/user', { cookie })).statusCode).toBe(401)
      const { id } = session.actor
      expect(await t.db.selectFrom('users').select('id').where('id', '=', id).execute()).toEqual([])
      expect(await t.db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()).toEqual([])
    } finally {
      t.clock.set(new Date())
    }
  })

  test('isn’t deleted because of a typo', async () => {
    const { cookie } = await signUpWithoutBirthday()
    const response = await save(cookie, { birthday: '2990-04-01' })
    expect([response.statusCode, response.json().fields]).toEqual([400, { birthday: 'Check the year of this date' }])
    expect((await t.get('/api/auth/user', { cookie })).statusCode).toBe(200)
  })

  test('isn’t deleted if the person turned 18 after the account was created', async () => {
    t.clock.set('2026-11-21T12:00:00Z')
    try {
      const { cookie } = await signUpWithoutBirthday()
      t.clock.advance({ days: 2 })
      const response = await save(cookie, { birthday: '2008-11-22' })
      expect(response.statusCode, response.body).toBe(200)
      expect(response.json().createdAt).toMatch(/^2026-11-23/)
    } finally {
      t.clock.set(new Date())
    }
  })

  test('isn’t deleted once its birthday is known, even if an underage one is sent later', async () => {
    const { cookie, session } = await signUp()
    await provideBirthday(t.ctx, session.actor, '2020-01-01')
    // A birthday counts even if the actor was read before it was set.
    await expect(provideBirthday(t.ctx, { ...session.actor, birthday: null }, '2020-01-01')).rejects.toThrow('18 years')
    expect((await currentUser(cookie)).birthday).toBe('1990-04-01')
  })
})
