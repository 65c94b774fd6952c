import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createRegisterReader } from '#server/adapters/registers/read-register.ts'
import type { LicenseRegister, ReadRegister } from '#server/kernel/license-registers.ts'
import { createTestClock } from '#tests/support/clock.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { licenseSearchAnswer, type RegisterAnswer, socrataAnswer, startRegisterServer, xlsxOf } from '#tests/support/register-server.ts'
import { checkRegisters, fetchRegister, lastReadings, loadRegisters, shippedRegisters, toFileRow } from './fetch-register.ts'

let database: TestDatabase
let folder: string
let shipped: Map<string, LicenseRegister>
const clock = createTestClock()
const closers: (() => Promise<void>)[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  folder = mkdtempSync(path.join(os.tmpdir(), 'registers-'))
  shipped = new Map((await loadRegisters(shippedRegisters)).map((register) => [register.id, register]))
})
afterAll(async () => {
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  for (const table of ['licenses', 'businesses', 'license_imports'] as const) await database.db.deleteFrom(table).execute()
})
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** The register as shipped, but served by this test at the same path and query. */
async function local(id: string, answer: (url: URL, count: number) => RegisterAnswer | null): Promise<LicenseRegister> {
  const server = await startRegisterServer(answer)
  closers.push(server.close)
  const register = shipped.get(id) as LicenseRegister
  const url = register.source.url.replace(/^https:\/\/[^/]+/, server.url)
  return { ...register, source: { ...register.source, url } }
}

const fetchIt = (register: LicenseRegister, options: { acceptShrunk?: boolean } = {}) =>
  fetchRegister({ db: database.db, clock }, register, { read: createRegisterReader({ pauseMs: 1 }), dataDir: folder, ...options })

const licenses = () =>
  database.db
    .selectFrom('licenses')
    .leftJoin('businesses', 'businesses.id', 'licenses.business_id')
    .select([
      'license_number',
      'business_name',
      'business_type',
      'standing',
      'licenses.city',
      'street',
      'licenses.phone',
      'expires_on',
      'slug',
    ])
    .orderBy('license_number')
    .execute()

const newYork = (number: number, more: object = {}) => ({
  license_number: `OCM-RETL-26-${number}`,
  license_type: 'Adult-Use Retail Dispensary License',
  license_status: 'Active',
  entity_name: 'HUDSON GREEN LLC',
  address_line_1: `${number} Broadway`,
  city: 'New York',
  zip_code: '10012',
  expiration_date: '2027-05-01T00:00:00.000',
  ...more,
})

