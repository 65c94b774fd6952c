import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { vaporPressureDeficit } from '#agronomy/vpd.ts'
import type { Climate, ClimateImport, ClimateReading, ClimateTarget } from '#contracts/climate.endpoints.ts'
import { maxReadingsOfFile, maxReadingsOfHunt } from '#contracts/limits.ts'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, addPlants, shareHunt } from '#tests/support/hunts.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { blockPerson } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let writer: TestPerson
let viewer: TestPerson
let stranger: TestPerson
let huntId: string

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
  await shareHunt(test.db, huntId, writer.user.id, 'write')
  await shareHunt(test.db, huntId, viewer.user.id, 'view')
})

const path = (rest = '') => `/api/pheno-hunts/${huntId}/climate${rest}`
const named = { sensorName: 'Tent A', fileName: 'tent.csv', timeZone: 'America/Denver' }
async function began(details: object = {}, as = owner): Promise<ClimateImport> {
  const answer = await test.request('POST', path('/imports'), as, { ...named, ...details })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json() as ClimateImport
}
const add = (importId: string, columns: object, as = owner) =>
  test.request('POST', `/api/climate-imports/${importId}/readings`, as, columns)

const start = Date.UTC(2026, 2, 1) / 1000
const minutes = (count: number, from = 0) => ({
  at: Array.from({ length: count }, (_, i) => start + (from + i) * 60),
  airCelsius: Array.from({ length: count }, (_, i) => 20 + ((from + i) % 10)),
  humidityPercent: Array.from({ length: count }, (_, i) => 50 + ((from + i) % 7)),
})
async function climate(query = '', as = owner): Promise<Climate> {
  const answer = await test.request('GET', path(query), as)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json() as Climate
}
const tables = ['climate_readings', 'climate_imports', 'climate_sensors'] as const
const left = () =>
  Promise.all(
    tables.map(
      async (table) =>
        (
          await test.db
            .selectFrom(table)
            .select((eb) => eb.fn.countAll<number>().as('n'))
            .executeTakeFirstOrThrow()
        ).n,
    ),
  )

