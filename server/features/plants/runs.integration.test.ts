import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Placement, Run } from '#contracts/runs.endpoints.ts'
import type { SeedLot } from '#contracts/seed-lots.endpoints.ts'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, addPlants, shareHunt } from '#tests/support/hunts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let huntId: string
let plants: Awaited<ReturnType<typeof addPlants>>

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  huntId = (await addHunt(test.db, owner.user.id)).id
  plants = await addPlants(test.db, huntId, 4)
})

const send = (method: Parameters<TestApp['request']>[0], url: string, body?: object) => test.request(method, url, owner, body)
const things = (rest: string) => `/api/pheno-hunts/${huntId}${rest}`
const plantId = (i: number) => plants[i]?.id as string

describe('a seed lot', () => {
  it('is added, changed, and deleted, while its plants remain', async () => {
    const id = newId()
    const given = {
      id,
      mother: 'Haze',
      motherGenotypeId: plants[0]?.genotypeId,
      father: 'Skunk',
      generation: 'F1',
      seedType: 'feminized',
      seedCount: 12,
    }
    const lot = (await send('POST', things('/seed-lots'), given)).json() as SeedLot
    expect(lot).toMatchObject({ ...given, isSelfed: false, breeder: '', genotypeCount: 0, version: 1 })
    expect((await send('POST', things('/seed-lots'), given)).json()).toEqual(lot)
    await send('POST', things('/seeds'), { count: 2, seedLotId: id })
    const selfed = (await send('PATCH', `/api/seed-lots/${id}`, { isSelfed: true, version: 1 })).json()
    expect(selfed).toMatchObject({ isSelfed: true, mother: 'Haze', father: '', generation: 'F1', genotypeCount: 2, version: 2 })
    expect((await send('PATCH', `/api/seed-lots/${id}`, { source: 'Trade', version: 1 })).statusCode).toBe(409)
    const other = await addHunt(test.db, (await test.signUp()).user.id)
    const foreign = (await addPlants(test.db, other.id, 1))[0]?.genotypeId
    expect((await send('PATCH', `/api/seed-lots/${id}`, { motherGenotypeId: foreign, version: 2 })).json().fields).toEqual({
      motherGenotypeId: 'Choose a phenotype from this hunt, or from another hunt that you own or that is shared with you',
    })
    const second = await addHunt(test.db, owner.user.id)
    expect((await test.request('POST', `/api/pheno-hunts/${second.id}/seed-lots`, owner, given)).statusCode).toBe(409)
    expect((await send('DELETE', `/api/seed-lots/${id}`)).statusCode).toBe(204)
    expect((await send('GET', things('/seed-lots'))).json()).toEqual([])
    expect((await send('GET', things('/genotypes'))).json()).toHaveLength(6)
  })

  it('has parents from other hunts, shown only by name to people who can’t see those hunts', async () => {
    const writer = await test.signUp()
    await shareHunt(test.db, huntId, writer.user.id, 'write')
    const earlier = await addHunt(test.db, owner.user.id, { hunt_name: 'Secret garden' })
    const [mother] = await addPlants(test.db, earlier.id, 1)
    const given = { mother: '#1', motherGenotypeId: mother?.genotypeId, father: 'Skunk' }
    const lot = (await send('POST', things('/seed-lots'), given)).json() as SeedLot
    expect(lot).toMatchObject({
      ...given,
      motherElsewhere: { huntId: earlier.id, huntName: 'Secret garden', number: 1 },
      fatherElsewhere: null,
    })
    const listed = await test.request('GET', things('/seed-lots'), writer)
    expect(listed.json()).toMatchObject([{ mother: '#1', motherGenotypeId: null, motherElsewhere: null }])
    expect(listed.body).not.toContain('Secret garden')

    // The writer's form sends all fields, without the mother's ID.
    const change = (as: TestPerson, body: object) => test.request('PATCH', `/api/seed-lots/${lot.id}`, as, body)
    const form = { mother: '#1', motherGenotypeId: null, father: 'Skunk', fatherGenotypeId: null, breeder: 'Wren' }
    expect((await change(writer, { ...form, version: 1 })).json()).toMatchObject({ breeder: 'Wren', motherGenotypeId: null })
    expect((await send('GET', things('/seed-lots'))).json()).toMatchObject([{ motherGenotypeId: mother?.genotypeId }])
    expect((await change(writer, { fatherGenotypeId: mother?.genotypeId, version: 2 })).statusCode).toBe(400)
    expect((await change(writer, { mother: 'Haze', motherGenotypeId: null, version: 2 })).statusCode).toBe(200)
    expect((await send('GET', things('/seed-lots'))).json()).toMatchObject([{ mother: 'Haze', motherGenotypeId: null }])
  })
})

const addRun = async (details: object = {}): Promise<Run> =>
  (await send('POST', things('/runs'), { name: 'Tent', benchRows: 2, benchColumns: 3, ...details })).json()

