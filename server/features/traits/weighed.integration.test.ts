import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Genotype } from '#contracts/plants.ts'
import type { LabResult } from '#contracts/traits.endpoints.ts'
import type { Harvest } from '#contracts/traits.ts'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, addPlants, shareHunt } from '#tests/support/hunts.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let writer: TestPerson
let stranger: TestPerson
let huntId: string
let plantIds: string[]

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  writer = await test.signUp()
  stranger = await test.signUp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  await test.db.deleteFrom('hunts').execute()
  huntId = (await addHunt(test.db, owner.user.id)).id
  plantIds = (await addPlants(test.db, huntId, 3)).map(({ id }) => id)
  await shareHunt(test.db, huntId, writer.user.id, 'write')
})

const harvest = (i: number, details: object = {}) => ({
  plantId: plantIds[i],
  harvestedOn: '2026-03-02',
  wetGrams: 400,
  dryGrams: 96,
  ...details,
})
const harvestAs = (as: TestPerson, harvests: object[], more: object = {}) =>
  test.request('POST', `/api/pheno-hunts/${huntId}/harvests`, as, { harvests, ...more })
const weigh = (as: TestPerson, ...harvests: object[]) => harvestAs(as, harvests, { endsPlants: false })
const ends = async () =>
  (await test.db.selectFrom('plants').select(['ended_on', 'ended_how']).where('hunt_id', '=', huntId).orderBy('id').execute()).map(
    ({ ended_on, ended_how }) => (ended_on === null ? null : `${ended_how} ${ended_on}`),
  )
const result = (i: number, details: object = {}) => ({
  plantId: plantIds[i],
  testedOn: '2026-03-20',
  analyte: 'THC',
  value: 21,
  ...details,
})
const analyze = (as: TestPerson, ...results: object[]) => test.request('POST', `/api/pheno-hunts/${huntId}/lab-results`, as, { results })
const list = async (what: 'harvests' | 'lab-results') => (await test.request('GET', `/api/pheno-hunts/${huntId}/${what}`, owner)).json()
const foreignPlant = async () => (await addPlants(test.db, (await addHunt(test.db, stranger.user.id)).id, 1))[0]?.id

