import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { GrowLog, GrowLogVersion, Growth } from '#contracts/grow-logs.ts'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, addPlants, shareHunt } from '#tests/support/hunts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let writer: TestPerson
let viewer: TestPerson
let stranger: TestPerson
let huntId: string
let plants: Awaited<ReturnType<typeof addPlants>>

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
  const hunt = await addHunt(test.db, owner.user.id, { germination_date: daysAgo(30) })
  huntId = hunt.id
  plants = await addPlants(test.db, huntId, 3)
  await shareHunt(test.db, huntId, writer.user.id, 'write')
  await shareHunt(test.db, huntId, viewer.user.id, 'view')
})

const daysAgo = (days: number) => new Date(test.clock.now().getTime() - days * 86_400_000).toISOString().slice(0, 10)
const plant = (i: number) => {
  const found = plants[i]
  if (!found) throw new Error(`no plant ${i}`)
  return found
}
const entry = (details: object = {}) => ({
  huntId,
  plantId: plant(0).id,
  loggedOn: daysAgo(2),
  heightCm: 41,
  rating: 7,
  notes: 'Stout',
  ...details,
})
const send = (as: TestPerson | null, body: object) => test.request('POST', '/api/grow-logs', as, body)
const sendAll = (as: TestPerson, logs: object[]) => test.request('POST', '/api/grow-logs/batch', as, { huntId, logs })
async function written(details: object = {}, as = owner): Promise<GrowLog> {
  const answer = await send(as, entry(details))
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json() as GrowLog
}
const patch = (as: TestPerson, id: string, change: object) => test.request('PATCH', `/api/grow-logs/${id}`, as, change)
async function listed(query = '', as = owner): Promise<GrowLog[]> {
  const answer = await test.request('GET', `/api/grow-logs?huntId=${huntId}${query}`, as)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json() as GrowLog[]
}
const countOf = async (table: 'grow_logs' | 'hunt_events') =>
  (
    await test.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n

describe('a log', () => {
  it('returns what was entered, with its week, VPD, plant, and author', async () => {
    const log = await written({ airCelsius: 26, humidityPercent: 55, stage: 'vegetative', feed: 'A+B', phIn: 5.8 }, writer)
    expect(log).toMatchObject({
      heightCm: 41,
      rating: 7,
      notes: 'Stout',
      // Day 29.
      week: 5,
      isWeekStated: false,
      version: 1,
      plant: { id: plant(0).id, number: 1, copy: 0, code: plant(0).code },
      author: { id: writer.user.id },
      photos: [],
      phIn: 5.8,
      ecIn: null,
    })
    // es(24) = 2.978, es(26) = 3.355 kPa by Alduchov and Eskridge.
    expect(log.vpdKpa).toBeCloseTo(2.978 - 0.55 * 3.355, 2)
    expect((await test.request('GET', `/api/grow-logs/${log.id}`, viewer)).json()).toEqual(log)
    const events = await test.db.selectFrom('hunt_events').selectAll().where('hunt_id', '=', huntId).execute()
    expect(events).toMatchObject([{ kind: 'log.written', plant_id: plant(0).id, genotype_id: plant(0).genotypeId, subject_id: log.id }])
  })

  it('keeps a stated week, counts a clone’s weeks from rooting, and has no week without a start date', async () => {
    expect(await written({ week: 9 })).toMatchObject({ week: 9, isWeekStated: true })
    await test.db
      .updateTable('plants')
      .set({ started_on: daysAgo(9) })
      .where('id', '=', plant(1).id)
      .execute()
    expect((await written({ plantId: plant(1).id })).week).toBe(2)
    await test.db.updateTable('hunts').set({ germination_date: null }).execute()
    expect((await written()).week).toBeNull()
    expect((await written({ loggedOn: daysAgo(200), plantId: plant(1).id })).week).toBeNull()
  })

  it('can be backdated but not postdated', async () => {
    expect((await written({ loggedOn: '2019-03-02' })).loggedOn).toBe('2019-03-02')
    const answer = await send(owner, entry({ loggedOn: daysAgo(-2) }))
    expect(answer.statusCode).toBe(400)
    expect(answer.json().fields.loggedOn).toMatch(/in the future/)
  })

  it('can only be about a plant of its own hunt, or about no plant', async () => {
    const other = await addHunt(test.db, stranger.user.id)
    const [foreign] = await addPlants(test.db, other.id, 1)
    const answer = await send(owner, entry({ plantId: foreign?.id }))
    expect([answer.statusCode, answer.json().fields]).toEqual([400, { plantId: 'This plant isn’t in this hunt' }])
    const log = await written()
    expect((await patch(owner, log.id, { plantId: foreign?.id, version: 1 })).statusCode).toBe(400)
    expect((await written({ plantId: null })).plant).toBeNull()
  })
})

describe('a repeated ID', () => {
  it('returns the same log for the same content, even after a correction or deletion', async () => {
    const id = newId()
    const first = await written({ id })
    expect(first.id).toBe(id)
    expect(await written({ id })).toEqual(first)
    await patch(writer, id, { heightCm: 44, version: 1 })
    expect(await written({ id })).toMatchObject({ id, heightCm: 44, version: 2 })
    await test.request('DELETE', `/api/grow-logs/${id}`, owner)
    await written({ id })
    expect(await listed()).toEqual([])
    expect(await countOf('grow_logs')).toBe(1)
  })

  it('is refused for different content, with advice on what to send instead', async () => {
    const id = newId()
    await written({ id })
    const answer = await send(owner, entry({ id, heightCm: 42 }))
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'conflict'])
    expect(answer.json().message).toMatch(/PATCH.*new ID/)
    expect((await listed()).map((log) => log.heightCm)).toEqual([41])
  })

  it('is refused in another hunt without revealing the first', async () => {
    const id = newId()
    await written({ id })
    const other = await addHunt(test.db, stranger.user.id)
    const answer = await test.request('POST', '/api/grow-logs', stranger, { ...entry({ id, plantId: null }), huntId: other.id })
    expect(answer.statusCode).toBe(409)
    expect(answer.body).not.toContain(huntId)
  })

  it('creates one log and one event when sent twenty times concurrently', async () => {
    const id = newId()
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(owner, entry({ id }))))
    expect(new Set(answers.map((answer) => `${answer.statusCode} ${answer.body}`)).size).toBe(1)
    expect(answers[0]?.statusCode).toBe(201)
    expect([await countOf('grow_logs'), await countOf('hunt_events')]).toEqual([1, 1])
  })
})

