import { afterAll, beforeAll, expect, it } from 'vitest'
import { addHunt, addPlants, shareHunt } from '../../../tests/support/hunts.ts'
import { startTestApp, type TestApp, type TestPerson } from '../../../tests/support/test-app.ts'
import { newId } from '../../kernel/ids.ts'

let test: TestApp
let owner: TestPerson
let stranger: TestPerson
let writer: TestPerson
let huntId: string
let plants: Awaited<ReturnType<typeof addPlants>>
const on = '2026-03-02'

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  stranger = await test.signUp()
  writer = await test.signUp()
  huntId = (await addHunt(test.db, owner.user.id, { visibility: 'public' })).id
  plants = await addPlants(test.db, huntId, 4)
  await shareHunt(test.db, huntId, writer.user.id, 'write')
})
afterAll(() => test?.close())
const go = async (m: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, as: TestPerson, body?: object) => {
  const a = await test.request(m, url, as, body)
  return { s: a.statusCode, b: a.body === '' ? null : a.json() }
}
const p = (i: number) => plants[i]!

it('history shows what a log said before to a viewer of a public hunt', async () => {
  const log = await go('POST', '/api/grow-logs', owner, { huntId, plantId: p(0).id, loggedOn: on, notes: 'my address is 5 Elm' })
  expect(log.s).toBe(201)
  expect((await go('PATCH', `/api/grow-logs/${log.b.id}`, owner, { version: 1, notes: 'fine' })).s).toBe(200)
  expect((await go('GET', `/api/grow-logs/${log.b.id}/versions`, stranger)).s).toBe(403)
  for (const path of [`/api/genotypes/${p(0).genotypeId}/history`, `/api/plants/${p(0).id}/history`]) {
    const h = await go('GET', path, stranger)
    expect(h.s).toBe(200)
    expect(JSON.stringify(h.b)).not.toContain('Elm')
  }
})
it('harvest with an id of another plant', async () => {
  const id = newId()
  expect((await go('POST', `/api/pheno-hunts/${huntId}/harvests`, owner, { harvests: [{ id, plantId: p(0).id, harvestedOn: on, wetGrams: 3 }] })).s).toBe(201)
  expect((await go('POST', `/api/pheno-hunts/${huntId}/harvests`, owner, { harvests: [{ id, plantId: p(1).id, harvestedOn: on, wetGrams: 3 }] })).s).toBe(409)
})
it('options beyond int32', async () => {
  const t = await go('POST', `/api/pheno-hunts/${huntId}/traits`, owner, { name: 'x', kind: 'category', options: [{ value: 3e9, label: 'a' }, { value: 2, label: 'b' }] })
  expect([201, 400]).toContain(t.s)
  if (t.s === 400) return
  const o = await go('POST', `/api/pheno-hunts/${huntId}/observations`, owner, { observations: [{ id: newId(), traitId: t.b.id, plantId: p(0).id, observedOn: on, value: { kind: 'options', options: [3e9] } }] })
  expect(o.s).toBeLessThan(500)
})
it('tasks at the end of time', async () => {
  const t = await go('POST', `/api/pheno-hunts/${huntId}/tasks`, owner, { title: 'x', dueOn: '9999-12-31', everyDays: 7 })
  expect([201, 400]).toContain(t.s)
  if (t.s === 201) expect((await go('PUT', `/api/grow-tasks/${t.b.id}/done`, owner)).s).toBeLessThan(500)
})
it('blocked people are not named in what is shown of a public hunt', async () => {
  const log = await go('POST', '/api/grow-logs', writer, { huntId, plantId: p(2).id, loggedOn: on, notes: 'w' })
  const d = await go('POST', `/api/pheno-hunts/${huntId}/decisions`, writer, { kind: 'keep', decisions: [{ id: newId(), genotypeId: p(2).genotypeId }], reason: '', endPlantIds: [] })
  expect([log.s, d.s]).toEqual([201, 201])
  await test.db.insertInto('person_blocks').values({ blocker_id: writer.user.id, blocked_id: stranger.user.id } as never).execute()
  const seen = await Promise.all([`/api/grow-logs?huntId=${huntId}`, `/api/grow-logs/${log.b.id}`, `/api/pheno-hunts/${huntId}/decisions`, `/api/genotypes/${p(2).genotypeId}/history`, `/api/pheno-hunts/${huntId}/observations`, `/api/pheno-hunts/${huntId}/activity`].map(async (u) => [u, (await test.request('GET', u, stranger)).body.includes(writer.user.id)]))
  expect(seen.filter(([, is]) => is)).toEqual([])
})
const minimal = () => ({ format: 'sungrove.hunt', version: 1, exportedAt: '2026-01-01T00:00:00Z', photosLeftOut: 0,
  hunt: { huntName: 'x', breeders: [], seedCount: 0, goals: '', growEnvironment: '', germinationDate: null, isActive: true, completedOn: null, plantLimit: null, nextNumber: 2 },
  seedLots: [], genotypes: [] as object[], plants: [] as object[], decisions: [] as object[], runs: [], placements: [], traits: [] as object[], observations: [] as object[], growLogs: [] as object[], growLogVersions: [], harvests: [], labResults: [], tasks: [] as object[], climateTargets: [], climateSensors: [] as object[], climateImports: [] as object[], climateReadings: [] as object[] })
