import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { describedServices, findResponseErrors } from '#tests/support/brapi.ts'
import { addHuntWorld, type HuntWorld } from '#tests/support/hunt-world.ts'
import { addHunt, addPlants, shareHunt } from '#tests/support/hunts.ts'
import { asKey, makePersonKey } from '#tests/support/keys.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

type Row = Record<string, unknown>
type Answer = {
  metadata: { pagination: { currentPage: number; pageSize: number; totalCount: number; totalPages: number }; status: { message: string }[] }
  result: { data: Row[] }
}

let test: TestApp
let owner: TestPerson
let viewer: TestPerson
let key: string
let viewerKey: string
let strangerKey: string
let world: HuntWorld
let hunt: {
  id: string
  run: string
  nextRun: string
  lot: string
  plants: Awaited<ReturnType<typeof addPlants>>
  traits: Record<string, string>
}

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  viewer = await test.signUp()
  const writer = await test.signUp()
  const keyOf = async (person: TestPerson) => (await makePersonKey(test, person)).secret
  key = await keyOf(owner)
  viewerKey = await keyOf(viewer)
  strangerKey = await keyOf(await test.signUp())
  world = await addHuntWorld(test.db, 'Loud', { owner: owner.user.id, viewer: viewer.user.id, writer: writer.user.id })
  hunt = await addRichHunt()
})
afterAll(() => test?.close())