describe('a batch', () => {
  const row = (i: number, details: object = {}) => ({
    id: newId(),
    plantId: plant(i).id,
    loggedOn: daysAgo(1),
    heightCm: 30 + i,
    ...details,
  })

  it('writes its rows in order and is idempotent', async () => {
    const rows = [row(2), row(0), row(1)]
    const answer = await sendAll(writer, rows)
    expect(answer.statusCode, answer.body).toBe(201)
    const logs = answer.json() as GrowLog[]
    expect(logs.map(({ id, heightCm }) => ({ id, heightCm }))).toEqual(rows.map(({ id, heightCm }) => ({ id, heightCm })))
    const more = row(0, { loggedOn: daysAgo(0) })
    const again = await sendAll(writer, [...rows, more])
    expect((again.json() as GrowLog[]).slice(0, 3)).toEqual(logs)
    expect(await countOf('grow_logs')).toBe(4)
    expect(await countOf('hunt_events')).toBe(4)
  })

  it('writes nothing if any row is invalid, and names each invalid row', async () => {
    const answer = await sendAll(owner, [row(0), row(1, { loggedOn: daysAgo(-9) }), row(2, { plantId: newId() })])
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json().fields)).toEqual(['logs.1.loggedOn', 'logs.2.plantId'])
    const high = await sendAll(owner, [row(0), row(1, { heightCm: 2000 })])
    expect(high.json().fields).toEqual({ 'logs.1.heightCm': 'Must be 0 to 1000 cm' })
    expect(await countOf('grow_logs')).toBe(0)
  })

  it('rejects all rows if one ID belongs to another log', async () => {
    const first = row(0)
    await sendAll(owner, [first])
    const answer = await sendAll(owner, [row(1), { ...first, heightCm: 99 }])
    expect([answer.statusCode, answer.json().message]).toEqual([409, expect.stringContaining('row 2')])
    expect(await countOf('grow_logs')).toBe(1)
  })

  it('accepts up to 200 rows', async () => {
    const rows = Array.from({ length: 201 }, (_, i) => row(i % 3))
    expect((await sendAll(owner, rows)).statusCode).toBe(400)
    expect((await sendAll(owner, rows.slice(0, 200))).statusCode).toBe(201)
  })

  it('is written only once when sent concurrently in different orders', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => row(i % 3))
    const answers = await Promise.all([sendAll(owner, rows), sendAll(owner, [...rows].reverse()), sendAll(owner, rows)])
    expect(answers.map((answer) => answer.statusCode)).toEqual([201, 201, 201])
    expect(await countOf('grow_logs')).toBe(60)
    expect(await countOf('hunt_events')).toBe(60)
  })
})