describe('a harvest', () => {
  it('is stored once per plant, with its run, idempotently, and refuses different figures', async () => {
    const run_id = newId()
    await test.db.insertInto('runs').values({ id: run_id, hunt_id: huntId, name: 'Tent', ended_on: '2026-03-02' }).execute()
    await test.db
      .insertInto('placements')
      .values({ run_id, plant_id: plantIds[0] as string })
      .execute()
    const answers = await Promise.all([1, 2, 3].map(() => weigh(writer, harvest(1), harvest(0))))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201])
    const [second, first] = (answers[0]?.json() ?? []) as [Harvest, Harvest]
    expect([first.runId, second.runId, first.wetGrams]).toEqual([run_id, null, 400])
    expect((await weigh(owner, harvest(2), harvest(0, { dryGrams: 97 }))).statusCode).toBe(409)
    expect(await list('harvests')).toHaveLength(2)
    const events = await test.db.selectFrom('hunt_events').select('kind').execute()
    expect(events).toEqual([{ kind: 'harvest.recorded' }, { kind: 'harvest.recorded' }])
  })

  it('names every invalid row', async () => {
    const answer = await weigh(
      owner,
      harvest(0, { harvestedOn: '2099-01-01' }),
      harvest(1),
      harvest(1),
      harvest(0, { plantId: await foreignPlant() }),
    )
    expect(Object.keys(answer.json().fields)).toEqual(['harvests.0.harvestedOn', 'harvests.2.plantId', 'harvests.3.plantId'])
    expect(await list('harvests')).toEqual([])
  })

  it('names every plant whose harvest is refused, and accepts the others without them', async () => {
    await weigh(writer, harvest(0))
    const refused = await weigh(owner, harvest(2), harvest(0, { wetGrams: 405 }))
    expect(refused.json()).toMatchObject({
      code: 'conflict',
      message: '#1 already has a different harvest.',
      fields: { 'harvests.1.plantId': 'This plant already has a different harvest. Correct that one instead.' },
    })
    await test.db
      .updateTable('plants')
      .set({ started_on: '2026-03-03' })
      .where('id', '=', plantIds[1] as string)
      .execute()
    const early = await harvestAs(owner, [harvest(2), harvest(1)], { confirmLastCopies: ['#2', '#3'] })
    expect(early.json()).toMatchObject({ fields: { 'harvests.1.harvestedOn': '#2 began on 2026-03-03, after this day' } })
    expect((await harvestAs(owner, [harvest(2)], { confirmLastCopies: ['#3'] })).statusCode).toBe(201)
    expect(await ends()).toEqual([null, null, 'harvested 2026-03-02'])
  })

  it('revives the plant when deleted while its day is being corrected', async () => {
    const id = newId()
    expect((await harvestAs(owner, [harvest(0, { id })], { confirmLastCopies: ['#1'] })).statusCode).toBe(201)
    const { answer } = await test.db.transaction().execute(async (tx) => {
      await tx.selectFrom('genotypes').select('id').where('hunt_id', '=', huntId).forUpdate().execute()
      const answer = test.request('DELETE', `/api/harvests/${id}`, owner)
      await untilWaiting(test.db, { statement: 'genotypes' })
      await tx.updateTable('plants').set({ ended_on: '2026-03-03' }).where('ended_how', '=', 'harvested').execute()
      await tx.updateTable('harvests').set({ harvested_on: '2026-03-03' }).where('id', '=', id).execute()
      return { answer }
    })
    expect((await answer).statusCode).toBe(204)
    expect([await list('harvests'), await ends()]).toEqual([[], [null, null, null]])
  })

  it('ends the plant once its last copy is confirmed, and revives it when deleted', async () => {
    const refused = await harvestAs(owner, [harvest(0), harvest(1, { harvestedOn: '2026-03-04' })])
    expect(refused.json()).toMatchObject({ code: 'last_copy', fields: { '#1': expect.any(String), '#2': expect.any(String) } })
    expect([await list('harvests'), await ends()]).toEqual([[], [null, null, null]])

    const id = newId()
    const rows = [harvest(0, { id }), harvest(1, { harvestedOn: '2026-03-04' })]
    for (const _ of [1, 2]) {
      expect((await harvestAs(owner, rows, { confirmLastCopies: ['#1', '#2'] })).statusCode).toBe(201)
      expect(await ends()).toEqual(['harvested 2026-03-02', 'harvested 2026-03-04', null])
    }
    const genotypes = (await test.request('GET', `/api/pheno-hunts/${huntId}/genotypes`, owner)).json() as Genotype[]
    expect(genotypes.map(({ livingCopies, plants }) => [livingCopies, plants[0]?.stage])).toEqual([
      [0, 'drying'],
      [0, 'drying'],
      [1, null],
    ])
    const hunt = (await test.request('GET', `/api/pheno-hunts/${huntId}`, owner)).json()
    expect(hunt.counts.livingPlants).toBe(1)

    // Notes can still be added after the harvest, and changing the harvest's date also moves the plant's end date.
    const note = { huntId, plantId: plantIds[0], loggedOn: '2026-03-20', notes: 'Smells of pepper after the cure' }
    expect((await test.request('POST', '/api/grow-logs', owner, note)).statusCode).toBe(201)
    const patch = { harvestedOn: '2026-03-03', version: 1 }
    expect((await test.request('PATCH', `/api/harvests/${id}`, owner, patch)).statusCode).toBe(200)
    expect(await ends()).toEqual(['harvested 2026-03-03', 'harvested 2026-03-04', null])

    expect((await test.request('DELETE', `/api/harvests/${id}`, owner)).statusCode).toBe(204)
    expect(await ends()).toEqual([null, 'harvested 2026-03-04', null])
  })

  it('leaves plants that died earlier alone, and revives only plants that it ended', async () => {
    const end = { plantIds: [plantIds[0]], endedHow: 'died', endedOn: '2026-03-01' }
    expect((await test.request('POST', `/api/pheno-hunts/${huntId}/plants/end`, owner, end)).statusCode).toBe(200)
    const [dead] = (await harvestAs(owner, [harvest(0)])).json() as [Harvest]
    expect(await ends()).toEqual(['died 2026-03-01', null, null])
    expect((await test.request('DELETE', `/api/harvests/${dead.id}`, owner)).statusCode).toBe(204)
    expect(await ends()).toEqual(['died 2026-03-01', null, null])
  })

  it('belongs to the run of its corrected day', async () => {
    const [first, second] = [newId(), newId()]
    await test.db
      .insertInto('runs')
      .values([
        { id: first, hunt_id: huntId, name: 'Winter', started_on: '2026-01-01', ended_on: '2026-03-10' },
        { id: second, hunt_id: huntId, name: 'Spring', started_on: '2026-04-01' },
      ])
      .execute()
    const plant_id = plantIds[0] as string
    await test.db
      .insertInto('placements')
      .values([first, second].map((run_id) => ({ run_id, plant_id })))
      .execute()
    const [{ id, runId }] = (await weigh(owner, harvest(0))).json() as [Harvest]
    const correct = async (change: object) => ((await test.request('PATCH', `/api/harvests/${id}`, owner, change)).json() as Harvest).runId
    const days = [await correct({ harvestedOn: '2026-06-02', version: 1 }), await correct({ dryGrams: 90, version: 2 })]
    expect([runId, ...days]).toEqual([first, second, second])
  })

  it('refuses an ID that another harvest uses', async () => {
    const id = newId()
    expect((await weigh(owner, harvest(0, { id }))).statusCode).toBe(201)
    const refused = await weigh(owner, harvest(1, { id }))
    expect(refused.json()).toMatchObject({
      code: 'conflict',
      fields: { 'harvests.0.plantId': 'Another harvest has this ID. Send a new ID.' },
    })
    expect(await list('harvests')).toHaveLength(1)
  })

  it('can be corrected from its current version and removed', async () => {
    const [first] = (await weigh(owner, harvest(0))).json() as [Harvest]
    const patch = (body: object) => test.request('PATCH', `/api/harvests/${first.id}`, writer, body)
    const answers = await Promise.all([90, 91].map((dryGrams) => patch({ dryGrams, version: 1 })))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect((await patch({ notes: 'Mold in one cola', version: 2 })).json()).toMatchObject({ wetGrams: 400, version: 3 })
    expect((await patch({ harvestedOn: '2099-01-01', version: 3 })).json().fields).toHaveProperty('harvestedOn')
    const get = (as: TestPerson) => test.request('GET', `/api/harvests/${first.id}`, as)
    expect((await get(writer)).json()).toMatchObject({ id: first.id, wetGrams: 400, notes: 'Mold in one cola', version: 3 })
    expect((await get(stranger)).statusCode).toBe(404)
    const remove = (as: TestPerson) => test.request('DELETE', `/api/harvests/${first.id}`, as)
    expect((await remove(stranger)).statusCode).toBe(404)
    expect((await remove(writer)).statusCode).toBe(204)
    expect(await list('harvests')).toEqual([])
    const [event] = await test.db.selectFrom('hunt_events').selectAll().where('kind', '=', 'harvest.deleted').execute()
    expect(event).toMatchObject({ plant_id: plantIds[0], recorded_by: writer.user.id, detail: { wasWetGrams: 400 } })
    expect(event?.genotype_id).toEqual(first.genotypeId)
  })
})