const genotype = { number: 1, label: '', sex: 'unknown', notes: '', seedLot: null, standing: null }
const plant = { genotype: 0, copy: 0, cutFrom: null, startedOn: null, cutOn: null, rootedOn: null, isMother: false, notes: '', endedOn: null, endedHow: null, endedByDecision: null }
const reading = { climateSensor: 0, climateImport: 0, readAt: '2026-01-01T00:00:00Z', airCelsius: 20, humidityPercent: 50, leafCelsius: null, co2Ppm: null, vpdKpa: 1 }
const trait = { name: 't', kind: 'category', source: 'observation', analyte: null, unit: '', options: [{ value: 1, label: 'a' }, { value: 2, label: 'b' }], direction: 'none', low: null, high: null, target: null, weight: 0, heritability: null, fromStage: null, toStage: null, isExpert: false, position: 1, isArchived: false }
const obs = { trait: 0, plant: 0, run: null, observedOn: on, valueNumber: null, valueDate: null, valueOptions: [1], note: '', isBlind: false, corrects: null, isWithdrawn: false, isCurrent: true, recordedAt: '2026-01-01T00:00:00Z' }
const climate = (...climateReadings: object[]) => ({ climateSensors: [{ name: 's' }], climateImports: [{ climateSensor: 0, fileName: 'f', timeZone: 'UTC', readingsCount: 1 }], climateReadings })
const withPlant = { genotypes: [genotype], plants: [plant] }
it.each(Object.entries({
  'same moment in two ways': climate(reading, { ...reading, readAt: '2026-01-01T00:00:00.000Z' }),
  'same millisecond': climate({ ...reading, readAt: '2026-01-01T00:00:00.0001Z' }, { ...reading, readAt: '2026-01-01T00:00:00.0002Z' }),
  'vpd beyond real': climate({ ...reading, vpdKpa: 1e300 }),
  'year 0': climate({ ...reading, readAt: '0000-01-01T00:00:00Z' }),
  'option beyond int': { ...withPlant, traits: [trait], observations: [{ ...obs, valueOptions: [3e9] }] },
  'recorded in year 0': { ...withPlant, traits: [trait], observations: [{ ...obs, recordedAt: '0000-01-01T00:00:00Z' }] },
  'option out of list': { ...withPlant, traits: [trait], observations: [{ ...obs, valueOptions: [77] }] },
  'kind mismatch': { ...withPlant, traits: [trait], observations: [{ ...obs, valueOptions: null, valueNumber: 4 }] },
  'follows twice': { tasks: [{ genotype: null, title: 'a', dueOn: on, everyDays: 1, doneAt: null, follows: null }, { genotype: null, title: 'b', dueOn: on, everyDays: 1, doneAt: null, follows: 0 }, { genotype: null, title: 'c', dueOn: on, everyDays: 1, doneAt: null, follows: 0 }] },
  'follows itself': { tasks: [{ genotype: null, title: 'a', dueOn: on, everyDays: 1, doneAt: null, follows: 0 }] },
  'import of another sensor': { climateSensors: [{ name: 's' }, { name: 'u' }], climateImports: [{ climateSensor: 1, fileName: 'f', timeZone: 'UTC', readingsCount: 1 }], climateReadings: [reading] },
  'many wrong rows': { growLogs: Array.from({ length: 12_000 }, () => ({})) },
}))('import: %s', async (_name, more) => {
  const t = Date.now()
  const a = await go('POST', '/api/hunt-imports', owner, { ...minimal(), ...more })
  console.log(_name, a.s, JSON.stringify(a.b).slice(0, 150), JSON.stringify(a.b).length, Date.now() - t, 'ms')
  expect(a.s).toBeLessThan(500)
  if (a.s === 201) for (const u of ['trait-records', 'ranking', 'climate', 'export.json', 'activity']) {
    const r = await test.request('GET', `/api/pheno-hunts/${a.b.id}/${u}`, owner)
    expect(r.statusCode, u).toBeLessThan(500)
  }
})
it('an imported decision reads as the decision it was', async () => {
  const a = await go('POST', '/api/hunt-imports', owner, { ...minimal(), ...withPlant, decisions: [{ genotype: 0, kind: 'keep', reason: '', known: { livingCopies: 1, plants: 1, logs: 0, observations: 0, rank: null, rankedOf: null, chanceBest: null }, endedPlants: [], decidedOn: on, recordedAt: '2026-01-01T00:00:00Z', undoneAt: null }] })
  expect(a.s).toBe(201)
  expect(JSON.stringify((await go('GET', `/api/pheno-hunts/${a.b.id}/activity`, owner)).b)).toContain('Keep #1')
})
it('a deleted log leaves no figures in the activity', async () => {
  const log = await go('POST', '/api/grow-logs', owner, { huntId, plantId: p(3).id, loggedOn: on, heightCm: 77.5 })
  expect((await go('DELETE', `/api/grow-logs/${log.b.id}`, owner)).s).toBeLessThan(300)
  expect(JSON.stringify((await go('GET', `/api/pheno-hunts/${huntId}/activity`, stranger)).b)).not.toContain('77.5')
})
