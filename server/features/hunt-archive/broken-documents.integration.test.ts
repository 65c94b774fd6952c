import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HuntDocument } from '#contracts/hunt-archive.endpoints.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { maxArchiveBytes, maxArchiveRows } from '#contracts/limits.ts'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, addPlants } from '#tests/support/hunts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
})
afterAll(() => test?.close())

const day = '2026-03-02'
const time = '2026-01-01T00:00:00Z'
const empty = {
  ...{ format: 'sungrove.hunt', version: 1, exportedAt: time, photosLeftOut: 0 },
  hunt: {
    ...{ huntName: 'x', breeders: [], seedCount: 0, goals: '', growEnvironment: '', germinationDate: null, isActive: true },
    ...{ completedOn: null, plantLimit: null, nextNumber: 2 },
  },
  ...{ seedLots: [], genotypes: [], plants: [], decisions: [], runs: [], placements: [], traits: [], observations: [], growLogs: [] },
  ...{ growLogVersions: [], harvests: [], labResults: [], tasks: [], climateTargets: [], climateSensors: [], climateImports: [] },
  climateReadings: [],
  ...{ blindPanels: [], panelTraits: [], panelJars: [], panelCards: [], panelScores: [] },
}
const onePlant = {
  genotypes: [{ number: 1, label: '', sex: 'unknown', notes: '', seedLot: null, standing: 'keep' }],
  plants: [
    {
      ...{ genotype: 0, copy: 0, cutFrom: null, startedOn: null, cutOn: null, rootedOn: null, isMother: false, notes: '' },
      ...{ endedOn: null, endedHow: null, endedByDecision: null },
    },
  ],
}
const reading = {
  ...{ climateSensor: 0, climateImport: 0, readAt: time, airCelsius: 20, humidityPercent: 50, leafCelsius: null },
  ...{ co2Ppm: null, vpdKpa: 1 },
}
const climate = (...climateReadings: object[]) => ({
  climateSensors: [{ name: 's' }],
  climateImports: [{ climateSensor: 0, fileName: 'f', timeZone: 'UTC', readingsCount: 1 }],
  climateReadings,
})
const scored = (observation: object) => ({
  ...onePlant,
  traits: [
    {
      ...{ name: 't', kind: 'category', source: 'observation', analyte: null, unit: '', direction: 'none', low: null, high: null },
      ...{ target: null, weight: 0, heritability: null, fromStage: null, toStage: null, isExpert: false, position: 1 },
      ...{ isArchived: false, options: [1, 2].map((value) => ({ value, label: `${value}` })) },
    },
  ],
  observations: [
    {
      ...{ trait: 0, plant: 0, run: null, observedOn: day, valueNumber: null, valueDate: null, valueOptions: [1], note: '' },
      ...{ isBlind: false, corrects: null, isWithdrawn: false, isCurrent: true, recordedAt: time },
      ...observation,
    },
  ],
})
const decision = (more: object = {}) => ({
  ...{ genotype: 0, kind: 'keep', reason: '', endedPlants: [], decidedOn: day, recordedAt: time, undoneAt: null },
  known: { livingCopies: 1, plants: 1, logs: 0, observations: 0, rank: null, rankedOf: null, chanceBest: null },
  ...more,
})
const task = (follows: number | null) => ({ genotype: null, title: 'Water', dueOn: day, everyDays: 1, doneAt: null, follows })

const take = (parts: object) => test.request('POST', '/api/hunt-imports', owner, { ...empty, ...parts })

describe('a document that the tables would refuse', () => {
  it.each<[string, object, string]>([
    ['one instant written in two ways', climate(reading, { ...reading, readAt: '2026-01-01T00:00:00.000Z' }), 'climateReadings.1'],
    [
      'two instants within a millisecond',
      climate({ ...reading, readAt: '2026-01-01T00:00:00.0006Z' }, { ...reading, readAt: '2026-01-01T00:00:00.0001Z' }),
      'climateReadings.1',
    ],
    ['a figure larger than its column', climate({ ...reading, vpdKpa: 1e300 }), 'climateReadings.0.vpdKpa'],
    ['a reading in the year 0', climate({ ...reading, readAt: '0000-01-01T00:00:00Z' }), 'climateReadings.0.readAt'],
    ['a score in the year 0', scored({ recordedAt: '0000-01-01T00:00:00Z' }), 'observations.0.recordedAt'],
    ['an option larger than its column', scored({ valueOptions: [3e9] }), 'observations.0.valueOptions.0'],
    ['a check clone that is kept', { genotypes: [{ ...onePlant.genotypes[0], kind: 'check' }] }, 'genotypes.0.standing'],
    ['two tasks following one', { tasks: [task(null), task(0), task(0)] }, 'tasks'],
    ['a task following itself', { tasks: [task(0)] }, 'tasks.0.follows'],
    [
      'a decision with too many ended plants',
      { ...onePlant, decisions: [decision({ endedPlants: Array(1001).fill(0) })] },
      'decisions.0.endedPlants',
    ],
  ])('is reported: %s', async (_what, parts, field) => {
    const answer = await take(parts)
    expect([answer.statusCode, Object.keys(answer.json().fields ?? {})]).toEqual([400, [field]])
  })

  it('gets a short response, no matter how much is wrong', async () => {
    const answer = await take({ growLogs: Array.from({ length: 150_000 }, () => ({})) })
    // Without a limit, the response would list millions of issues.
    expect(answer.statusCode).toBe(400)
    expect(answer.json().fields).toHaveProperty(['growLogs.0.loggedOn'])
    expect(answer.body.length).toBeLessThan(200_000)
  })
})