describe('the shipped registers', () => {
  it('reads New York’s dataset', async () => {
    const rows = [
      newYork(1, { dba: 'Hudson Green' }),
      newYork(2, { license_type: 'Adult-Use Cultivator License', city: 'Ithaca', zip_code: '14850' }),
    ]
    const { isComplete, rowsRefused } = await fetchIt(await local('ny-ocm', (url) => socrataAnswer(rows, url)))
    expect({ isComplete, rowsRefused }).toEqual({ isComplete: true, rowsRefused: 0 })
    expect(await licenses()).toMatchObject([
      {
        business_name: 'Hudson Green',
        business_type: 'dispensary',
        standing: 'listed',
        city: 'New York',
        street: '1 Broadway',
        expires_on: '2027-05-01',
        slug: 'hudson-green-new-york',
      },
      { business_name: 'Hudson Green LLC', business_type: 'farm', city: 'Ithaca' },
    ])
  })

  it('reads California’s license search, without its placeholders', async () => {
    const row = {
      licenseNumber: 'C10-0000001-LIC',
      licenseStatus: 'Active',
      licenseType: 'Commercial -  Retailer',
      licenseDesignation: 'Adult-Use',
      businessDbaName: 'Data Not Available',
      businessLegalName: 'Bay Leaf, Inc.',
      premiseStreetAddress: 'Not Published',
      premiseCity: 'Oakland',
      premiseZipCode: '94601',
      businessPhone: '5105550100',
      premiseLatitude: null,
      premiseLongitude: null,
      expirationDate: '2027-01-31T00:00:00',
    }
    const rows = [
      row,
      { ...row, licenseNumber: 'C9-0000002-LIC', licenseType: 'Commercial - Retailer - Non-Storefront', businessDbaName: 'Bay Wheels' },
      { ...row, licenseNumber: 'C10-0000003-LIC', licenseStatus: 'Surrendered', businessDbaName: 'Closed Store' },
    ]
    await fetchIt(await local('ca-dcc', (url) => licenseSearchAnswer(rows, url)))
    expect(await licenses()).toMatchObject([
      {
        business_name: 'Bay Leaf, Inc.',
        business_type: 'dispensary',
        street: null,
        city: 'Oakland',
        phone: '(510) 555-0100',
        expires_on: '2027-01-31',
      },
      { business_name: 'Closed Store', standing: 'inactive' },
      { business_name: 'Bay Wheels', business_type: 'delivery' },
    ])
  })

  it('reads Oregon’s spreadsheet, which has addresses in one column', async () => {
    const header = [
      'License Number',
      'Business Licenses',
      'Business Name',
      'SOS Registration Number',
      'PhysicalAddress',
      'County',
      'License Type',
      'Expiration Date',
    ]
    const sheet = xlsxOf([
      header,
      [
        '050 1',
        'Inner Light',
        'Inner Light',
        '1-1',
        '5691 SE International Way Ste C MILWAUKIE OR  97222-',
        'Clackamas',
        'Recreational Retailer',
        '2027-03-01',
      ],
      ['050 2', 'Grass Valley Farm', null, '1-2', '12 Long Rd GRANTS PASS OR 97526', 'Josephine', 'Recreational Producer', '2027-03-01'],
    ])
    await fetchIt(await local('or-olcc', () => ({ body: sheet })))
    expect(await licenses()).toMatchObject([
      { business_name: 'Inner Light', business_type: 'dispensary', street: '5691 SE International Way Ste C', city: 'Milwaukie' },
      { business_name: 'Grass Valley Farm', business_type: 'farm', city: 'Grants Pass' },
    ])
  })

  it('reads Nevada’s list through the page that links to its latest edition', async () => {
    const sheet = xlsxOf([
      ['CE ID', 'LicenseNumber', 'LicenseName', 'LicenseType', 'County'],
      ['D1', 'RD001', 'Desert Bloom', 'Retail Store', 'Clark'],
    ])
    await fetchIt(
      await local('nv-ccb', ({ pathname }) =>
        pathname.endsWith('.xlsx') ? { body: sheet } : { body: '<a href="/wp-content/uploads/Active-License-List-Nov.xlsx">List</a>' },
      ),
    )
    // A county isn't a place, so the store has no listing, but its license can be checked.
    expect(await licenses()).toMatchObject([{ license_number: 'RD001', business_type: 'dispensary', slug: null }])
  })
})

describe('a register whose licenses were imported before', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, i) => newYork(i, { dba: `Store ${i}` }))
  const standings = async () => Object.groupBy(await licenses(), ({ standing }) => standing)

  it('marks licenses it no longer lists, and unmarks them when they return', async () => {
    await fetchIt(await local('ny-ocm', (url) => socrataAnswer(rows(4), url)))
    clock.advance({ days: 1 })
    const { missing } = await fetchIt(await local('ny-ocm', (url) => socrataAnswer(rows(3), url)))
    expect(missing).toBe(1)
    expect((await standings()).missing).toMatchObject([{ business_name: 'Store 3' }])
    clock.advance({ days: 1 })
    await fetchIt(await local('ny-ocm', (url) => socrataAnswer(rows(4), url)))
    expect((await standings()).missing).toBeUndefined()
  })

  it('stores the time when it was last read completely', async () => {
    const { name } = shipped.get('ny-ocm') as LicenseRegister
    expect((await lastReadings(database.db)).get(name)).toBeUndefined()
    await fetchIt(await local('ny-ocm', (url) => socrataAnswer(rows(3), url)))
    const read = clock.now().getTime()
    clock.advance({ days: 1 })
    await expect(fetchIt(await local('ny-ocm', (url) => socrataAnswer([], url)))).rejects.toThrow('has no rows')
    expect(Math.abs(((await lastReadings(database.db)).get(name)?.getTime() ?? 0) - read)).toBeLessThan(60_000)
  })

  it('marks a license as missing only if it still lists others of that type', async () => {
    const farm = newYork(9, { dba: 'Finger Lakes Farm', license_type: 'Adult-Use Cultivator License' })
    await fetchIt(await local('ny-ocm', (url) => socrataAnswer([...rows(3), farm], url)))
    clock.advance({ days: 1 })
    // A register of stores doesn't cover farms.
    await fetchIt(await local('ny-ocm', (url) => socrataAnswer(rows(2), url)))
    expect((await standings()).missing).toMatchObject([{ business_name: 'Store 2' }])
  })

  it('changes nothing if it is empty, cut off, or lists less than half', async () => {
    await fetchIt(await local('ny-ocm', (url) => socrataAnswer(rows(5), url)))
    clock.advance({ days: 1 })
    await expect(fetchIt(await local('ny-ocm', (url) => socrataAnswer([], url)))).rejects.toThrow('has no rows')
    await expect(fetchIt(await local('ny-ocm', () => null))).rejects.toThrow("can't be read")
    await expect(fetchIt(await local('ny-ocm', (url) => socrataAnswer(rows(2), url)))).rejects.toThrow(
      'lists 2 licenses; its authority listed 5 before',
    )
    expect((await standings()).listed).toHaveLength(5)
    expect(readdirSync(path.join(folder, 'registers'))).toEqual([])

    await fetchIt(await local('ny-ocm', (url) => socrataAnswer(rows(2), url)), { acceptShrunk: true })
    expect((await standings()).missing).toHaveLength(3)
  })

  it('changes nothing if its first reading lists less than half of the licenses imported from a file', async () => {
    const file = { ...(await local('ny-ocm', (url) => socrataAnswer(rows(5), url))), name: 'licenses.csv' }
    await fetchIt(file)
    clock.advance({ days: 1 })
    await expect(fetchIt(await local('ny-ocm', (url) => socrataAnswer(rows(2), url)))).rejects.toThrow('its authority listed 5 before')
    expect((await standings()).listed).toHaveLength(5)
  })
})