describe('a lab result', () => {
  it('can be one of several for a plant, is idempotent by ID, and refuses different figures', async () => {
    const id = newId()
    const answers = await Promise.all([1, 2, 3].map(() => analyze(writer, result(0, { id }))))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201])
    expect((await analyze(owner, result(0, { samplePosition: 'bottom' }), result(0, { analyte: 'CBD', value: 0.1 }))).statusCode).toBe(201)
    expect((await analyze(owner, result(0, { id, value: 22 }))).statusCode).toBe(409)
    expect(((await list('lab-results')) as LabResult[]).map(({ value }) => value).sort()).toEqual([0.1, 21, 21])
  })

  it('replaces results of the same sample on request, and no others', async () => {
    await analyze(owner, result(0, { value: 18 }), result(0, { samplePosition: 'bottom', value: 15 }), result(1, { value: 17 }))
    const id = newId()
    const send = () =>
      test.request('POST', `/api/pheno-hunts/${huntId}/lab-results`, writer, {
        results: [result(0, { id, analyte: 'thc', value: 18.9 })],
        sameSample: 'replace',
      })
    for (const answer of [await send(), await send()]) expect(answer.statusCode).toBe(201)
    expect(((await list('lab-results')) as LabResult[]).map(({ value }) => value).sort()).toEqual([15, 17, 18.9])
  })

  it('is refused above 100%, and allowed above 100 in other units', async () => {
    expect((await analyze(owner, result(0, { value: 189 }))).json().fields).toHaveProperty(['results.0.value'])
    const [fits] = (await analyze(owner, result(0, { value: 189, unit: 'mg/g' }))).json() as [LabResult]
    const patch = await test.request('PATCH', `/api/lab-results/${fits.id}`, owner, { unit: '%', version: 1 })
    expect(patch.json().fields).toHaveProperty('value')
  })

  it('has a value or a limit of quantification, and names every invalid row', async () => {
    const answer = await analyze(
      owner,
      result(0, { value: null }),
      result(1),
      result(0, { testedOn: '2099-01-01', plantId: await foreignPlant() }),
    )
    expect(Object.keys(answer.json().fields).sort()).toEqual(['results.0.value', 'results.2.plantId', 'results.2.testedOn'])
    const [below] = (await analyze(owner, result(0, { value: null, quantificationLimit: 0.05 }))).json() as [LabResult]
    expect(below).toMatchObject({ value: null, quantificationLimit: 0.05 })
    const patch = (body: object) => test.request('PATCH', `/api/lab-results/${below.id}`, writer, body)
    expect((await patch({ quantificationLimit: null, version: 1 })).json().fields).toHaveProperty('value')
    expect((await patch({ value: 0.06, version: 1 })).json()).toMatchObject({ value: 0.06, version: 2 })
    expect((await patch({ value: 0.07, version: 1 })).statusCode).toBe(409)
    expect((await test.request('DELETE', `/api/lab-results/${below.id}`, stranger)).statusCode).toBe(404)
    expect((await test.request('DELETE', `/api/lab-results/${below.id}`, writer)).statusCode).toBe(204)
  })
})
