import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Observation } from '#contracts/observations.endpoints.ts'
import { newId } from '#server/kernel/ids.ts'
import { eraseAll } from '#server/kernel/own-data.ts'
import { addHunt, addPlants, shareHunt } from '#tests/support/hunts.ts'
import { pictureWithSecrets } from '#tests/support/pictures.ts'
import { addMedia } from '#tests/support/posts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { uploadsOf } from '#tests/support/uploads.ts'
import { eraseObservations } from './record-observations.ts'

let test: TestApp
let owner: TestPerson
let writer: TestPerson
let viewer: TestPerson
let stranger: TestPerson
let huntId: string
let plantIds: string[]
let height: string
let aroma: string
let bud: string

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  writer = await test.signUp()
  viewer = await test.signUp()
  stranger = await test.signUp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  await test.db.deleteFrom('hunts').execute()
  huntId = (await addHunt(test.db, owner.user.id)).id
  plantIds = (await addPlants(test.db, huntId, 4)).map(({ id }) => id)
  await shareHunt(test.db, huntId, writer.user.id, 'write')
  await shareHunt(test.db, huntId, viewer.user.id, 'view')
  height = await addTrait('number')
  aroma = await addTrait('checks', [0, 1, 2])
  bud = await addTrait('photo')
})

async function addTrait(kind: 'number' | 'ordinal' | 'date' | 'category' | 'checks' | 'photo', values: number[] = [], hunt_id = huntId) {
  const id = newId()
  const options = JSON.stringify(values.map((value) => ({ value, label: `option ${value}` })))
  await test.db.insertInto('traits').values({ id, hunt_id, name: kind, kind, options }).execute()
  return id
}
type Row = Record<string, unknown>
const row = (details: Row = {}): Row => ({
  id: newId(),
  traitId: height,
  plantId: plantIds[0],
  observedOn: '2026-03-02',
  value: { kind: 'number', number: 41 },
  ...details,
})
const send = (as: TestPerson | null, ...observations: Row[]) =>
  test.request('POST', `/api/pheno-hunts/${huntId}/observations`, as, { observations })
async function written(as: TestPerson, ...rows: Row[]): Promise<Observation[]> {
  const answer = await send(as, ...rows)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json() as Observation[]
}
const one = async (details: Row = {}, as = owner) => (await written(as, row(details)))[0] as Observation
const listed = async (query: string, as = owner) =>
  (await test.request('GET', `/api/pheno-hunts/${huntId}/observations?${query}`, as)).json() as Observation[]
const correction = (of: Observation, number: number | null, details: Row = {}) =>
  row({ correctsId: of.id, value: number === null ? null : { kind: 'number', number }, ...details })