describe('a run', () => {
  it('can be started, changed, and deleted', async () => {
    const id = newId()
    const run = await addRun({ id, checkGenotypeId: plants[0]?.genotypeId, startedOn: '2026-10-01', floweredOn: '2026-11-01' })
    expect(run).toMatchObject({ name: 'Tent', room: '', placementCount: 0, checkGenotypeId: plants[0]?.genotypeId, version: 1 })
    expect(await addRun({ id })).toEqual(run)
    expect((await send('PATCH', `/api/runs/${id}`, { floweredOn: '2026-09-30', version: 1 })).json().fields).toEqual({
      floweredOn: 'Can’t be before the run started',
    })
    const future = '2999-01-01'
    expect((await send('PATCH', `/api/runs/${id}`, { floweredOn: future, version: 1 })).json().fields).toEqual({
      floweredOn: 'Flowering can’t have started in the future',
    })
    expect((await send('POST', things('/runs'), { name: 'Tent', endedOn: future })).json().fields).toEqual({
      endedOn: 'A run can’t have ended in the future',
    })
    expect((await send('PATCH', `/api/runs/${id}`, { checkGenotypeId: newId(), version: 1 })).statusCode).toBe(400)
    expect((await send('PATCH', `/api/runs/${id}`, { room: 'North', version: 1 })).json()).toMatchObject({
      room: 'North',
      name: 'Tent',
      version: 2,
    })
    expect((await send('PATCH', `/api/runs/${id}`, { room: 'South', version: 1 })).statusCode).toBe(409)
    expect((await send('POST', things('/runs'), { name: '' })).json().fields).toEqual({ name: 'Name the run' })
    expect((await send('GET', things('/runs'))).json()).toHaveLength(1)
    expect((await send('DELETE', `/api/runs/${id}`)).statusCode).toBe(204)
    expect((await send('GET', things('/runs'))).json()).toEqual([])
  })
})

describe('a placement', () => {
  const place = (run: Run, placements: object[], more: object = {}) =>
    send('PUT', `/api/runs/${run.id}/placements`, { placements, ...more })
  const bench = (list: Placement[]) =>
    Object.fromEntries(list.map(({ name, row, column }) => [name, row === null ? null : `${row}/${column}`]))
  const at = (i: number, row: number | null, column: number | null) => ({ plantId: plantId(i), row, column })

  it('can be made, moved, swapped, and removed with many others in one request', async () => {
    const run = await addRun()
    const first = await place(run, [at(0, 1, 1), at(1, 1, 2), at(2, null, null)], { placedOn: '2026-11-01' })
    expect(bench(first.json())).toEqual({ '#1': '1/1', '#2': '1/2', '#3': null })
    expect(bench((await place(run, [at(0, 1, 2), at(1, 1, 1)])).json())).toEqual({ '#1': '1/2', '#2': '1/1', '#3': null })
    expect(bench((await place(run, [at(2, 1, 2)], { removedPlantIds: [plantId(0)] })).json())).toEqual({ '#2': '1/1', '#3': '1/2' })
    await place(run, [at(2, 1, 2)])
    const events = await test.db
      .selectFrom('hunt_events')
      .select(['happened_on', 'detail'])
      .where('hunt_id', '=', huntId)
      .orderBy('id')
      .execute()
    expect(events.map(({ detail }) => Object.values(detail as object).join('/'))).toEqual(['1/1', '1/2', '/', '1/2', '1/1', '1/2'])
    expect(events[0]?.happened_on).toBe('2026-11-01')
    expect((await send('GET', things('/runs'))).json()[0].placementCount).toBe(2)
  })

  it('rejects two plants in one position and nonexistent positions', async () => {
    const run = await addRun()
    await place(run, [at(0, 1, 1)])
    const taken = await place(run, [at(1, 1, 1)])
    expect([taken.statusCode, taken.json().message]).toEqual([409, 'Row 1, column 1 is taken by #1.'])
    expect((await place(run, [at(1, 2, 1), at(2, 2, 1)])).statusCode).toBe(400)
    expect((await place(run, [at(1, 2, 1), at(1, 2, 2)])).statusCode).toBe(400)
    expect((await place(run, [at(1, 2, null)])).statusCode).toBe(400)
    expect((await place(run, [at(1, 3, 1)])).json().fields['placements.0']).toBe('Row 3, column 1 doesn’t exist: the bench has 2 rows of 3')
    const other = (await addPlants(test.db, (await addHunt(test.db, owner.user.id)).id, 1))[0]?.id
    expect((await place(run, [{ plantId: other, row: 1, column: 3 }])).statusCode).toBe(404)
    expect((await send('PATCH', `/api/runs/${run.id}`, { benchRows: 1, benchColumns: null, version: 1 })).json().fields).toEqual({
      benchColumns: 'There is a plant in column 1',
    })
  })

  it('gives a contested position to one of two concurrent requests', async () => {
    const run = await addRun()
    const answers = await Promise.all([place(run, [at(0, 1, 1)]), place(run, [at(1, 1, 1)])])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    // The unique constraint rejects a second plant in the same position.
    const loser = answers[0]?.statusCode === 200 ? 1 : 0
    const twice = { run_id: run.id, plant_id: plantId(loser), bench_row: 1, bench_column: 1 }
    await expect(test.db.insertInto('placements').values(twice).execute()).rejects.toMatchObject({ code: '23505' })
  })
})
