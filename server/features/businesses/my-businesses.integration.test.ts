import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test?.close())

const mine = async (as: TestPerson) => (await test.request('GET', '/api/businesses/mine', as)).json()
const create = (as: TestPerson, businessName: string) =>
  test.request('POST', '/api/businesses', as, { businessName, location: 'Denver, CO' })

it('lists only the businesses a person runs, by name', async () => {
  const owner = await test.signUp()
  const stranger = await test.signUp()
  expect(await mine(owner)).toEqual([])
  for (const name of ['Zenith Farm', 'Alder Farm']) expect((await create(owner, name)).statusCode).toBe(201)
  expect((await create(stranger, 'Other Farm')).statusCode).toBe(201)
  expect(await mine(owner)).toEqual([
    expect.objectContaining({ name: 'Alder Farm', type: 'farm', slug: 'alder-farm-denver', imageUrl: null, role: 'owner' }),
    expect.objectContaining({ name: 'Zenith Farm', role: 'owner', isLicenseVerified: false }),
  ])
  const verify = (day: string) =>
    test.db.updateTable('businesses').set({ license_verified_through: day }).where('slug', '=', 'alder-farm-denver').execute()
  await verify('2099-12-31')
  expect((await mine(owner))[0]).toMatchObject({ name: 'Alder Farm', isLicenseVerified: true })
  await verify('2026-01-01')
  expect((await mine(owner))[0]).toMatchObject({ name: 'Alder Farm', isLicenseVerified: false })
})

it('labels businesses of the same name by their city', async () => {
  const owner = await test.signUp()
  for (const location of ['Denver, CO', 'Boulder, CO']) {
    expect((await test.request('POST', '/api/businesses', owner, { businessName: 'Twin Farm', location })).statusCode).toBe(201)
  }
  const labels = (await mine(owner)).map(({ label }: { label: string }) => label)
  expect(labels.toSorted()).toEqual(['Twin Farm, Boulder, CO', 'Twin Farm, Denver, CO'])
})