describe('an import', () => {
  it('accepts repeated readings at a limit and refuses only new ones', async () => {
    const { id } = await began()
    await add(id, minutes(100))
    const check = async (message: string) => {
      expect((await add(id, minutes(100))).json()).toMatchObject({ added: 0, already: 100 })
      const refused = await add(id, minutes(11, 100))
      expect([refused.statusCode, refused.json().message]).toEqual([409, message])
    }
    const count = (importId: string, readings_count: number) =>
      test.db.updateTable('climate_imports').set({ readings_count }).where('id', '=', importId).execute()
    await count(id, maxReadingsOfFile - 10)
    await check('A file can have up to 200,000 readings. Split this file.')
    await count(id, 100)
    await count((await began({ sensorName: 'Tent B' })).id, maxReadingsOfHunt - 110)
    await check('A hunt can have up to 1,000,000 readings. Undo an import you no longer need.')
  })

  it('adds only new readings, no matter how often it is sent', async () => {
    const first = await began()
    expect((await add(first.id, minutes(100))).json()).toEqual({ added: 100, already: 0, readingsCount: 100 })
    expect((await add(first.id, minutes(100))).json()).toEqual({ added: 0, already: 100, readingsCount: 100 })
    // The logger's next export overlaps.
    const second = await began({ fileName: 'tent-2.csv' })
    expect(second.sensor).toEqual(first.sensor)
    expect((await add(second.id, minutes(100, 60))).json()).toEqual({ added: 60, already: 40, readingsCount: 60 })
    const other = await began({ sensorName: 'Tent B' })
    expect((await add(other.id, minutes(100))).json()).toMatchObject({ added: 100 })
    expect(await left()).toEqual([260, 3, 2])
    // Two readings in the same second count as one.
    const { at, airCelsius, humidityPercent } = minutes(1, 500)
    const twice = { at: [...at, ...at], airCelsius: [...airCelsius, 25], humidityPercent: [...humidityPercent, 50] }
    expect((await add(second.id, twice)).json()).toMatchObject({ added: 1, already: 1 })
  })

  it('is created once when it is started twice with one ID', async () => {
    const id = newId()
    const first = await began({ id })
    expect(await began({ id })).toEqual(first)
    const other = await addHunt(test.db, owner.user.id)
    expect((await test.request('POST', `/api/pheno-hunts/${other.id}/climate/imports`, owner, { ...named, id })).statusCode).toBe(409)
  })

  it('stores each reading once, even concurrently', async () => {
    const [a, b] = [await began(), await began({}, writer)]
    const columns = minutes(3000)
    const reversed = Object.fromEntries(Object.entries(columns).map(([key, values]) => [key, [...values].reverse()]))
    const answers = await Promise.all([add(a.id, columns), add(b.id, reversed, writer), add(a.id, columns), add(b.id, columns, writer)])
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200])
    expect(answers.reduce((sum, answer) => sum + answer.json().added, 0)).toBe(3000)
    expect((await left())[0]).toBe(3000)
    const imports = (await test.request('GET', path('/imports'), viewer)).json() as ClimateImport[]
    expect(imports.reduce((sum, each) => sum + each.readingsCount, 0)).toBe(3000)
  })

  it('creates its sensor again if the last import of the sensor is being removed', async () => {
    const first = await began()
    const { answer } = await test.db.transaction().execute(async (tx) => {
      await tx.deleteFrom('climate_imports').where('id', '=', first.id).execute()
      await tx.deleteFrom('climate_sensors').where('hunt_id', '=', huntId).execute()
      const answer = test.request('POST', path('/imports'), owner, named)
      await untilWaiting(test.db, { statement: 'climate_' })
      return { answer }
    })
    const { statusCode, body } = await answer
    expect(statusCode, body).toBe(201)
    expect(await left()).toEqual([0, 1, 1])
  })

  it('is removed as a whole, along with the sensor if it is the last import', async () => {
    const [a, b] = [await began(), await began({ fileName: 'more.csv' })]
    await add(a.id, minutes(50))
    await add(b.id, minutes(50, 50))
    expect((await test.request('DELETE', `/api/climate-imports/${a.id}`, writer)).statusCode).toBe(204)
    expect(await left()).toEqual([50, 1, 1])
    expect((await climate()).from).toBe(new Date((start + 50 * 60) * 1000).toISOString())
    expect((await test.request('DELETE', `/api/climate-imports/${a.id}`, writer)).statusCode).toBe(404)
    await test.request('DELETE', `/api/climate-imports/${b.id}`, owner)
    expect(await left()).toEqual([0, 0, 0])
  })

  it('hides its importer’s name from people whom the importer blocked', async () => {
    await began({}, writer)
    const importers = async () =>
      ((await test.request('GET', path('/imports'), viewer)).json() as ClimateImport[]).map(({ importedBy }) => importedBy?.id)
    const before = await importers()
    await blockPerson(test.db, writer.user.id, viewer.user.id)
    const after = await importers()
    await test.db.deleteFrom('person_blocks').execute()
    expect([before, after]).toEqual([[writer.user.id], [undefined]])
  })

  it('is listed newest first, even if its ID isn’t chronological, and on only one page', async () => {
    const ids = ['f', '0', '8'].map((first) => `${first}${newId().slice(1)}`)
    for (const id of ids) {
      test.clock.advance({ minutes: 1 })
      await began({ id })
    }
    const listed: string[] = []
    for (let next = `${path('/imports')}?limit=1`; next !== ''; ) {
      const answer = await test.request('GET', next, owner)
      listed.push(...(answer.json() as ClimateImport[]).map(({ id }) => id))
      next = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1] ?? ''
    }
    expect(listed).toEqual(ids.toReversed())
    expect((await test.request('GET', path('/imports'), owner)).json()).toMatchObject(ids.toReversed().map((id) => ({ id })))
  })

  it('refuses impossible readings, uneven columns, and unknown time zones', async () => {
    const { id } = await began()
    const good = minutes(2)
    for (const wrong of [
      { ...good, airCelsius: [20, 61] },
      { ...good, humidityPercent: [20, 101] },
      { ...good, airCelsius: [20] },
      { ...good, co2Ppm: [400] },
      { ...good, at: [1.5, 2] },
      { at: [], airCelsius: [], humidityPercent: [] },
    ]) {
      expect((await add(id, wrong)).statusCode, JSON.stringify(wrong)).toBe(400)
    }
    for (const timeZone of ['Mars/Olympus', '+02:00'])
      expect((await test.request('POST', path('/imports'), owner, { ...named, timeZone })).json().fields).toEqual({
        timeZone: 'Unknown time zone',
      })
    expect((await left())[0]).toBe(0)
  })

  it('accepts 20,000 readings in one call', async () => {
    const { id } = await began()
    const answer = await add(id, minutes(20_000))
    expect([answer.statusCode, answer.json().added]).toEqual([200, 20_000])
    expect((await add(id, minutes(20_001))).statusCode).toBe(400)
  })
})

