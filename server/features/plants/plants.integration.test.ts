import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FoundPlant, Genotype, Plant, PlantRoom } from '#contracts/plants.ts'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, shareHunt } from '#tests/support/hunts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let huntId: string

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  huntId = (await addHunt(test.db, owner.user.id)).id
})

type Method = Parameters<TestApp['request']>[0]

async function ok<T>(method: Method, url: string, body?: object, as = owner): Promise<T> {
  const response = await test.request(method, url, as, body)
  expect(response.statusCode, `${method} ${url}: ${response.body}`).toBeLessThan(300)
  return response.json()
}
const hunt = (rest: string) => `/api/pheno-hunts/${huntId}${rest}`
const seeds = (count: number, more: object = {}) =>
  ok<{ genotypes: Genotype[]; room: PlantRoom }>('POST', hunt('/seeds'), { count, ...more })
const clones = (cuts: object[], more: object = {}) => ok<{ plants: Plant[]; room: PlantRoom }>('POST', hunt('/clones'), { cuts, ...more })
const genotypes = () => ok<Genotype[]>('GET', hunt('/genotypes'))

describe('a seed', () => {
  it('is numbered consecutively, with one plant and its own code', async () => {
    const first = await seeds(3, { startedOn: '2026-10-01' })
    expect(first.genotypes.map(({ name }) => name)).toEqual(['#1', '#2', '#3'])
    expect(first.genotypes[0]).toMatchObject({ sex: 'unknown', standing: null, livingCopies: 1, seedLotId: null })
    expect(first.genotypes[0]?.plants).toMatchObject([
      { kind: 'seed', copy: 0, name: '#1', startedOn: '2026-10-01', endedOn: null, stage: null },
    ])
    const { genotypes: more } = await seeds(2)
    expect(more.map(({ number }) => number)).toEqual([4, 5])
    expect(await genotypes()).toEqual([...first.genotypes, ...more])
    const codes = (await genotypes()).flatMap(({ plants }) => plants.map(({ code }) => code))
    expect(new Set(codes).size).toBe(5)
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/)
  })

  it('never shares a number, even when added concurrently', async () => {
    const added = await Promise.all(Array.from({ length: 8 }, (_, i) => seeds(1 + (i % 3))))
    const numbers = added.flatMap((each) => each.genotypes.map(({ number }) => number))
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: numbers.length }, (_, i) => i + 1))
    // Each concurrent call got a contiguous range.
    for (const { genotypes: own } of added) {
      expect(own.map(({ number }) => number - (own[0]?.number ?? 0))).toEqual(own.map((_, i) => i))
    }
  })

  it('is added once per idempotency key', async () => {
    const send = () =>
      test.app.inject({
        method: 'POST',
        url: hunt('/seeds'),
        headers: { cookie: owner.cookie, 'idempotency-key': `seeds-${huntId}` },
        payload: { count: 2 },
      })
    const [one, two] = await Promise.all([send(), send()])
    expect(one.json()).toEqual(two.json())
    expect(await genotypes()).toHaveLength(2)
  })

  it('can be added with a new hunt and its cross', async () => {
    const cross = { mother: 'Haze', father: 'Skunk', generation: 'F1', seedType: 'feminized' }
    const { id } = await ok<{ id: string }>('POST', '/api/pheno-hunts', {
      huntName: 'New',
      seedCount: 12,
      germinationDate: '2026-10-02',
      cross,
    })
    const all = await ok<Genotype[]>('GET', `/api/pheno-hunts/${id}/genotypes`)
    expect(all).toHaveLength(12)
    const lots = await ok<object[]>('GET', `/api/pheno-hunts/${id}/seed-lots`)
    expect(lots).toMatchObject([{ ...cross, genotypeCount: 12, seedCount: 12 }])
    expect(all[11]).toMatchObject({ number: 12, plants: [{ startedOn: '2026-10-02' }] })
  })

  it('refuses invalid fields', async () => {
    const status = async (body: object) => (await test.request('POST', hunt('/seeds'), owner, body)).statusCode
    for (const body of [{ count: 0 }, { count: 1001 }, { count: 1, startedOn: '2999-01-01' }, { count: 1, seedLotId: newId() }]) {
      expect(await status(body), JSON.stringify(body)).toBe(400)
    }
    expect(await genotypes()).toEqual([])
  })
})