it('reads its own file to the end while another fetch of the same register starts', async () => {
  const register = shipped.get('ny-ocm') as LicenseRegister
  const rows = Array.from({ length: 2600 }, (_, i) => newYork(i, { dba: `Store ${i}`, entity_name: 'x'.repeat(200) }))
  const reading = (read: ReadRegister) => fetchRegister({ db: database.db, clock }, register, { read, dataDir: folder })
  const readAll: ReadRegister = async function* () {
    yield rows
  }
  await reading(readAll)
  clock.advance({ days: 1 })
  const released = Promise.withResolvers<void>()
  const { first, second } = await database.db.transaction().execute(async (tx) => {
    // The first reading imports its first thousand rows only after this transaction commits, because the import needs this row.
    await tx.selectFrom('license_register').select('id').forUpdate().execute()
    const first = reading(readAll)
    await untilWaiting(database.db, { statement: 'license_register' })
    const second = reading(async function* () {
      yield [newYork(0, { dba: 'The second reading' })]
      await released.promise
      yield rows.slice(1)
    })
    const registers = path.join(folder, 'registers')
    const begins = (file: string) => readFileSync(path.join(registers, file), 'utf8').includes('The second reading')
    await expect.poll(() => readdirSync(registers).some(begins)).toBe(true)
    return { first, second }
  })
  expect(await first).toMatchObject({ rowsRead: 2600, missing: 0 })
  released.resolve()
  expect(await second).toMatchObject({ rowsRead: 2600, missing: 0 })
})

it('removes files left behind more than a day ago', async () => {
  const registers = path.join(folder, 'registers')
  mkdirSync(registers, { recursive: true })
  const [left, recent] = [path.join(registers, 'left.csv'), path.join(registers, 'recent.csv')]
  for (const [file, days] of [
    [left, 2],
    [recent, 0],
  ] as const) {
    writeFileSync(file, 'a')
    const time = new Date(clock.now().getTime() - days * 86_400_000)
    utimesSync(file, time, time)
  }
  await fetchIt(await local('ny-ocm', (url) => socrataAnswer([newYork(1)], url)))
  expect(readdirSync(registers)).toEqual(['recent.csv'])
})

it('keeps the text of a cell on one line and never reads an object as text', () => {
  const register = shipped.get('ny-ocm') as LicenseRegister
  const row = toFileRow(register, { dba: ' Two\r\nLines ', entity_name: 'x', address_line_1: { type: 'Point' } }, '2026-11-02')
  expect(row).toMatchObject({ dba_name: 'Two Lines', street: '', data_refreshed: '2026-11-02' })
})

it('rejects a list of registers with an address that isn’t https', async () => {
  const file = path.join(folder, 'mine.json')
  writeFileSync(file, JSON.stringify([{ ...shipped.get('ny-ocm'), source: { format: 'socrata', url: 'http://data.example/x.json' } }]))
  await expect(loadRegisters(file)).rejects.toThrow(/must begin with https:\/\//)
})

it('refuses states without a register, and a file that can’t be used, at startup', async () => {
  await checkRegisters({ states: [], file: shippedRegisters })
  await checkRegisters({ states: ['NY', 'CA'], file: shippedRegisters })
  await expect(checkRegisters({ states: ['TX', 'CA'], file: shippedRegisters })).rejects.toThrow(
    'LICENSE_REGISTERS: no register for TX, only for CA, NV, NY and OR.',
  )
  await expect(checkRegisters({ states: [], file: '/nowhere/registers.json' })).rejects.toThrow(
    /LICENSE_REGISTERS_FILE can't be used: ENOENT/,
  )
})