describe('the climate of a hunt', () => {
  it('has equal buckets with the minimum, mean, and maximum of all readings', async () => {
    const { id } = await began()
    const columns = {
      ...minutes(600),
      leafCelsius: Array.from({ length: 600 }, (_, i) => (i < 300 ? 19.5 : null)),
      co2Ppm: Array(600).fill(800),
    }
    await add(id, columns)
    const { points, bucketSeconds, readingsCount, sensors, from, to } = await climate('?points=60')
    // 599 minutes in 59 gaps are just over 10 minutes each, and the next round length is 15 minutes.
    expect([bucketSeconds, readingsCount, points.length]).toEqual([900, 600, 40])
    expect([from, to]).toEqual([new Date(start * 1000).toISOString(), new Date((start + 599 * 60) * 1000).toISOString()])
    expect(points.reduce((sum, point) => sum + point.readingsCount, 0)).toBe(600)
    const vpd = columns.at.map(
      (_, i) => vaporPressureDeficit(columns.airCelsius[i] ?? 0, columns.humidityPercent[i] ?? 0, columns.leafCelsius[i]) ?? 0,
    )
    for (const [nth, point] of points.entries()) {
      const own = (values: readonly (number | null)[]) => values.slice(nth * 15, nth * 15 + 15) as number[]
      const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
      expect(point.at).toBe(new Date((start + nth * 900) * 1000).toISOString())
      for (const [measure, values] of [
        ['airCelsius', own(columns.airCelsius)],
        ['vpdKpa', own(vpd)],
      ] as const) {
        expect(point[measure]?.min).toBeCloseTo(Math.min(...values), 2)
        expect(point[measure]?.max).toBeCloseTo(Math.max(...values), 2)
        expect(point[measure]?.mean).toBeCloseTo(mean(values), 2)
      }
      expect(point.leafCelsius === null).toBe(nth >= 20)
    }
    expect(sensors).toMatchObject([{ name: 'Tent A', readingsCount: 600 }])
  })

  it('counts individual readings of every sensor within each target, not bucket means', async () => {
    const readings = (sensor: number, humidityPercent: number[]) => ({
      at: humidityPercent.map((_, i) => start + i * 60 + sensor),
      airCelsius: humidityPercent.map(() => 25.3),
      humidityPercent,
    })
    await add((await began()).id, readings(0, [40, 80, 60, 60]))
    await add((await began({ sensorName: 'Tent B', fileName: 'b.csv' })).id, readings(1, [50, 70]))
    const put = (measure: string, low: number, high: number) =>
      test.request('PUT', path(`/targets/flower/${measure}`), owner, { low, high })
    await put('humidityPercent', 55, 65)
    await put('airCelsius', 25.3, 27)
    await put('co2Ppm', 800, 1200)
    const { points, targets } = await climate('?points=10')
    expect(targets.map(({ measure }) => measure)).toEqual(['airCelsius', 'humidityPercent'])
    const sum = (of: (point: Climate['points'][number]) => number | undefined) => points.reduce((all, point) => all + (of(point) ?? 0), 0)
    expect([sum(({ readingsCount }) => readingsCount), sum(({ inTarget }) => inTarget[0]), sum(({ inTarget }) => inTarget[1])]).toEqual([
      6, 6, 2,
    ])
  })

  it('never has more points than requested', async () => {
    const { id } = await began()
    await add(id, minutes(5000, 7))
    for (const points of [10, 100, 2000]) {
      const all = await climate(`?points=${points}`)
      expect(all.points.length).toBeLessThanOrEqual(points)
      expect(all.points.reduce((sum, point) => sum + point.readingsCount, 0)).toBe(5000)
    }
    const hour = { from: new Date((start + 3600) * 1000).toISOString(), to: new Date((start + 7199) * 1000).toISOString() }
    expect((await climate(`?from=${hour.from}&to=${hour.to}`)).readingsCount).toBe(60)
  })

  it('includes air readings from logs, and stages from logs or, without any, from runs', async () => {
    const [plant] = await addPlants(test.db, huntId, 1)
    const log = (on: string, details: object) =>
      test.request('POST', '/api/grow-logs', owner, { huntId, plantId: plant?.id, loggedOn: on, ...details })
    await test.db
      .insertInto('runs')
      .values({ id: newId(), hunt_id: huntId, name: 'Run 1', started_on: '2026-01-05', flowered_on: '2026-02-05' })
      .execute()
    expect((await climate()).stages).toEqual([
      { stage: 'vegetative', from: '2026-01-05' },
      { stage: 'flower', from: '2026-02-05' },
    ])
    await log('2026-01-10', { stage: 'vegetative', airCelsius: 25, humidityPercent: 60 })
    await log('2026-01-10', { stage: 'seedling' })
    await log('2026-01-12', { stage: 'vegetative' })
    await log('2026-02-20', { stage: 'flower', co2Ppm: 900 })
    const { stages, logs } = await climate()
    expect(stages).toEqual([
      { stage: 'vegetative', from: '2026-01-10' },
      { stage: 'flower', from: '2026-02-20' },
    ])
    expect(logs).toMatchObject([
      { on: '2026-01-10', airCelsius: 25, vpdKpa: expect.closeTo(vaporPressureDeficit(25, 60) ?? 0, 2) },
      { on: '2026-02-20', co2Ppm: 900, vpdKpa: null },
    ])
  })

  it('can be listed reading by reading and exported as a file', async () => {
    const [a, b] = [await began({ sensorName: '=Tent' }), await began({ sensorName: 'B' })]
    await add(a.id, minutes(3))
    await add(b.id, minutes(3))
    const all: ClimateReading[] = []
    for (let url: string | null = path('/readings?limit=4'); url; ) {
      const answer = await test.request('GET', url, viewer)
      all.push(...(answer.json() as ClimateReading[]))
      url = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1] ?? null
    }
    expect(all).toHaveLength(6)
    expect(new Set(all.map(({ at, sensorId }) => at + sensorId)).size).toBe(6)
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .sort()
        .reverse(),
    )
    expect((await test.request('GET', path(`/readings?sensorId=${b.sensor.id}`), viewer)).json()).toHaveLength(3)
    expect((await test.request('GET', path(`/readings?sensorId=${newId()}`), viewer)).statusCode).toBe(400)
    const consume = vi.spyOn(test.ctx.rateLimiter, 'consume')
    const file = await test.request('GET', path('.csv'), viewer)
    expect(consume.mock.calls.map(([limit]) => limit)).toEqual(['drawing'])
    consume.mockRestore()
    const lines = file.body.trim().split('\r\n')
    expect(lines).toHaveLength(7)
    const ofOne = (await test.request('GET', path(`.csv?sensorId=${b.sensor.id}`), viewer)).body.trim().split('\r\n')
    expect(ofOne).toEqual([lines[0], ...lines.filter((line) => line.includes(b.sensor.name))])
    expect(ofOne).toHaveLength(4)
    expect(lines.find((line) => line.includes('Tent'))).toMatch(/^2026-03-01T00:0\d:00\.000Z,'=Tent,2\d,5\d,,,\d\.\d+$/)
  })
})