it('shows an imported decision in the history like any other decision', async () => {
  const { id } = (await take({ ...onePlant, decisions: [decision()] })).json() as Hunt
  const summaries = ((await test.request('GET', `/api/pheno-hunts/${id}/activity`, owner)).json() as { summary: string }[]).map(
    ({ summary }) => summary,
  )
  expect(summaries).toContain('Decided to keep #1')
})

async function addSensorReadings(huntId: string, readingsCount: number): Promise<{ sensor: string; file: string }> {
  const [sensor, file] = [newId(), newId()]
  await test.db.insertInto('climate_sensors').values({ id: sensor, hunt_id: huntId, name: 'Tent' }).execute()
  await test.db
    .insertInto('climate_imports')
    .values({ id: file, hunt_id: huntId, sensor_id: sensor, file_name: 'f', time_zone: 'UTC', readings_count: readingsCount })
    .execute()
  return { sensor, file }
}
const exported = (id: string) => test.request('GET', `/api/pheno-hunts/${id}/export.json`, owner)

it('revives a plant in an imported hunt if the harvest that ended it is deleted', async () => {
  const original = await addHunt(test.db, owner.user.id)
  const [plant] = await addPlants(test.db, original.id, 1)
  const recorded = await test.request('POST', `/api/pheno-hunts/${original.id}/harvests`, owner, {
    ...{ harvests: [{ plantId: plant?.id, harvestedOn: day }], confirmLastCopies: ['#1'] },
  })
  expect(recorded.statusCode, recorded.body).toBe(201)
  const { id } = (await take((await exported(original.id)).json())).json() as Hunt
  const harvest = await test.db.selectFrom('harvests').select('id').where('hunt_id', '=', id).executeTakeFirstOrThrow()
  const plantsOf = () => test.db.selectFrom('plants').select(['ended_on', 'ended_how']).where('hunt_id', '=', id).execute()
  expect(await plantsOf()).toEqual([{ ended_on: day, ended_how: 'harvested' }])
  expect((await test.request('DELETE', `/api/harvests/${harvest.id}`, owner)).statusCode).toBe(204)
  expect(await plantsOf()).toEqual([{ ended_on: null, ended_how: null }])
})

it('exports, proves and recreates a hunt without its sensor readings if there are too many', async () => {
  const { id } = await addHunt(test.db, owner.user.id)
  await addPlants(test.db, id, 2)
  await addSensorReadings(id, maxArchiveRows)
  const document = (await exported(id)).json() as HuntDocument
  expect(document).toMatchObject({
    ...{ readingsLeftOut: maxArchiveRows, climateSensors: [{ name: 'Tent' }], climateImports: [], climateReadings: [] },
    plants: [{ genotype: 0 }, { genotype: 1 }],
  })
  expect((await test.request('POST', `/api/pheno-hunts/${id}/proofs`, owner)).statusCode).toBe(201)
  expect((await take(document)).statusCode).toBe(201)
})

it('exports a hunt as a document only if the document is small enough to import, and always exports its tables', async () => {
  const { id } = await addHunt(test.db, owner.user.id)
  await addPlants(test.db, id, 2)
  const { sensor, file } = await addSensorReadings(id, 170_000)
  const insertReadings = (first: number, last: number) =>
    inParts(
      [first, last],
      (from, to) => sql`
        insert into climate_readings (sensor_id, read_at, import_id, air_celsius, humidity_percent, leaf_celsius, co2_ppm, vpd_kpa)
        select ${sensor}::uuid, timestamptz '2025-01-01' + i * interval '1 minute', ${file}::uuid, 25.125, 50.125, 24.125, 1200.125, 1.6125
        from generate_series(${from}::integer, ${to}::integer) as i`,
    )
  await insertReadings(1, 170_000)
  const fitting = await exported(id)
  expect([fitting.statusCode, fitting.body.length < maxArchiveBytes]).toEqual([200, true])
  expect((fitting.json() as HuntDocument).climateReadings).toHaveLength(170_000)
  await insertReadings(170_001, 199_000)
  await test.db.updateTable('climate_imports').set({ readings_count: 199_000 }).where('id', '=', file).execute()
  expect((await exported(id)).json()).toMatchObject({ readingsLeftOut: 199_000, climateReadings: [] })
  const title = 'x'.repeat(200)
  const insertTasks = (count: number) =>
    inParts(
      [1, count],
      (from, to) => sql`
        insert into hunt_tasks (id, hunt_id, title, due_on)
        select gen_random_uuid(), ${id}::uuid, ${title}, date '2026-01-01' from generate_series(${from}::integer, ${to}::integer)`,
    )
  const refusal = async () => {
    const answer = await exported(id)
    return [answer.statusCode, (answer.json() as { message: string }).message]
  }
  await insertTasks(130_000)
  expect(await refusal()).toEqual([409, expect.stringContaining('larger than 32 MB')])
  await insertTasks(70_001)
  expect(await refusal()).toEqual([409, expect.stringContaining('more than 200,000 entries')])
  const plants = await test.request('GET', `/api/pheno-hunts/${id}/export/plants.csv`, owner)
  expect([plants.statusCode, plants.body.trim().split('\r\n').length]).toEqual([200, 3])
})

/** Inserts rows in parts, because on a busy machine a single statement would take too long. */
async function inParts(
  [first, last]: readonly [number, number],
  insert: (from: number, to: number) => ReturnType<typeof sql>,
): Promise<void> {
  for (let from = first; from <= last; from += 20_000) await insert(from, Math.min(from + 19_999, last)).execute(test.db)
}