describe('the list', () => {
  it('paginates by number', async () => {
    await seeds(5)
    const first = await test.request('GET', hunt('/genotypes?limit=2'), owner)
    expect(first.json().map(({ number }: Genotype) => number)).toEqual([1, 2])
    const next = /<([^>]+)>/.exec(String(first.headers.link))?.[1] as string
    expect((await ok<Genotype[]>('GET', next)).map(({ number }) => number)).toEqual([3, 4])
    expect((await test.request('GET', hunt('/genotypes?cursor=abc'), owner)).statusCode).toBe(400)
    const far = Buffer.from(JSON.stringify([1e15])).toString('base64url')
    expect((await test.request('GET', hunt(`/genotypes?cursor=${far}`), owner)).statusCode).toBe(400)
  })

  it('shows each plant’s position and its latest log', async () => {
    const [one] = (await seeds(1)).genotypes
    const plantId = one?.plants[0]?.id as string
    const log = { hunt_id: huntId, plant_id: plantId }
    const late = { ...log, logged_on: '2026-11-08', stage: null }
    await test.db
      .insertInto('grow_logs')
      .values([
        { ...log, id: newId(), logged_on: '2026-11-01', stage: 'vegetative' },
        { ...late, id: newId() },
        { ...log, id: newId(), logged_on: '2026-11-09', stage: 'flower', deleted_at: new Date() },
      ])
      .execute()
    expect((await genotypes())[0]?.plants[0]).toMatchObject({ stage: 'vegetative', lastLoggedOn: '2026-11-08', placement: null })
    const run = (name: string, more: object = {}) =>
      ok<{ id: string }>('POST', hunt('/runs'), { name, benchRows: 2, benchColumns: 2, ...more })
    const tent = await run('Tent', { floweredOn: '2026-11-05' })
    const old = await run('Old', { endedOn: '2026-11-01' })
    for (const { id } of [tent, old]) await ok('PUT', `/api/runs/${id}/placements`, { placements: [{ plantId, row: 1, column: 2 }] })
    const seen = await ok<Genotype>('GET', hunt('/genotypes/1'))
    expect(seen.plants[0]).toMatchObject({ stage: 'flower', placement: { runId: tent.id, runName: 'Tent', row: 1, column: 2 } })
  })

  it('shows a plant in the newest of its open runs, whatever their IDs', async () => {
    const [one] = (await seeds(1)).genotypes
    const old = { id: 'ffffffff-ffff-8fff-bfff-ffffffffffff', name: 'Old', created_at: new Date('2026-01-01') }
    const run = { id: newId(), name: 'New', created_at: new Date('2026-02-01') }
    for (const each of [old, run]) {
      await test.db
        .insertInto('runs')
        .values({ ...each, hunt_id: huntId })
        .execute()
      await ok('PUT', `/api/runs/${each.id}/placements`, { placements: [{ plantId: one?.plants[0]?.id, row: null, column: null }] })
    }
    expect((await genotypes())[0]?.plants[0]?.placement?.runName).toBe('New')
  })
})

