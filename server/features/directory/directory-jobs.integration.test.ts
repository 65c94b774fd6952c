import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LicenseRegister } from '#server/kernel/license-registers.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

let test: TestApp
const asked: LicenseRegister['source'][] = []

beforeAll(async () => {
  test = await startTestApp({
    env: { LICENSE_REGISTERS: 'NY' },
    readRegister: async function* (source) {
      asked.push(source)
      yield [
        {
          license_number: 'OCM-1',
          dba: 'Hudson Green',
          license_type: 'Adult-Use Retail Dispensary License',
          city: 'New York',
          zip_code: '10012',
        },
      ]
    },
  })
})
afterAll(() => test?.close())

it('reads only the registers of the configured states', async () => {
  await test.ctx.jobs.enqueue('directory.fetch-registers', {})
  await test.runJobs()
  expect(asked.map(({ url }) => new URL(url).host)).toEqual(['data.ny.gov'])
  const found = (await test.request('GET', '/api/businesses?q=Hudson')).json()
  expect(found).toMatchObject([{ name: 'Hudson Green', location: 'New York, NY', licenseStanding: 'listed' }])
})