const base = '/api/brapi/v2'
const ask = (url: string, secret = key) => asKey(test, secret, { url: `${base}/${url}` })
async function list(url: string, secret = key): Promise<Answer> {
  const answer = await ask(url, secret)
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`)
  return answer.json() as Answer
}
const rowsOf = async (url: string, secret = key) => (await list(url, secret)).result.data
const search = (service: string, payload: object, secret = key) =>
  asKey(test, secret, { method: 'POST', url: `${base}/search/${service}`, payload })

async function addRichHunt(): Promise<typeof hunt> {
  const { db } = test
  const { id } = await addHunt(db, owner.user.id, { hunt_name: 'Lime Haze F2', germination_date: '2026-01-05', goals: 'Loud lime' })
  const plants = await addPlants(db, id, 3)
  const lot = newId()
  await db
    .insertInto('seed_lots')
    .values({ id: lot, hunt_id: id, mother: 'Lime', father: 'Haze', generation: 'F2', breeder: 'Ann', seed_count: 12, source: 'Own' })
    .execute()
  await db.updateTable('genotypes').set({ seed_lot_id: lot }).where('hunt_id', '=', id).execute()
  const [run, nextRun] = [newId(), newId()]
  await db
    .insertInto('runs')
    .values([
      { id: run, hunt_id: id, name: 'Run 1', room: 'Tent A', started_on: '2026-01-10', ended_on: '2026-04-01' },
      { id: nextRun, hunt_id: id, name: 'Run 2', room: 'Room B', started_on: '2026-04-10' },
    ])
    .execute()
  const [first, second] = plants as [(typeof plants)[0], (typeof plants)[0]]
  await db
    .insertInto('placements')
    .values([
      { run_id: run, plant_id: first.id, bench_row: 1, bench_column: 2 },
      { run_id: nextRun, plant_id: first.id, bench_row: 3, bench_column: 1 },
      { run_id: run, plant_id: second.id },
    ])
    .execute()
  const traits: Record<string, string> = {}
  const anchors = JSON.stringify([
    { value: 1, label: 'weak' },
    { value: 9, label: 'loud' },
  ])
  const smells = JSON.stringify([
    { value: 0, label: 'citrus' },
    { value: 1, label: 'gas' },
  ])
  const kinds = {
    ordinal: { kind: 'ordinal', options: anchors },
    number: { kind: 'number', unit: 'cm' },
    date: { kind: 'date' },
    category: { kind: 'category', options: smells },
    checks: { kind: 'checks', options: smells },
    height: { kind: 'number', source: 'log_height', unit: 'cm' },
    dry: { kind: 'number', source: 'dry_weight', unit: 'g' },
    thc: { kind: 'number', source: 'lab', analyte: 'THC', unit: '%' },
  } as const
  for (const [name, trait] of Object.entries(kinds)) {
    traits[name] = newId()
    await db
      .insertInto('traits')
      .values({ id: traits[name], hunt_id: id, name, ...trait })
      .execute()
  }
  const value = { hunt_id: id, plant_id: first.id, run_id: run, observed_on: '2026-03-01', observed_by: owner.user.id }
  const corrected = newId()
  await db
    .insertInto('observations')
    .values([
      { ...value, id: corrected, trait_id: traits.ordinal as string, value_number: 1, is_current: false },
      { ...value, id: newId(), trait_id: traits.ordinal as string, value_number: 9, corrects_id: corrected, note: 'Second sniff' },
      { ...value, id: newId(), trait_id: traits.number as string, value_number: 41.5 },
      { ...value, id: newId(), trait_id: traits.date as string, value_date: '2026-02-28' },
      { ...value, id: newId(), trait_id: traits.category as string, value_options: [1] },
      { ...value, id: newId(), trait_id: traits.checks as string, value_options: [0, 1], is_blind: true },
    ])
    .execute()
  const log = { hunt_id: id, plant_id: first.id, author_id: owner.user.id, logged_on: '2026-02-01', height_cm: 33 }
  await db
    .insertInto('grow_logs')
    .values({ id: newId(), ...log })
    .execute()
  await db
    .insertInto('harvests')
    .values({ id: newId(), hunt_id: id, plant_id: first.id, run_id: run, harvested_on: '2026-03-30', dry_grams: 55 })
    .execute()
  const lab = { hunt_id: id, plant_id: first.id, tested_on: '2026-05-02', analyte: 'thc', lab: 'Lab One' }
  await db
    .insertInto('lab_results')
    .values([
      { id: newId(), ...lab, value: 245, unit: 'mg/g' },
      { id: newId(), ...lab, value: 5, unit: 'mg/serving' },
      { id: newId(), ...lab, tested_on: '2026-05-03', value: null, quantification_limit: 0.4 },
    ])
    .execute()
  return { id, run, nextRun, lot, plants, traits }
}

const idNames: Record<string, string> = {
  ...{ programs: 'programDbId', trials: 'trialDbId', studies: 'studyDbId', germplasm: 'germplasmDbId', seedlots: 'seedLotDbId' },
  ...{ observationunits: 'observationUnitDbId', observations: 'observationDbId', variables: 'observationVariableDbId' },
  ...{ traits: 'traitDbId', methods: 'methodDbId', scales: 'scaleDbId', images: 'imageDbId', crosses: 'crossDbId' },
}
const searched = ['programs', 'trials', 'studies', 'germplasm', 'observationunits', 'variables', 'observations', 'images']

describe.each(describedServices)('%s', (service) => {
  it('responds as the specification requires, with at least one entry', async () => {
    const [name = ''] = service.split('/{id}')
    let url = service
    if (service.endsWith('/{id}')) url = `${name}/${(await rowsOf(name))[0]?.[idNames[name] as string]}`
    const answer = await ask(url)
    expect(answer.statusCode, answer.body).toBe(200)
    expect(findResponseErrors(service, answer.json())).toEqual([])
    const { result } = answer.json() as { result: { data?: unknown[] } }
    if (result.data) expect(result.data.length).toBeGreaterThan(0)
  })

  if (searched.includes(service)) {
    it('returns the same rows for a search, page by page', async () => {
      const all = await rowsOf(service)
      const found: Row[] = []
      for (let page = 0; page < all.length; page++) {
        const answer = await search(service, { page, pageSize: 1 })
        expect(findResponseErrors(service, answer.json())).toEqual([])
        const { metadata, result } = answer.json() as Answer
        expect(metadata.pagination).toEqual({ currentPage: page, pageSize: 1, totalCount: all.length, totalPages: all.length })
        found.push(...result.data)
      }
      expect(found).toEqual(all)
    })
  }

  if (idNames[service]) {
    it('shows nothing to a stranger, and shows the same rows to a person with a share as to the owner', async () => {
      expect(await rowsOf(service, strangerKey)).toEqual([])
      const shared = await rowsOf(`${service}?trialDbId=${world.hunt}`, viewerKey)
      const withoutAccess = (rows: Row[]) => rows.map((row) => ({ ...row, additionalInfo: { ...(row.additionalInfo ?? {}), access: '' } }))
      expect(withoutAccess(shared)).toEqual(withoutAccess(await rowsOf(`${service}?trialDbId=${world.hunt}`)))
      const [first] = await rowsOf(`${service}?trialDbId=${hunt.id}`)
      if (!first || service === 'crosses' || service === 'programs') return
      const alone = await ask(`${service}/${first[idNames[service] as string]}`, viewerKey)
      expect([alone.statusCode, alone.headers['content-type']]).toEqual([404, 'text/plain; charset=utf-8'])
    })
  }
})

it('requires a key for everything but the server’s description', async () => {
  const answers = await Promise.all(
    describedServices.map((service) => test.app.inject({ url: `${base}/${service.replace('{id}', hunt.id)}` })),
  )
  const open = describedServices.filter((_, i) => answers[i]?.statusCode === 200)
  expect(open.sort()).toEqual(['commoncropnames', 'serverinfo'])
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 401]))
  const [refused] = answers.filter(({ statusCode }) => statusCode === 401)
  expect([refused?.headers['content-type'], refused?.body]).toEqual([
    'text/plain; charset=utf-8',
    'Send a working key as “Authorization: Bearer …”. Create one in Settings: Sign-in and security, API keys.',
  ])
})

it('returns 404 for an ID that the database can’t store', async () => {
  expect((await ask('observations/%00')).statusCode).toBe(404)
})

it('ignores a session cookie', async () => {
  const answer = await test.app.inject({ url: `${base}/trials`, headers: { cookie: owner.cookie } })
  expect(answer.statusCode).toBe(401)
})

it('refuses a suspended person and a key without the scope', async () => {
  const person = await test.signUp()
  const { secret } = await makePersonKey(test, person, { name: 'Writes only', scopes: ['hunts:write'] })
  expect((await ask('trials', secret)).statusCode).toBe(403)
  const reading = (await makePersonKey(test, person, { name: 'Reads', scopes: ['hunts:read'] })).secret
  expect((await ask('trials', reading)).statusCode).toBe(200)
  const until = new Date(test.clock.now().getTime() + 86_400_000)
  await test.db.updateTable('users').set({ suspended_until: until }).where('id', '=', person.user.id).execute()
  expect((await ask('trials', reading)).statusCode).toBe(403)
})

it('lists neither other people’s public hunts nor hunts hidden by moderators', async () => {
  const other = await test.signUp()
  await addHunt(test.db, other.user.id, { visibility: 'public' })
  const hidden = await addHunt(test.db, other.user.id, { hunt_name: 'Hidden', moderation: 'hidden' })
  await shareHunt(test.db, hidden.id, owner.user.id, 'view')
  const ids = (await rowsOf('trials')).map((row) => row.trialDbId)
  expect(ids.sort()).toEqual([world.hunt, hunt.id].sort())
})

it('lists each run and the hunt itself as studies', async () => {
  const studies = await rowsOf(`studies?trialDbId=${hunt.id}`)
  expect(studies.map(({ studyDbId, studyName, active, locationName }) => ({ studyDbId, studyName, active, locationName }))).toEqual([
    { studyDbId: hunt.id, studyName: 'Lime Haze F2', active: true, locationName: undefined },
    { studyDbId: hunt.run, studyName: 'Run 1', active: false, locationName: 'Tent A' },
    { studyDbId: hunt.nextRun, studyName: 'Run 2', active: true, locationName: 'Room B' },
  ])
  expect((await rowsOf(`studies?trialDbId=${hunt.id}&active=true`)).map((row) => row.studyName)).toEqual(['Lime Haze F2', 'Run 2'])
})

it('places each plant in the requested study, and otherwise in its latest run', async () => {
  const placesOf = async (query: string) =>
    (await rowsOf(`observationunits?trialDbId=${hunt.id}${query}`)).map((row) => {
      const { positionCoordinateX: x, positionCoordinateY: y } = row.observationUnitPosition as Row
      return [row.observationUnitName, row.studyDbId, x, y]
    })
  expect(await placesOf('')).toEqual([
    ['#1', hunt.nextRun, '1', '3'],
    ['#2', hunt.run, undefined, undefined],
    ['#3', hunt.id, undefined, undefined],
  ])
  expect(await placesOf(`&studyDbId=${hunt.run}`)).toEqual([
    ['#1', hunt.run, '2', '1'],
    ['#2', hunt.run, undefined, undefined],
  ])
  expect(await placesOf(`&studyDbId=${hunt.id}`)).toEqual([['#3', hunt.id, undefined, undefined]])
  expect(await placesOf('&observationUnitLevelName=plot')).toEqual([])
})

it('places a plant in its current run even if that run has no start date', async () => {
  const run = { hunt_id: hunt.id, name: 'Run 3', created_at: new Date('2026-06-01') }
  const undated = newId()
  await test.db
    .insertInto('runs')
    .values({ ...run, id: undated })
    .execute()
  const plant = hunt.plants[0] as (typeof hunt.plants)[0]
  await test.db.updateTable('runs').set({ ended_on: '2026-05-30' }).where('id', '=', hunt.nextRun).execute()
  await test.db.insertInto('placements').values({ run_id: undated, plant_id: plant.id }).execute()
  const [unit] = await rowsOf(`observationunits?observationUnitDbId=${plant.id}`)
  expect(unit?.studyDbId).toBe(undated)
  await test.db.deleteFrom('runs').where('id', '=', undated).execute()
  await test.db.updateTable('runs').set({ ended_on: null }).where('id', '=', hunt.nextRun).execute()
})

it('returns the current values of traits, with who measured them and when', async () => {
  const rows = await rowsOf(`observations?trialDbId=${hunt.id}`)
  const told = rows.map((row) => [row.observationVariableName, row.value, row.observationTimeStamp, row.studyDbId])
  expect(told.sort()).toEqual(
    [
      ['ordinal', '9', '2026-03-01T12:00:00Z', hunt.run],
      ['number', '41.5', '2026-03-01T12:00:00Z', hunt.run],
      ['date', '2026-02-28', '2026-03-01T12:00:00Z', hunt.run],
      ['category', 'gas', '2026-03-01T12:00:00Z', hunt.run],
      ['checks', 'citrus:gas', '2026-03-01T12:00:00Z', hunt.run],
      ['height', '33', '2026-02-01T12:00:00Z', hunt.run],
      ['dry', '55', '2026-03-30T12:00:00Z', hunt.run],
      ['thc', '24.5', '2026-05-02T12:00:00Z', hunt.run],
      ['thc', '0.2', '2026-05-03T12:00:00Z', hunt.run],
    ].sort(),
  )
  const of = (name: string) => rows.find((row) => row.observationVariableName === name)
  expect(of('ordinal')).toMatchObject({ uploadedBy: owner.user.id, season: { year: 2026 }, additionalInfo: { note: 'Second sniff' } })
  expect(of('checks')?.additionalInfo).toMatchObject({ isBlind: 'true' })
  expect(rows.at(-1)).toMatchObject({ collector: 'Lab One', additionalInfo: { isBelowLimit: 'true' } })
})

it('filters observations by study, plant, phenotype, variable, season and time', async () => {
  const [first, second] = hunt.plants
  const count = async (query: string) => (await list(`observations?trialDbId=${hunt.id}&${query}`)).metadata.pagination.totalCount
  expect(await count(`studyDbId=${hunt.run}`)).toBe(9)
  expect(await count(`studyDbId=${hunt.nextRun}`)).toBe(0)
  expect(await count(`observationUnitDbId=${first?.id}`)).toBe(9)
  expect(await count(`observationUnitDbId=${second?.id}`)).toBe(0)
  expect(await count(`germplasmDbId=${first?.genotypeId}&observationVariableDbId=${hunt.traits.thc}`)).toBe(2)
  expect(await count('seasonDbId=2025')).toBe(0)
  expect(await count('observationTimeStampRangeStart=2026-05-03T00:00:00Z')).toBe(1)
  expect(await count('observationDbId=nonsense')).toBe(0)
})

it('hides the scores of an open blind panel', async () => {
  const blind = async () => (await rowsOf(`observations?trialDbId=${world.hunt}`)).filter((row) => row.collector === 'Blind panel').length
  const setOpen = (is_open: boolean) => test.db.updateTable('blind_panels').set({ is_open }).where('hunt_id', '=', world.hunt).execute()
  const closed = await blind()
  await setOpen(true)
  const open = await blind()
  await setOpen(false)
  expect([closed, open]).toEqual([1, 0])
})

it('names the scorers of an imported hunt only to people who can edit it', async () => {
  const score = { hunt_id: world.hunt, trait_id: world.ids.traits as string, plant_id: world.ids.plants as string, value_options: [0] }
  const id = newId()
  await test.db
    .insertInto('observations')
    .values({ ...score, id, observed_on: '2026-11-02', scorer: 'Uncle Joe' })
    .execute()
  const collectorFor = async (secret: string) => (await rowsOf(`observations?observationDbId=${id}`, secret)).map((row) => row.collector)
  expect([await collectorFor(key), await collectorFor(viewerKey)]).toEqual([['Uncle Joe'], [undefined]])
})

it('describes a seed lot, its cross and the pedigree of its phenotypes', async () => {
  expect((await rowsOf(`crosses?crossingProjectDbId=${hunt.id}`))[0]).toMatchObject({
    ...{ crossDbId: hunt.lot, crossType: 'BIPARENTAL', crossName: 'Lime × Haze F2' },
    ...{ parent1: { germplasmName: 'Lime', parentType: 'FEMALE' }, parent2: { germplasmName: 'Haze', parentType: 'MALE' } },
  })
  expect((await rowsOf(`seedlots?trialDbId=${hunt.id}`))[0]).toMatchObject({ seedLotDbId: hunt.lot, amount: 12, units: 'seeds' })
  const names = encodeURIComponent('Lime Haze F2 #2')
  expect(await rowsOf(`germplasm?germplasmName=${names}`)).toMatchObject([
    { germplasmDbId: hunt.plants[1]?.genotypeId, pedigree: 'Lime/Haze' },
  ])
  expect(await rowsOf(`germplasm?studyDbId=${hunt.nextRun}`)).toMatchObject([{ germplasmName: 'Lime Haze F2 #1' }])
})

it('returns a study as a table with the newest value in each cell', async () => {
  const { result } = (await ask(`observations/table?studyDbId=${hunt.run}`)).json() as {
    result: { headerRow: string[]; observationVariables: { observationVariableName: string }[]; data: string[][] }
  }
  const columns = [...result.headerRow, ...result.observationVariables.map((variable) => variable.observationVariableName)]
  const [first, second] = result.data.map((cells) => Object.fromEntries(columns.map((name, i) => [name, cells[i]])))
  expect(first).toMatchObject({ observationUnitName: '#1', studyName: 'Run 1', ordinal: '9', thc: '0.2', height: '33' })
  expect(second).toMatchObject({ observationUnitName: '#2', ordinal: '', thc: '' })
  expect(result.data).toHaveLength(2)
})

it('includes each plant’s values in the response on request', async () => {
  const [unit] = await rowsOf(`observationunits?observationUnitDbId=${hunt.plants[0]?.id}&includeObservations=true`)
  expect(unit?.observations).toHaveLength(9)
  const all = await list('observationunits?includeObservations=true')
  expect(findResponseErrors('observationunits', all)).toEqual([])
  expect(all.metadata.pagination.pageSize).toBe(50)
})

it('reads flags as R and Python write them', async () => {
  const trials = async (flag: string) => (await rowsOf(`trials?trialDbId=${hunt.id}&active=${flag}`)).length
  expect([await trials('TRUE'), await trials('True'), await trials('False')]).toEqual([1, 1, 0])
})

it('names filters that it ignores, and refuses pages that can’t exist', async () => {
  const { metadata, result } = await list('trials?studyPUI=x')
  expect([metadata.status, result.data.length]).toEqual([
    [{ messageType: 'WARNING', message: 'The filter studyPUI isn’t supported and was ignored.' }],
    2,
  ])
  const table = (await ask('observations/table?locationDbId=x')).json() as { metadata: { status: object[] } }
  expect(table.metadata.status).toEqual([{ messageType: 'WARNING', message: 'The filter locationDbId isn’t supported and was ignored.' }])
  for (const query of ['page=-1', 'pageSize=1001', 'pageSize=many']) expect((await ask(`trials?${query}`)).statusCode).toBe(400)
  expect((await list('trials?page=7')).metadata.pagination).toMatchObject({ currentPage: 7, totalCount: 2 })
  expect((await list('observationunits?page=7')).metadata.pagination.totalCount).toBe(4)
  expect((await ask('observations?observationTimeStampRangeStart=yesterday')).statusCode).toBe(400)
})