const countOf = async (table: 'observations' | 'hunt_events') =>
  (
    await test.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n

describe('an observation', () => {
  it('records what was seen, by whom and in which run, and adds to the history', async () => {
    const run_id = newId()
    await test.db.insertInto('runs').values({ id: run_id, hunt_id: huntId, name: 'Tent', started_on: '2026-03-01' }).execute()
    await test.db
      .insertInto('placements')
      .values({ run_id, plant_id: plantIds[0] as string })
      .execute()
    const seen = await one({ note: 'Side light', isBlind: true }, writer)
    expect(seen).toMatchObject({
      number: 41,
      options: null,
      isWithdrawn: false,
      note: 'Side light',
      isBlind: true,
      runId: run_id,
      observedBy: { id: writer.user.id },
      correctsId: null,
      isCurrent: true,
    })
    expect((await one({ observedOn: '2026-02-28' })).runId).toBeNull()
    const events = await test.db.selectFrom('hunt_events').select(['kind', 'subject_id']).orderBy('id').execute()
    expect(events[0]).toEqual({ kind: 'observation.made', subject_id: seen.id })
  })

  it('corrects the person’s own score from the same day on request, but never another person’s', async () => {
    const first = await one()
    const theirs = await one({ value: { kind: 'number', number: 30 } }, writer)
    const again = row({ sameDay: 'correct', value: { kind: 'number', number: 44 } })
    const [second] = await written(owner, again)
    expect(second).toMatchObject({ number: 44, correctsId: first.id, isCurrent: true })
    expect(await written(owner, again)).toEqual([second])
    const all = await listed(`plantId=${plantIds[0]}`)
    expect(all.filter(({ isCurrent }) => isCurrent).map(({ number }) => number)).toEqual([44, 30])
    expect(all.find(({ id }) => id === theirs.id)?.isCurrent).toBe(true)
    expect(
      await test.db
        .selectFrom('hunt_events')
        .select('kind')
        .where('subject_id', '=', second?.id ?? '')
        .execute(),
    ).toEqual([{ kind: 'observation.corrected' }])

    // For another day or plant, a value is added rather than corrected.
    await written(owner, row({ sameDay: 'correct', observedOn: '2026-03-03' }), row({ sameDay: 'correct', plantId: plantIds[1] }))
    expect((await listed('')).filter(({ isCurrent }) => isCurrent)).toHaveLength(4)

    await written(owner, row({ sameDay: 'correct', correctsId: second?.id, value: { kind: 'number', number: 41 } }))
    expect((await listed(`plantId=${plantIds[0]}`)).filter(({ isCurrent }) => isCurrent).map(({ number }) => number)).toEqual([41, 41, 30])

    const twice = await send(owner, row({ sameDay: 'correct' }), row({ sameDay: 'correct' }))
    expect(Object.keys(twice.json().fields)).toEqual(['observations.1.plantId'])
  })

  it('can be assigned to a run or to none by people who may write', async () => {
    const run_id = newId()
    await test.db.insertInto('runs').values({ id: run_id, hunt_id: huntId, name: 'Tent' }).execute()
    const [seen, corrected] = await written(owner, row(), row({ plantId: plantIds[1] }))
    await one({ plantId: plantIds[1], correctsId: corrected?.id })
    const assign = (as: TestPerson, runId: string | null, ...observationIds: unknown[]) =>
      test.request('PUT', `/api/pheno-hunts/${huntId}/observation-runs`, as, { runId, observationIds })
    expect(await listed('withoutRun=true')).toHaveLength(2)
    expect((await assign(viewer, run_id, seen?.id)).statusCode).toBe(403)
    expect((await assign(stranger, run_id, seen?.id)).statusCode).toBe(404)
    expect((await assign(owner, newId(), seen?.id)).json().fields).toHaveProperty('runId')
    expect((await assign(owner, run_id, seen?.id, corrected?.id)).json().fields).toHaveProperty('observationIds')
    for (const _ of [1, 2]) expect((await assign(writer, run_id, seen?.id)).statusCode).toBe(204)
    expect((await listed('withoutRun=true')).map(({ plantId }) => plantId)).toEqual([plantIds[1]])
    expect((await listed(`plantId=${plantIds[0]}`)).map(({ runId }) => runId)).toEqual([run_id])
    expect((await assign(owner, null, seen?.id)).statusCode).toBe(204)
    expect(await listed('withoutRun=true')).toHaveLength(2)
  })

  it('accepts only values of its trait’s kind and names every invalid row', async () => {
    const scale = await addTrait('ordinal', [1, 2, 3])
    const [category, date] = [await addTrait('category', [0, 1]), await addTrait('date')]
    const other = await addHunt(test.db, stranger.user.id)
    const [foreignPlant] = await addPlants(test.db, other.id, 1)
    const foreignTrait = await addTrait('number', [], other.id)
    const logged = newId()
    await test.db.insertInto('traits').values({ id: logged, hunt_id: huntId, name: 'H', kind: 'number', source: 'log_height' }).execute()
    const twice = newId()
    const wrong: [Row, string][] = [
      [{ traitId: scale, value: { kind: 'number', number: 2.5 } }, 'value'],
      [{ value: { kind: 'date', date: '2026-03-02' } }, 'value'],
      [{ traitId: category, value: { kind: 'options', options: [0, 1] } }, 'value'],
      [{ traitId: aroma, value: { kind: 'options', options: [7] } }, 'value'],
      [{ traitId: aroma, value: { kind: 'options', options: [1, 1] } }, 'value'],
      [{ traitId: bud }, 'value'],
      [{ value: null }, 'value'],
      [{ plantId: foreignPlant?.id }, 'plantId'],
      [{ traitId: foreignTrait }, 'traitId'],
      [{ traitId: logged }, 'traitId'],
      [{ observedOn: '2099-01-01' }, 'observedOn'],
      [{ id: twice }, ''],
      [{ id: twice }, 'id'],
    ]
    const answer = await send(owner, ...wrong.map(([details]) => row(details)), row())
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json().fields)).toEqual(wrong.flatMap(([, field], i) => (field ? [`observations.${i}.${field}`] : [])))
    expect(await countOf('observations')).toBe(0)
    await written(
      owner,
      row({ traitId: scale, value: { kind: 'number', number: 3 } }),
      row({ traitId: category, value: { kind: 'options', options: [1] } }),
      row({ traitId: date, value: { kind: 'date', date: '2026-01-05' } }),
      row({ traitId: aroma, value: { kind: 'options', options: [] } }),
    )
  })

  it('can be sent in a batch of up to 500, and is listed page by page, newest day first', async () => {
    const rows = Array.from({ length: 500 }, (_, i) =>
      row({ plantId: plantIds[i % 4], observedOn: `2026-02-${String((i % 28) + 1).padStart(2, '0')}` }),
    )
    expect((await send(owner, ...rows, row())).statusCode).toBe(400)
    expect(await written(owner, ...rows)).toHaveLength(500)
    const paged: Observation[] = []
    for (let url: string | null = `/api/pheno-hunts/${huntId}/observations?traitId=${height}&plantId=${plantIds[1]}&limit=50`; url; ) {
      const answer = await test.request('GET', url, viewer)
      paged.push(...(answer.json() as Observation[]))
      url = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1] ?? null
    }
    expect(paged).toHaveLength(125)
    const keys = paged.map(({ observedOn, id }) => `${observedOn} ${id}`)
    expect(keys).toEqual([...keys].sort().reverse())
    expect(await listed(`genotypeId=${newId()}`)).toEqual([])
  })
})

