import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, addPlants } from '#tests/support/hunts.ts'
import { asKey, makePersonKey } from '#tests/support/keys.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let key: string
const ids = { hunts: '', runs: '', seed_lots: '', genotypes: '', plants: '' }

beforeAll(async () => {
  test = await startTestApp({ startsAt: new Date('2026-12-01T12:00:00Z') })
  owner = await test.signUp()
  key = (await makePersonKey(test, owner)).secret
})
afterAll(() => test?.close())
beforeEach(async () => {
  const { id: hunt_id } = await addHunt(test.db, owner.user.id)
  const [plant] = await addPlants(test.db, hunt_id, 1)
  const [run, lot] = [newId(), newId()]
  await test.db.insertInto('runs').values({ id: run, hunt_id, name: 'Run' }).execute()
  await test.db.insertInto('seed_lots').values({ id: lot, hunt_id, mother: 'Lime' }).execute()
  Object.assign(ids, { hunts: hunt_id, runs: run, seed_lots: lot, genotypes: plant?.genotypeId, plants: plant?.id })
})

type Table = keyof typeof ids
const addressOf = (service: string, table: Table) => (service === 'crosses' ? service : `${service}/${ids[table]}`)

it.each<[service: string, table: Table, change: object]>([
  ['trials', 'hunts', { trialDescription: 'Changed' }],
  ['studies', 'runs', { studyName: 'Run 2' }],
  ['crosses', 'seed_lots', { parent1: { germplasmName: 'Haze' } }],
  ['seedlots', 'seed_lots', { amount: 4 }],
  ['germplasm', 'genotypes', { additionalInfo: { notes: 'Tall' } }],
  ['observationunits', 'plants', { additionalInfo: { notes: 'Tall' } }],
])('accepts a change of %s that is repeated while the first call runs', async (service, table, change) => {
  const put = () =>
    asKey(test, key, {
      ...{ method: 'PUT', url: `/api/brapi/v2/${addressOf(service, table)}` },
      payload: service === 'crosses' ? { [ids[table]]: change } : change,
    })
  const calls = await test.db.transaction().execute(async (tx) => {
    await tx.selectFrom(table).select('id').where('id', '=', ids[table]).forUpdate().execute()
    const started = [put(), put()]
    await untilWaiting(test.db, { count: 2 })
    return { started }
  })
  const answers = await Promise.all(calls.started)
  expect(answers.map(({ statusCode, body }) => [statusCode, statusCode === 200 ? '' : body])).toEqual([
    [200, ''],
    [200, ''],
  ])
})

it('exports runs in the order in which a program wrote them, although IDs derived from references aren’t chronological', async () => {
  await test.db.deleteFrom('runs').where('hunt_id', '=', ids.hunts).execute()
  const names = Array.from({ length: 8 }, (_, i) => `Run ${i + 1}`)
  const studies = names.map((studyName, i) => ({
    ...{ studyName, trialDbId: ids.hunts },
    externalReferences: [{ referenceSource: 'Test', referenceId: `study-${ids.hunts}-${i}` }],
  }))
  const written = await asKey(test, key, { method: 'POST', url: '/api/brapi/v2/studies', payload: studies })
  expect(written.statusCode, written.body).toBe(200)
  const stored = await test.db.selectFrom('runs').select('id').where('hunt_id', '=', ids.hunts).execute()
  await test.db
    .insertInto('placements')
    .values(stored.map(({ id }) => ({ run_id: id, plant_id: ids.plants })))
    .execute()
  const exported = await test.request('GET', `/api/pheno-hunts/${ids.hunts}/export.json`, owner)
  const { runs, placements: placed } = exported.json() as { runs: { name: string }[]; placements: { run: number }[] }
  expect(runs.map(({ name }) => name)).toEqual(names)
  expect(placed.map(({ run }) => run)).toEqual(runs.map((_, i) => i))
})