describe('a clone', () => {
  it('is numbered within its genotype, even when clones of many genotypes are cut together', async () => {
    const [one, two] = (await seeds(2)).genotypes as [Genotype, Genotype]
    const cut = await clones(
      [
        { genotypeId: one.id, count: 10 },
        { genotypeId: two.id, count: 1 },
      ],
      { cutOn: '2026-11-01' },
    )
    expect(cut.plants.map(({ name }) => name)).toEqual([...Array.from({ length: 10 }, (_, i) => `#1-${i + 1}`), '#2-1'])
    expect(cut.plants[0]).toMatchObject({ kind: 'clone', cutOn: '2026-11-01', cutFromId: one.plants[0]?.id, startedOn: null })
    expect(cut.room).toEqual({ livingPlants: 13, plantLimit: null, overBy: 0 })
    await ok('POST', hunt('/plants/end'), { plantIds: [cut.plants[9]?.id], endedHow: 'died' })
    expect((await clones([{ genotypeId: one.id, count: 1 }])).plants[0]?.name).toBe('#1-11')
    expect((await ok<Genotype>('GET', hunt('/genotypes/1'))).livingCopies).toBe(11)
  })

  it('gets a distinct number when clones are cut concurrently', async () => {
    const [one] = (await seeds(1)).genotypes as [Genotype]
    const cut = await Promise.all(Array.from({ length: 6 }, () => clones([{ genotypeId: one.id, count: 2 }])))
    const copies = cut.flatMap(({ plants }) => plants.map(({ copy }) => copy))
    expect(copies.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
  })

  it('is cut from the mother plant unless another plant is named', async () => {
    const [one, two] = (await seeds(2)).genotypes as [Genotype, Genotype]
    const [clone] = (await clones([{ genotypeId: one.id, count: 1 }])).plants as [Plant]
    await ok('PATCH', `/api/plants/${clone.id}`, { isMother: true, version: clone.version })
    expect((await clones([{ genotypeId: one.id, count: 1 }])).plants[0]?.cutFromId).toBe(clone.id)
    const seedPlant = one.plants[0]?.id as string
    expect((await clones([{ genotypeId: one.id, fromPlantId: seedPlant, count: 1 }])).plants[0]?.cutFromId).toBe(seedPlant)
    const foreign = await test.request('POST', hunt('/clones'), owner, { cuts: [{ genotypeId: two.id, fromPlantId: seedPlant, count: 1 }] })
    expect(foreign.statusCode).toBe(400)
    await ok('POST', hunt('/plants/end'), { plantIds: [seedPlant], endedHow: 'died', endedOn: '2026-11-10' })
    const cut = (cutOn: string) =>
      test.request('POST', hunt('/clones'), owner, { cuts: [{ genotypeId: one.id, fromPlantId: seedPlant, count: 1 }], cutOn })
    expect((await cut('2026-11-11')).json().fields).toEqual({
      'cuts.0.fromPlantId': '#1 ended on 2026-11-10, before these clones were cut',
    })
    expect((await cut('2026-11-09')).statusCode).toBe(201)
  })

  it('is never refused for exceeding the plant limit, but the response states the excess', async () => {
    await test.db.updateTable('hunts').set({ plant_limit: 4 }).where('id', '=', huntId).execute()
    const { genotypes: all, room } = await seeds(4)
    expect(room).toEqual({ livingPlants: 4, plantLimit: 4, overBy: 0 })
    const cut = await clones([{ genotypeId: all[0]?.id, count: 3 }])
    expect(cut.room).toEqual({ livingPlants: 7, plantLimit: 4, overBy: 3 })
    await ok('POST', hunt('/plants/end'), { plantIds: cut.plants.map(({ id }) => id), endedHow: 'culled' })
    expect((await ok<{ room: PlantRoom }>('POST', hunt('/plants/revive'), { plantIds: [cut.plants[0]?.id] })).room.overBy).toBe(1)
  })
})

describe('a change', () => {
  it('requires the genotype’s current version', async () => {
    const [one] = (await seeds(1)).genotypes as [Genotype]
    const lot = await ok<{ id: string }>('POST', hunt('/seed-lots'), { mother: 'Haze' })
    const changed = await ok<Genotype>('PATCH', `/api/genotypes/${one.id}`, {
      label: 'Lemon',
      sex: 'female',
      seedLotId: lot.id,
      version: one.version,
    })
    expect(changed).toMatchObject({ label: 'Lemon', sex: 'female', seedLotId: lot.id, notes: '', version: one.version + 1 })
    const stale = await test.request('PATCH', `/api/genotypes/${one.id}`, owner, { label: 'Lime', version: one.version })
    expect(stale.statusCode).toBe(409)
    expect((await ok<Genotype>('GET', hunt('/genotypes/1'))).label).toBe('Lemon')
  })

  it('applies dates to many plants at once and keeps them consistent', async () => {
    const [one] = (await seeds(1)).genotypes as [Genotype]
    const { plants: cut } = await clones([{ genotypeId: one.id, count: 3 }], { cutOn: '2026-11-01' })
    const plantIds = cut.map(({ id }) => id)
    const rooted = await ok<Plant[]>('PATCH', hunt('/plants'), { plantIds, rootedOn: '2026-11-10' })
    expect(rooted.map(({ rootedOn }) => rootedOn)).toEqual(Array(3).fill('2026-11-10'))
    const refused = async (body: object) => (await test.request('PATCH', hunt('/plants'), owner, { plantIds, ...body })).json().fields
    expect(await refused({ rootedOn: '2026-10-31' })).toEqual({ rootedOn: '#1-1 was cut on 2026-11-01, so it can’t have rooted earlier' })
    expect(await refused({ cutOn: '2026-11-11' })).toEqual({ cutOn: expect.any(String) })
    expect(await refused({ plantIds: [one.plants[0]?.id], rootedOn: '2026-11-10' })).toEqual({
      rootedOn: '#1 grew from a seed, so it has no such date',
    })
    expect(await refused({ rootedOn: '2999-01-01' })).toEqual({ rootedOn: 'This day is in the future' })
    await ok('POST', hunt('/plants/end'), { plantIds: [plantIds[0]], endedHow: 'died', endedOn: '2026-11-12' })
    expect(await refused({ rootedOn: '2026-11-13' })).toEqual({ rootedOn: '#1-1 ended on 2026-11-12, before this day' })
    const [first] = (await ok<Plant[]>('PATCH', hunt('/plants'), { plantIds, startedOn: null })) as [Plant]
    expect((await test.request('PATCH', `/api/plants/${first.id}`, owner, { notes: 'Small', version: first.version - 1 })).statusCode).toBe(
      409,
    )
  })

  it('of the hunt’s germination date moves the seeds that started on it, but no plant with another date', async () => {
    const made = await ok<{ id: string; version: number }>('POST', '/api/pheno-hunts', {
      huntName: 'Corrected',
      seedCount: 3,
      germinationDate: '2026-09-02',
    })
    huntId = made.id
    const [one, two, three] = (await genotypes()).flatMap(({ plants }) => plants) as [Plant, Plant, Plant]
    await ok('PATCH', hunt('/plants'), { plantIds: [two.id], startedOn: '2026-09-05' })
    await ok('POST', hunt('/plants/end'), { plantIds: [three.id], endedHow: 'died', endedOn: '2026-09-20' })
    await ok('POST', '/api/grow-logs', { huntId, plantId: one.id, loggedOn: '2026-10-10' })
    const correct = (germinationDate: string | null, version: number) =>
      test.request('PATCH', `/api/pheno-hunts/${huntId}`, owner, { germinationDate, version })
    expect((await correct('2026-10-02', made.version)).json().fields).toEqual({
      germinationDate: '#3 ended on 2026-09-20, before this day',
    })
    await ok('POST', hunt('/plants/revive'), { plantIds: [three.id] })
    const corrected = await correct('2026-10-02', made.version)
    expect(corrected.statusCode, corrected.body).toBe(200)
    const days = async () => (await genotypes()).map(({ plants }) => plants[0]?.startedOn)
    expect(await days()).toEqual(['2026-10-02', '2026-09-05', '2026-10-02'])
    expect(await ok('GET', `/api/grow-logs?huntId=${huntId}`)).toMatchObject([{ week: 2 }])
    const [entry] = await ok<object[]>('GET', `/api/plants/${one.id}/history`)
    expect(entry).toMatchObject({ kind: 'plant.changed', facts: { changed: 'startedOn', before: '2026-09-02', after: '2026-10-02' } })
    expect((await correct(null, corrected.json().version)).statusCode).toBe(200)
    expect(await days()).toEqual([null, '2026-09-05', null])
  })

  it('applies the sex to many plants', async () => {
    const ids = (await seeds(3)).genotypes.map(({ id }) => id)
    const sexed = await ok<Genotype[]>('POST', hunt('/sexes'), { genotypeIds: ids.slice(0, 2), sex: 'male', sexedOn: '2026-11-02' })
    expect(sexed.map(({ sex }) => sex)).toEqual(['male', 'male'])
    const foreign = (await addHunt(test.db, owner.user.id)).id
    expect((await test.request('POST', `/api/pheno-hunts/${foreign}/sexes`, owner, { genotypeIds: ids, sex: 'male' })).statusCode).toBe(404)
  })
})

describe('a code', () => {
  it('finds its plant in any spelling, and nothing for people without access', async () => {
    const [one] = (await seeds(1)).genotypes as [Genotype]
    const code = one.plants[0]?.code as string
    await test.db.updateTable('plants').set({ code: '01ABCDEF' }).where('code', '=', code).execute()
    for (const written of ['01ABCDEF', '01abcdef', 'OLABCDEF', 'oi-ab-cd-ef', '01AB CDEF']) {
      const found = await ok<FoundPlant>('GET', `/api/plant-codes/${encodeURIComponent(written)}`)
      expect(found).toMatchObject({ huntId, huntName: 'Blue Dream F2', number: 1, plantId: one.plants[0]?.id, name: '#1', isAlive: true })
    }
    const [stranger, viewer] = [await test.signUp(), await test.signUp()]
    await shareHunt(test.db, huntId, viewer.user.id, 'view')
    expect((await test.request('GET', '/api/plant-codes/01ABCDEF', viewer)).statusCode).toBe(200)
    const refused = await test.request('GET', '/api/plant-codes/01ABCDEF', stranger)
    const absent = await test.request('GET', '/api/plant-codes/01ABCDEG', stranger)
    const wrong = await test.request('GET', '/api/plant-codes/nonsense%20U', stranger)
    expect(refused.statusCode).toBe(404)
    for (const answer of [absent, wrong]) expect(answer.body).toBe(refused.body)
  })
})