describe('a repeated ID', () => {
  it('changes nothing, and is refused with other content or in another hunt', async () => {
    const first = row()
    const [seen] = await written(owner, first)
    const more = row({ plantId: plantIds[1] })
    expect(await written(writer, first, more)).toEqual([seen, expect.objectContaining({ id: more.id })])
    for (const details of [{ note: 'x' }, { value: { kind: 'number', number: 42 } }, { plantId: plantIds[2] }, { isBlind: true }]) {
      expect((await send(owner, { ...first, ...details })).statusCode).toBe(409)
    }
    const other = await addHunt(test.db, stranger.user.id)
    const [plant] = await addPlants(test.db, other.id, 1)
    const traitId = await addTrait('number', [], other.id)
    const stolen = { observations: [row({ id: first.id, plantId: plant?.id, traitId })] }
    const answer = await test.request('POST', `/api/pheno-hunts/${other.id}/observations`, stranger, stolen)
    expect(answer.statusCode).toBe(409)
    expect(answer.body).not.toContain(huntId)
    expect([await countOf('observations'), await countOf('hunt_events')]).toEqual([2, 2])
  })

  it('makes one observation and one correction when sent twenty times concurrently', async () => {
    const first = row()
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(owner, first)))
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    const [seen] = (answers[0] as (typeof answers)[0] & object).json() as [Observation]
    const better = correction(seen, 43)
    const corrections = await Promise.all(Array.from({ length: 20 }, () => send(writer, better)))
    expect(new Set(corrections.map(({ statusCode }) => statusCode))).toEqual(new Set([201]))
    expect([await countOf('observations'), await countOf('hunt_events')]).toEqual([2, 2])
  })
})

