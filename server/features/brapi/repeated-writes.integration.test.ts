import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
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

it('refuses a seed plant for a germplasm that has only clones, and says why', async () => {
  await test.db.updateTable('plants').set({ copy: 1, kind: 'clone' }).where('id', '=', ids.plants).execute()
  const unit = { germplasmDbId: ids.genotypes, observationUnitName: 'Seed plant' }
  const answer = await asKey(test, key, { method: 'POST', url: '/api/brapi/v2/observationunits', payload: [unit] })
  expect([answer.statusCode, answer.body]).toEqual([400, 'This germplasm has no seed plant. Send a clone, with level `rep` 1 or higher.'])
})
