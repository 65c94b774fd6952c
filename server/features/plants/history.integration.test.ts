import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { HistoryEntry } from '#contracts/plant-history.endpoints.ts'
import type { Plant } from '#contracts/plants.ts'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, addPlants } from '#tests/support/hunts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let huntId: string
let plant: { id: string; genotypeId: string }

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  huntId = (await addHunt(test.db, owner.user.id)).id
  const [first] = await addPlants(test.db, huntId, 1, { started_on: '2026-10-01' })
  plant = first as typeof plant
})

async function post(rest: string, body: object) {
  const response = await test.request('POST', rest.startsWith('/api') ? rest : `/api/pheno-hunts/${huntId}${rest}`, owner, body)
  expect(response.statusCode, response.body).toBeLessThan(300)
  return response.json()
}
const history = async (query = '', of = `genotypes/${plant.genotypeId}`) => {
  const response = await test.request('GET', `/api/${of}/history${query}`, owner)
  expect(response.statusCode, response.body).toBe(200)
  return { entries: response.json() as HistoryEntry[], next: /<([^>]+)>/.exec(String(response.headers.link))?.[1] }
}
const lines = (entries: HistoryEntry[]) =>
  entries.map(({ happenedOn, kind, plant: of }) => `${happenedOn} ${kind} ${of?.name ?? ''}`.trim())