describe('a correction', () => {
  it('replaces one value and keeps the original', async () => {
    const seen = await one()
    const [better] = await written(writer, correction(seen, 43, { note: 'Read wrongly' }))
    expect(better).toMatchObject({ correctsId: seen.id, isCurrent: true })
    const all = await listed(`plantId=${plantIds[0]}`)
    expect(all.map(({ id, isCurrent }) => [id, isCurrent])).toEqual([
      [better?.id, true],
      [seen.id, false],
    ])
    const answer = await test.request('GET', `/api/observations/${seen.id}`, viewer)
    expect(answer.json()).toEqual({ observation: { ...seen, isCurrent: false }, correctedBy: better })
  })

  it('is made once when two people send several concurrently, and the others are refused', async () => {
    const seen = await one()
    const answers = await Promise.all([42, 43, 44, 45].map((number, i) => send(i % 2 ? owner : writer, correction(seen, number))))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409, 409])
    expect(answers.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({ code: 'conflict' })
    expect(await countOf('observations')).toBe(2)
    expect((await send(owner, correction(seen, 9), correction(seen, 8))).statusCode).toBe(409)
  })

  it('must have the trait and plant of an existing observation', async () => {
    const seen = await one()
    expect((await send(owner, correction(seen, 1, { plantId: plantIds[1] }))).statusCode).toBe(409)
    expect((await send(owner, correction(seen, 1, { traitId: await addTrait('number') }))).statusCode).toBe(409)
    expect((await send(owner, row({ correctsId: newId() }))).statusCode).toBe(409)
  })

  it('withdraws nothing if the observation was never recorded, because its request was lost', async () => {
    const lost = row()
    const other = row({ plantId: plantIds[1] })
    const answer = await send(owner, row({ correctsId: lost.id, value: null }), other)
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject([{ id: other.id }])
    expect([await countOf('observations'), await countOf('hunt_events')]).toEqual([1, 1])
  })

  it('withdraws the observation if sent without a value, and can itself be corrected', async () => {
    const seen = await one()
    const [taken] = await written(owner, correction(seen, null))
    expect(taken).toMatchObject({ number: null, isWithdrawn: true, isCurrent: true })
    const [again] = await written(owner, correction(taken as Observation, 44))
    expect(again).toMatchObject({ number: 44, isWithdrawn: false, isCurrent: true })
    const kinds = await test.db.selectFrom('hunt_events').select('kind').orderBy('id').execute()
    expect(kinds.map(({ kind }) => kind)).toEqual(['observation.made', 'observation.corrected', 'observation.corrected'])
  })
})

describe('a photo of an observation', () => {
  it('is visible to everyone who may see the hunt, even after a correction', async () => {
    const uploads = uploadsOf(test)
    const photo = await uploads.upload(writer, await pictureWithSecrets('jpeg'))
    const blocked = await test.signUp()
    await shareHunt(test.db, huntId, blocked.user.id, 'write')
    await test.db.insertInto('person_blocks').values({ blocker_id: owner.user.id, blocked_id: blocked.user.id }).execute()
    const statuses = () =>
      Promise.all(
        [owner, writer, viewer, stranger, blocked, null].map(
          async (as) => (await uploads.get(`/media/${photo.id}/small.webp`, as)).statusCode,
        ),
      )
    const alone = [404, 200, 404, 404, 404, 404]
    expect(await statuses()).toEqual(alone)
    const value = { kind: 'photo', mediaId: photo.id }
    expect((await send(owner, row({ traitId: bud, value }))).json().fields).toHaveProperty('observations')
    const twice = await send(writer, row({ traitId: bud, value }), row({ traitId: bud, value }))
    expect(twice.json().fields).toEqual({ 'observations.1.value': 'Add each photo only once' })
    const sent = row({ traitId: bud, value })
    const answers = await Promise.all([1, 2, 3].map(() => send(writer, sent)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201])
    const [seen] = (answers[0]?.json() ?? []) as Observation[]
    expect(seen?.photo?.id).toBe(photo.id)
    const shared = [200, 200, 200, 404, 404, 404]
    expect(await statuses()).toEqual(shared)
    await written(writer, correction(seen as Observation, null, { traitId: bud }))
    expect(await statuses()).toEqual(shared)
  })

  it('is deleted with its author’s account, unlike other people’s photos that it corrected or that corrected it', async () => {
    const photo = async (as: TestPerson, plant: number, corrects: Observation | null = null) => {
      const { id } = await addMedia(test.db, as.user.id)
      return one({ traitId: bud, plantId: plantIds[plant], value: { kind: 'photo', mediaId: id }, correctsId: corrects?.id ?? null }, as)
    }
    const first = await photo(owner, 0)
    await photo(writer, 0, await photo(writer, 0, first))
    const second = await photo(owner, 1)
    const third = await photo(owner, 1, await photo(writer, 1, await photo(writer, 1, second)))
    const fourth = await photo(owner, 2, await photo(writer, 2))
    const fifth = await photo(writer, 3)
    await written(owner, correction(fifth, null, { traitId: bud, plantId: plantIds[3] }))

    await eraseAll(eraseObservations, test.ctx, { id: writer.user.id, email: writer.user.email })
    const left = await test.db.selectFrom('observations').select(['id', 'corrects_id', 'is_current']).orderBy('id').execute()
    expect(left).toEqual([
      { id: first.id, corrects_id: null, is_current: true },
      { id: second.id, corrects_id: null, is_current: false },
      { id: third.id, corrects_id: second.id, is_current: true },
      { id: fourth.id, corrects_id: null, is_current: true },
    ])
  })
})