describe('a correction', () => {
  it('stores the earlier content and who changed it', async () => {
    const log = await written({}, writer)
    const answer = await patch(owner, log.id, { heightCm: 45, notes: '', version: 1 })
    expect(answer.json()).toMatchObject({ heightCm: 45, notes: '', rating: 7, version: 2, author: { id: writer.user.id } })
    await patch(writer, log.id, { rating: null, version: 2 })
    const versions = (await test.request('GET', `/api/grow-logs/${log.id}/versions`, writer)).json() as GrowLogVersion[]
    expect(versions).toMatchObject([
      { version: 2, heightCm: 45, notes: '', rating: 7, changedBy: { id: writer.user.id } },
      { version: 1, heightCm: 41, notes: 'Stout', rating: 7, photosCount: 0, changedBy: { id: owner.user.id } },
    ])
  })

  it('is refused for a stale version unless it was already applied', async () => {
    const log = await written()
    await patch(writer, log.id, { heightCm: 45, version: 1 })
    const answer = await patch(owner, log.id, { heightCm: 46, version: 1 })
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'conflict'])
    const again = await patch(writer, log.id, { heightCm: 45, version: 1 })
    expect([again.statusCode, again.json().version]).toEqual([200, 2])
    expect((await patch(owner, log.id, { heightCm: 46, version: 2 })).statusCode).toBe(200)
  })

  it('is applied only once when ten requests arrive at the same time', async () => {
    const log = await written()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => patch(i % 2 ? owner : writer, log.id, { heightCm: 50 + i, version: 1 })),
    )
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, ...Array(9).fill(409)])
    expect((await test.request('GET', `/api/grow-logs/${log.id}/versions`, owner)).json()).toHaveLength(1)
  })
})

describe('a deleted log', () => {
  it('is listed nowhere, can be restored, and is purged after 30 days', async () => {
    const log = await written()
    const kept = await written({ plantId: plant(1).id })
    const remove = (query = '') => test.request('DELETE', `/api/grow-logs/${log.id}${query}`, writer)
    expect((await remove('?version=3')).statusCode).toBe(409)
    expect((await remove('?version=1')).statusCode).toBe(204)
    expect((await remove('?version=1')).statusCode).toBe(204)
    expect((await listed()).map(({ id }) => id)).toEqual([kept.id])
    expect((await test.request('GET', `/api/grow-logs/${log.id}`, owner)).statusCode).toBe(404)
    expect((await patch(owner, log.id, { heightCm: 1, version: 1 })).statusCode).toBe(404)
    const growth = (await test.request('GET', `/api/pheno-hunts/${huntId}/growth`, owner)).json() as Growth
    expect(growth.plants.map((each) => each.plant.id)).toEqual([plant(1).id])

    expect((await test.request('POST', `/api/grow-logs/${log.id}/restore`, owner)).json()).toEqual(log)
    expect(await listed()).toHaveLength(2)
    await remove()
    const purge = async () => {
      await test.ctx.jobs.enqueue('grow-logs.purge', {})
      await test.runJobs()
    }
    await purge()
    expect(await countOf('grow_logs')).toBe(2)
    await test.db
      .updateTable('grow_logs')
      .set({ deleted_at: new Date(test.clock.now().getTime() - 31 * 86_400_000) })
      .where('id', '=', log.id)
      .execute()
    await purge()
    expect(await countOf('grow_logs')).toBe(1)
    expect((await test.request('POST', `/api/grow-logs/${log.id}/restore`, owner)).statusCode).toBe(404)
  })
})