describe('the history of a genotype', () => {
  it('sorts entries recorded late by the day they happened', async () => {
    const cut = await post('/clones', { cuts: [{ genotypeId: plant.genotypeId, count: 1 }], cutOn: '2026-11-10' })
    await post('/decisions', { decisions: [{ id: newId(), genotypeId: plant.genotypeId }], kind: 'keep', decidedOn: '2026-11-15' })
    await post('/sexes', { genotypeIds: [plant.genotypeId], sex: 'female', sexedOn: '2026-10-20' })
    const rooted = { plantIds: [cut.plants[0].id], rootedOn: '2026-11-18' }
    await test.request('PATCH', `/api/pheno-hunts/${huntId}/plants`, owner, rooted)
    expect(lines((await history()).entries)).toEqual([
      '2026-11-18 plant.rooted #1-1',
      '2026-11-15 decision.made',
      '2026-11-10 plant.cut #1-1',
      '2026-10-20 genotype.sexed',
      '2026-10-01 seeds.added #1',
    ])
    expect(lines((await history('', `plants/${cut.plants[0].id}`)).entries)).toEqual([
      '2026-11-18 plant.rooted #1-1',
      '2026-11-10 plant.cut #1-1',
    ])
    expect(lines((await history('', `plants/${plant.id}`)).entries)).toEqual(['2026-10-01 seeds.added #1'])
  })

  it('paginates without losing or repeating entries of the same day', async () => {
    for (let i = 0; i < 7; i++) {
      const sexedOn = i % 2 ? '2026-11-01' : '2026-09-30'
      await post('/sexes', { genotypeIds: [plant.genotypeId], sex: i % 2 ? 'male' : 'female', sexedOn })
    }
    const all = (await history('?limit=100')).entries
    expect(all.map(({ happenedOn }) => happenedOn)).toEqual([...Array(3).fill('2026-11-01'), '2026-10-01', ...Array(4).fill('2026-09-30')])
    for (const limit of [1, 2, 3]) {
      const paged: HistoryEntry[] = []
      let { entries, next } = await history(`?limit=${limit}`)
      paged.push(...entries)
      while (next) {
        ;({ entries, next } = await history(next.slice(next.indexOf('?'))))
        paged.push(...entries)
      }
      expect(
        paged.map(({ id }) => id),
        `pages of ${limit}`,
      ).toEqual(all.map(({ id }) => id))
    }
    for (const key of [
      ['2026-02-30', newId()],
      ['0000-01-01', newId()],
      ['x', 'y'],
    ]) {
      const cursor = Buffer.from(JSON.stringify(key)).toString('base64url')
      expect((await test.request('GET', `/api/genotypes/${plant.genotypeId}/history?cursor=${cursor}`, owner)).statusCode).toBe(400)
    }
  })

  it('shows corrections with the original', async () => {
    await post('/sexes', { genotypeIds: [plant.genotypeId], sex: 'male' })
    await post('/sexes', { genotypeIds: [plant.genotypeId], sex: 'female' })
    const [clone] = (
      await post('/clones', { cuts: [{ genotypeId: plant.genotypeId, count: 1 }], cutOn: '2026-11-01', rootedOn: '2026-11-10' })
    ).plants as [Plant]
    const change = { rootedOn: '2026-11-12', isMother: true, version: clone.version }
    expect((await test.request('PATCH', `/api/plants/${clone.id}`, owner, change)).statusCode).toBe(200)
    const { entries } = await history()
    expect(entries.filter(({ kind }) => kind === 'genotype.sexed').map(({ facts }) => facts)).toEqual([
      { sex: 'female', before: 'male' },
      { sex: 'male', before: null },
    ])
    expect(entries.filter(({ kind }) => kind === 'plant.changed').map(({ facts }) => facts)).toEqual([
      { changed: 'isMother', after: 'yes', before: 'no' },
      { changed: 'rootedOn', after: '2026-11-12', before: '2026-11-10' },
    ])
  })

  it('describes each entry’s subject as it is now', async () => {
    const decisionId = newId()
    const cull = { decisions: [{ id: decisionId, genotypeId: plant.genotypeId }], kind: 'cull', reason: 'Hermaphrodite' }
    await post('/decisions', { ...cull, endPlantIds: [plant.id], confirmLastCopies: ['#1'] })
    await post(`/api/decisions/${decisionId}/undo`, {})
    const runId = newId()
    await post('/runs', { id: runId, name: 'Tent', benchRows: 1, benchColumns: 1 })
    await test.request('PUT', `/api/runs/${runId}/placements`, owner, { placements: [{ plantId: plant.id, row: 1, column: 1 }] })
    const { entries } = await history()
    expect(entries.map(({ kind, facts, subject }) => [kind, facts, subject])).toEqual([
      ['plant.placed', { row: 1, column: 1 }, { type: 'run', id: runId, run: { name: 'Tent' } }],
      ...[
        ['decision.undone', { standing: 'cull' }],
        ['plant.revived', { endedHow: 'culled', before: expect.any(String) }],
        ['decision.made', { standing: 'cull' }],
        ['plant.ended', { endedHow: 'culled' }],
      ].map((entry) => [
        ...entry,
        { type: 'decision', id: decisionId, decision: { kind: 'cull', reason: 'Hermaphrodite', isUndone: true } },
      ]),
      ['seeds.added', {}, null],
    ])
    expect(entries[0]).toMatchObject({ recordedBy: { id: owner.user.id }, plant: { id: plant.id, name: '#1' } })
  })

  it('doesn’t describe a log that was moved to another plant', async () => {
    const [other] = await addPlants(test.db, huntId, 1)
    const said = { heightCm: 84, notes: 'Bananas on top' }
    const log = await post('/api/grow-logs', { huntId, plantId: plant.id, loggedOn: '2026-11-01', ...said })
    const move = (plantId: string | null, version: number) => test.request('PATCH', `/api/grow-logs/${log.id}`, owner, { plantId, version })
    const logsOf = async (genotypeId: string) =>
      (await history('', `genotypes/${genotypeId}`)).entries.flatMap(({ kind, subject }) => (subject?.log ? [[kind, subject.log]] : []))
    expect((await move(other?.id as string, 1)).statusCode).toBe(200)
    const nothing = { heightCm: null, notes: '', photos: [], before: null }
    expect(await logsOf(plant.genotypeId)).toMatchObject([['log.written', { ...nothing, movedTo: '#2' }]])
    expect(await logsOf(other?.genotypeId as string)).toMatchObject([['log.changed', { ...said, movedTo: null }]])
    expect((await move(null, 2)).statusCode).toBe(200)
    expect(await logsOf(plant.genotypeId)).toMatchObject([['log.written', { ...nothing, movedTo: '' }]])
  })

  it('includes logs, scores, harvests, and lab results, and both values of corrections', async () => {
    const [logId, goneId, traitId, wrongId, rightId, harvestId, labId] = Array.from({ length: 7 }, newId) as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    const log = { hunt_id: huntId, plant_id: plant.id, logged_on: '2026-11-01', notes: 'Smells of lemon', height_cm: 41 }
    await test.db
      .insertInto('grow_logs')
      .values([
        { ...log, id: logId, version: 2 },
        { ...log, id: goneId, deleted_at: new Date() },
      ])
      .execute()
    const said = JSON.stringify({ notes: 'Smells of lime', heightCm: 14 })
    await test.db.insertInto('grow_log_versions').values({ log_id: logId, version: 1, said }).execute()
    const options = JSON.stringify([
      { value: 2, label: 'weak' },
      { value: 4, label: 'strong' },
    ])
    await test.db.insertInto('traits').values({ id: traitId, hunt_id: huntId, name: 'Nose', kind: 'ordinal', options }).execute()
    const score = { hunt_id: huntId, trait_id: traitId, plant_id: plant.id, observed_on: '2026-11-02' }
    await test.db
      .insertInto('observations')
      .values({ ...score, id: wrongId, value_number: 2, is_current: false })
      .execute()
    await test.db
      .insertInto('observations')
      .values({ ...score, id: rightId, value_number: 4, corrects_id: wrongId, is_blind: true })
      .execute()
    const harvest = { id: harvestId, hunt_id: huntId, plant_id: plant.id, harvested_on: '2026-11-03', dry_grams: 55.5 }
    await test.db.insertInto('harvests').values(harvest).execute()
    const lab = {
      id: labId,
      hunt_id: huntId,
      plant_id: plant.id,
      lab: 'North',
      tested_on: '2026-11-04',
      analyte: 'THC',
      quantification_limit: 0.1,
    }
    await test.db.insertInto('lab_results').values(lab).execute()
    const event = { hunt_id: huntId, genotype_id: plant.genotypeId, plant_id: plant.id, recorded_by: owner.user.id }
    await test.db
      .insertInto('hunt_events')
      .values([
        { ...event, id: newId(), kind: 'log.written', subject_id: goneId, happened_on: '2026-11-05' },
        {
          ...event,
          id: newId(),
          kind: 'log.changed',
          subject_id: logId,
          happened_on: '2026-11-04',
          detail: JSON.stringify({ version: 2 }),
        },
        { ...event, id: newId(), kind: 'observation.corrected', subject_id: rightId, happened_on: '2026-11-03' },
        { ...event, id: newId(), kind: 'observation.made', subject_id: wrongId, happened_on: '2026-11-02' },
        { ...event, id: newId(), kind: 'harvest.recorded', subject_id: harvestId, happened_on: '2026-11-01' },
        { ...event, id: newId(), kind: 'lab.recorded', subject_id: labId, happened_on: '2026-10-31' },
        { ...event, id: newId(), kind: 'lab.recorded', subject_id: newId(), happened_on: '2026-10-30' },
      ])
      .execute()
    const [gone, changed, corrected, made, harvested, tested, lost] = (await history()).entries.map(({ subject }) => subject)
    expect(gone).toMatchObject({ type: 'log', log: { isDeleted: true, notes: '', heightCm: null, before: null } })
    const before = { notes: 'Smells of lime', heightCm: 14, rating: null, week: null, stage: null }
    expect(changed?.log).toMatchObject({ notes: 'Smells of lemon', heightCm: 41, before })
    const was = { id: wrongId, value: '2 · weak', observedOn: '2026-11-02' }
    expect(corrected?.observation).toMatchObject({ trait: 'Nose', value: '4 · strong', isBlind: true, isCorrected: false, corrected: was })
    expect(made?.observation).toMatchObject({ value: '2 · weak', isCorrected: true, corrected: null })
    const figures = { flowerDays: null, wetGrams: null, dryGrams: 55.5, washYieldPercent: null }
    expect(harvested).toEqual({ type: 'harvest', id: harvestId, harvest: figures })
    expect(tested?.lab).toMatchObject({ analyte: 'THC', value: null, quantificationLimit: 0.1 })
    expect(lost).toBeNull()
  })
})