describe('a person', () => {
  it('may write, only view, or see nothing, depending on their share', async () => {
    const seen = await one()
    const blocked = await test.signUp()
    await shareHunt(test.db, huntId, blocked.user.id, 'write')
    await test.db.insertInto('person_blocks').values({ blocker_id: blocked.user.id, blocked_id: owner.user.id }).execute()
    const harvest = (await test.request('POST', `/api/pheno-hunts/${huntId}/harvests`, owner, {
      harvests: [{ plantId: plantIds[0], harvestedOn: '2026-03-02' }],
      endsPlants: false,
    })) as { json(): { id: string }[] }
    const lab = (await test.request('POST', `/api/pheno-hunts/${huntId}/lab-results`, owner, {
      results: [{ plantId: plantIds[0], testedOn: '2026-03-02', analyte: 'THC', value: 20 }],
    })) as { json(): { id: string }[] }
    const [harvestId, labId] = [harvest.json()[0]?.id, lab.json()[0]?.id]
    const hunt = `/api/pheno-hunts/${huntId}`
    const results = [{ plantId: plantIds[0], testedOn: '2026-03-02', analyte: 'CBD', value: 1 }]
    const calls: [reads: boolean, status: number, method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, body?: object][] = [
      [true, 200, 'GET', `${hunt}/traits`],
      [true, 200, 'GET', `${hunt}/observations`],
      [true, 200, 'GET', `${hunt}/trait-records`],
      [true, 200, 'GET', `${hunt}/harvests`],
      [true, 200, 'GET', `${hunt}/lab-results`],
      [true, 200, 'GET', `/api/observations/${seen.id}`],
      [false, 201, 'POST', `${hunt}/traits`, { name: 'X', kind: 'number' }],
      [false, 200, 'PUT', `${hunt}/weights`, { weights: [] }],
      [false, 200, 'PUT', `${hunt}/trait-order`, { traitIds: [] }],
      [false, 200, 'PATCH', `/api/traits/${aroma}`, { name: 'Nose', version: 1 }],
      [false, 409, 'DELETE', `/api/traits/${height}`],
      [false, 201, 'POST', `${hunt}/observations`, { observations: [row()] }],
      [false, 201, 'POST', `${hunt}/harvests`, { harvests: [{ plantId: plantIds[1], harvestedOn: '2026-03-02' }], endsPlants: false }],
      [false, 200, 'PATCH', `/api/harvests/${harvestId}`, { dryGrams: 40, version: 1 }],
      [false, 201, 'POST', `${hunt}/lab-results`, { results }],
      [false, 200, 'PATCH', `/api/lab-results/${labId}`, { value: 21, version: 1 }],
    ]
    const none: [TestPerson | null, number][] = [
      [stranger, 404],
      [blocked, 404],
      [null, 401],
    ]
    for (const [reads, status, method, url, body] of calls) {
      for (const [as, expected] of [...none, [viewer, reads ? status : 403], [writer, status], [owner, status]] as const) {
        const answer = await test.request(method, url, as, body)
        expect(answer.statusCode, `${method} ${url} ${body ? JSON.stringify(body) : ''}: ${answer.body}`).toBe(expected)
      }
    }
  })
})