describe('the list', () => {
  it('starts with the newest day and filters by plant, time, and week, page by page', async () => {
    const days = [3, 1, 20, 9, 1]
    for (const [i, ago] of days.entries()) await written({ loggedOn: daysAgo(ago), plantId: plant(i % 2).id, notes: `day ${ago}` })
    const all = await listed()
    expect(all.map(({ loggedOn }) => loggedOn)).toEqual([1, 1, 3, 9, 20].map(daysAgo))
    const paged: GrowLog[] = []
    for (let url: string | null = `/api/grow-logs?huntId=${huntId}&limit=2`; url; ) {
      const answer = await test.request('GET', url, owner)
      paged.push(...(answer.json() as GrowLog[]))
      url = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1] ?? null
    }
    expect(paged).toEqual(all)
    expect(await listed(`&plantId=${plant(1).id}`)).toHaveLength(2)
    expect((await listed(`&from=${daysAgo(9)}&to=${daysAgo(2)}`)).map(({ notes }) => notes)).toEqual(['day 3', 'day 9'])
    // Germinated 30 days ago (day 1), so 20 days ago is day 11, in week 2.
    expect((await listed('&week=2')).map(({ notes }) => notes)).toEqual(['day 20'])
    expect((await test.request('GET', `/api/grow-logs?huntId=${huntId}&cursor=WyJhIiwiYiJd`, owner)).statusCode).toBe(400)
  })

  it('lists the last entered log of a day first, whatever its ID', async () => {
    const ids = [newId(), newId(), newId()].reverse()
    for (const id of ids) {
      await written({ id })
      test.clock.advance({ seconds: 1 })
    }
    const answer = await test.request('GET', `/api/grow-logs?huntId=${huntId}&limit=2`, owner)
    const next = /[?&](cursor=[^&>]+)/.exec(String(answer.headers.link))?.[1]
    const all = [...(answer.json() as GrowLog[]), ...(await listed(`&${next}`))]
    expect(all.map(({ id }) => id)).toEqual(ids.toReversed())
  })

  it('has growth curves of all plants, with the oldest point first', async () => {
    for (const ago of [2, 16, 9])
      for (const i of [1, 0]) await written({ loggedOn: daysAgo(ago), plantId: plant(i).id, heightCm: 100 - ago, rating: null })
    await written({ heightCm: null, rating: null })
    await written({ plantId: null })
    const growth = (await test.request('GET', `/api/pheno-hunts/${huntId}/growth`, viewer)).json() as Growth
    expect(growth.isComplete).toBe(true)
    expect(growth.plants.map((each) => [each.plant.number, each.points.map(({ day, week, heightCm }) => [day, week, heightCm])])).toEqual([
      [
        1,
        [
          [15, 3, 84],
          [22, 4, 91],
          [29, 5, 98],
        ],
      ],
      [
        2,
        [
          [15, 3, 84],
          [22, 4, 91],
          [29, 5, 98],
        ],
      ],
    ])
  })
})

describe('access', () => {
  it('hides logs from people without a share, and refuses writes to people who may only view', async () => {
    const log = await written()
    const calls = [
      ['GET', `/api/grow-logs?huntId=${huntId}`, 'view'],
      ['GET', `/api/grow-logs/${log.id}`, 'view'],
      ['GET', `/api/grow-logs/${log.id}/versions`, 'write'],
      ['GET', `/api/pheno-hunts/${huntId}/photos`, 'view'],
      ['GET', `/api/pheno-hunts/${huntId}/growth`, 'view'],
      ['POST', '/api/grow-logs', 'write', entry({ id: newId() })],
      ['POST', '/api/grow-logs/batch', 'write', { huntId, logs: [{ loggedOn: daysAgo(1) }] }],
      ['PATCH', `/api/grow-logs/${log.id}`, 'write', { rating: 7, version: 1 }],
      ['POST', `/api/grow-logs/${log.id}/restore`, 'write'],
      ['DELETE', `/api/grow-logs/${log.id}`, 'write'],
    ] as const
    const missing = (await test.request('GET', `/api/grow-logs/${newId()}`, stranger)).body
    for (const [method, url, wanted, body] of calls) {
      const answerTo = (as: TestPerson | null) => test.request(method, url, as, body)
      const strangers = await answerTo(stranger)
      expect(strangers.statusCode, `${method} ${url}`).toBe(404)
      if (url.includes(log.id)) expect(strangers.body).toBe(missing)
      expect((await answerTo(null)).statusCode, `${method} ${url}`).toBe(401)
      expect((await answerTo(viewer)).statusCode, `${method} ${url}`).toBe(wanted === 'view' ? 200 : 403)
      expect((await answerTo(writer)).statusCode, `${method} ${url}`).toBeLessThan(300)
    }
    await test.db.updateTable('hunts').set({ visibility: 'public', published_at: test.clock.now() }).execute()
    await test.request('POST', `/api/grow-logs/${log.id}/restore`, owner)
    for (const [method, url, wanted, body] of calls) {
      const answer = await test.request(method, url, stranger, body)
      expect(answer.statusCode, `${method} ${url}`).toBe(wanted === 'view' ? 200 : 403)
    }
    await test.db.insertInto('person_blocks').values({ blocker_id: owner.user.id, blocked_id: stranger.user.id }).execute()
    for (const [method, url, , body] of calls) expect((await test.request(method, url, stranger, body)).statusCode).toBe(404)
    await test.db.deleteFrom('person_blocks').execute()
  })

  it('completes or refuses a write while the writer’s share is being removed', async () => {
    const unshare = () =>
      test.db.transaction().execute(async (tx) => {
        await tx.selectFrom('hunts').select('id').where('id', '=', huntId).forUpdate().execute()
        await tx.deleteFrom('hunt_shares').where('user_id', '=', writer.user.id).execute()
        const { n } = await tx
          .selectFrom('grow_logs')
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow()
        return n
      })
    const [answers, seen] = await Promise.all([
      Promise.all(Array.from({ length: 8 }, () => send(writer, entry({ id: newId() })))),
      unshare(),
    ])
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(seen)
    expect(await countOf('grow_logs')).toBe(seen)
  })
})