describe('a target', () => {
  it('is set, changed, and removed', async () => {
    const put = (stage: string, measure: string, band: object, as = owner) =>
      test.request('PUT', path(`/targets/${stage}/${measure}`), as, band)
    await put('flower', 'vpdKpa', { low: 1.2, high: 1.8 })
    await put('vegetative', 'vpdKpa', { low: 0.8, high: 1.4 }, writer)
    const changed = (await put('vegetative', 'vpdKpa', { low: 0.8, high: 1.3 })).json() as ClimateTarget[]
    expect(changed).toEqual([
      { stage: 'vegetative', measure: 'vpdKpa', low: 0.8, high: 1.3 },
      { stage: 'flower', measure: 'vpdKpa', low: 1.2, high: 1.8 },
    ])
    expect((await put('flower', 'vpdKpa', { low: 2, high: 1 })).statusCode).toBe(400)
    expect((await put('flower', 'wind', { low: 1, high: 2 })).statusCode).toBe(404)
    const rest = await test.request('DELETE', path('/targets/vegetative/vpdKpa'), owner)
    expect(rest.json()).toHaveLength(1)
    expect((await test.request('GET', path('/targets'), viewer)).json()).toEqual(rest.json())
  })
})

describe('access', () => {
  it('depends on the person’s share: to view, to write, or none', async () => {
    const { id } = await began()
    const calls = [
      ['GET', path(), 'view'],
      ['GET', path('/readings'), 'view'],
      ['GET', path('/targets'), 'view'],
      ['GET', path('/imports'), 'view'],
      ['GET', path('.csv'), 'view'],
      ['PUT', path('/targets/flower/vpdKpa'), 'write', { low: 1, high: 2 }],
      ['DELETE', path('/targets/flower/vpdKpa'), 'write'],
      ['POST', path('/imports'), 'write', named],
      ['POST', `/api/climate-imports/${id}/readings`, 'write', minutes(1)],
      ['DELETE', `/api/climate-imports/${id}`, 'write'],
    ] as const
    const missing = (await test.request('DELETE', `/api/climate-imports/${newId()}`, stranger)).body
    for (const [method, url, wanted, body] of calls) {
      const answerTo = (as: TestPerson | null) => test.request(method, url, as, body)
      const strangers = await answerTo(stranger)
      expect(strangers.statusCode, `${method} ${url}`).toBe(404)
      if (url.includes(id)) expect(strangers.body).toBe(missing)
      expect((await answerTo(null)).statusCode, `${method} ${url}`).toBe(401)
      expect((await answerTo(viewer)).statusCode, `${method} ${url}`).toBe(wanted === 'view' ? 200 : 403)
      expect((await answerTo(writer)).statusCode, `${method} ${url}`).toBeLessThan(300)
    }
  })
})