it('refuses a seed plant for a germplasm that has only clones, and explains why', async () => {
  await test.db.updateTable('plants').set({ copy: 1, kind: 'clone' }).where('id', '=', ids.plants).execute()
  const unit = { germplasmDbId: ids.genotypes, observationUnitName: 'Seed plant' }
  const answer = await asKey(test, key, { method: 'POST', url: '/api/brapi/v2/observationunits', payload: [unit] })
  expect([answer.statusCode, answer.body]).toEqual([400, 'This germplasm has no seed plant. Send a clone, with level `rep` 1 or higher.'])
})

describe('a POST repeated after a change in the app', () => {
  type Row = Record<string, unknown>
  async function post(service: string, rows: readonly object[]): Promise<string[]> {
    const referenced = rows.map((row, i) => ({
      ...row,
      externalReferences: [{ referenceSource: 'Test', referenceId: `${ids.hunts}-${i}` }],
    }))
    const answer = await asKey(test, key, { method: 'POST', url: `/api/brapi/v2/${service}`, payload: referenced })
    if (answer.statusCode !== 200) throw new Error(`${service}: ${answer.statusCode} ${answer.body}`)
    const idName = { trials: 'trialDbId', germplasm: 'germplasmDbId', observationunits: 'observationUnitDbId' }[service] as string
    return (answer.json() as { result: { data: Row[] } }).result.data.map((row) => row[idName] as string)
  }
  const call = async (method: 'POST' | 'PUT' | 'PATCH', url: string, body?: object) => {
    const answer = await test.request(method, url, owner, body)
    if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`)
  }

  it('leaves a completed hunt completed', async () => {
    const trials = [{ trialName: 'Nightly', active: true }]
    const [id] = await post('trials', trials)
    await call('PUT', `/api/pheno-hunts/${id}/completion`, {})
    expect(await post('trials', trials)).toEqual([id])
    const hunt = await test.db
      .selectFrom('hunts')
      .select('is_active')
      .where('id', '=', id as string)
      .executeTakeFirst()
    expect(hunt).toEqual({ is_active: false })
  })

  it('keeps a phenotype’s new label, sex and notes', async () => {
    const germplasm = [{ germplasmName: 'Lime 7', additionalInfo: { trialDbId: ids.hunts, sex: 'female', notes: 'Sticky' } }]
    const [id] = await post('germplasm', germplasm)
    const now = { label: 'Loud one', sex: 'intersex' as const, notes: 'Bananas in week 7' }
    await call('PATCH', `/api/genotypes/${id}`, { ...now, version: 2 })
    expect(await post('germplasm', germplasm)).toEqual([id])
    const stored = await test.db
      .selectFrom('genotypes')
      .select(['label', 'sex', 'notes'])
      .where('id', '=', id as string)
      .executeTakeFirst()
    expect(stored).toEqual(now)
  })

  it('keeps a revived clone alive and where it was moved', async () => {
    await test.db.updateTable('runs').set({ bench_rows: 1, bench_columns: 2 }).where('id', '=', ids.runs).execute()
    const units = ['1', '2'].map((column) => ({
      ...{ germplasmDbId: ids.genotypes, studyDbId: ids.runs },
      observationUnitPosition: {
        ...{ positionCoordinateY: '1', positionCoordinateX: column },
        observationLevelRelationships: [{ levelName: 'rep', levelCode: column }],
      },
      additionalInfo: { cutOn: '2026-03-01', ...(column === '1' && { endedHow: 'culled', endedOn: '2026-04-01' }) },
    }))
    const [first, second] = await post('observationunits', units)
    await call('POST', `/api/pheno-hunts/${ids.hunts}/plants/revive`, { plantIds: [first] })
    await call('PUT', `/api/runs/${ids.runs}/placements`, {
      placements: [
        { plantId: first, row: 1, column: 2 },
        { plantId: second, row: 1, column: 1 },
      ],
    })
    expect(await post('observationunits', units)).toEqual([first, second])
    const stored = await test.db
      .selectFrom('plants')
      .innerJoin('placements', 'placements.plant_id', 'plants.id')
      .select(['plants.id', 'bench_column', 'ended_on'])
      .where('run_id', '=', ids.runs)
      .orderBy('bench_column')
      .execute()
    expect(stored).toEqual([
      { id: second, bench_column: 1, ended_on: null },
      { id: first, bench_column: 2, ended_on: null },
    ])
  })
})
