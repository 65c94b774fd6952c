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
