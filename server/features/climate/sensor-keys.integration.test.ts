import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ClimateSensor, SensorKey } from '#contracts/climate.endpoints.ts'
import { sensorExamples } from '#contracts/developer-texts.ts'
import { addHunt, shareHunt } from '#tests/support/hunts.ts'
import { asKey, makePersonKey } from '#tests/support/keys.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { blockPerson } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let member: TestPerson
let viewer: TestPerson
let stranger: TestPerson
let huntId: string
let made: { key: SensorKey; secret: string }

const url = '/api/sensor-readings'
const reading = { temperature: 25.3, humidity: 58 }

beforeAll(async () => {
  test = await startTestApp({ startsAt: new Date('2026-12-01T12:00:00Z') })
  owner = await test.signUp()
  member = await test.signUp()
  viewer = await test.signUp()
  stranger = await test.signUp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  huntId = (await addHunt(test.db, owner.user.id)).id
  await shareHunt(test.db, huntId, member.user.id, 'write')
  await shareHunt(test.db, huntId, viewer.user.id, 'view')
  made = await make()
})

const ask = (by: TestPerson, sensorName = 'Tent A', hunt = huntId) =>
  test.request('POST', `/api/pheno-hunts/${hunt}/sensor-keys`, by, { sensorName })
async function make(by = owner, name = 'Tent A', hunt = huntId): Promise<typeof made> {
  const answer = await ask(by, name, hunt)
  if (answer.statusCode !== 201) throw new Error(`The key wasn't created: ${answer.body}`)
  return answer.json() as typeof made
}
const send = (payload: object | string, secret = made.secret) =>
  asKey(test, secret, { method: 'POST', url, payload, headers: { 'content-type': 'application/json' } })
async function sensors(by = viewer): Promise<ClimateSensor[]> {
  const answer = await test.request('GET', `/api/pheno-hunts/${huntId}/climate`, by)
  return (answer.json() as { sensors: ClimateSensor[] }).sensors
}
const listed = (by: TestPerson) => test.request('GET', `/api/pheno-hunts/${huntId}/sensor-keys`, by)

it('shows the key once, and the last reading with its time to everyone who may see the hunt', async () => {
  expect(made.secret).toMatch(/^sgs_[\w-]{43}$/)
  const list = await listed(owner)
  expect(list.json()).toEqual([made.key])
  expect(list.body).not.toContain(made.secret.slice(4, -4))
  const stored = await test.db.selectFrom('sensor_keys').selectAll().where('id', '=', made.key.id).executeTakeFirstOrThrow()
  expect(JSON.stringify(stored)).not.toContain(made.secret.slice(4, -4))
  expect(await sensors()).toMatchObject([{ name: 'Tent A', isLive: true, readingsCount: 0, last: null, lastAt: null }])

  const answer = await send({ ...reading, co2: 900, time: '2026-03-01T08:00:00-07:00' })
  expect([answer.statusCode, answer.json()]).toEqual([200, { added: 1, already: 0 }])
  expect(await sensors()).toMatchObject([
    { readingsCount: 1, lastAt: '2026-03-01T15:00:00.000Z', last: { airCelsius: 25.3, humidityPercent: 58, co2Ppm: 900, vpdKpa: 0.988 } },
  ])
  expect((await listed(owner)).json()).toMatchObject([{ lastUsedAt: expect.stringMatching(/^2026-12-01/) }])
})

it('lets only members with edit access create, list and revoke keys', async () => {
  const { key } = await make(member, 'Tent B')
  expect(key.createdBy?.id).toBe(member.user.id)
  for (const [person, status] of [
    [viewer, 403],
    [stranger, 404],
    [null, 401],
  ] as const) {
    const answers = [
      await test.request('POST', `/api/pheno-hunts/${huntId}/sensor-keys`, person, { sensorName: 'Mine' }),
      await test.request('GET', `/api/pheno-hunts/${huntId}/sensor-keys`, person),
      await test.request('DELETE', `/api/sensor-keys/${made.key.id}`, person),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([status, status, status])
  }
  expect((await test.request('DELETE', `/api/sensor-keys/${made.key.id}`, member)).statusCode).toBe(204)
  expect(((await listed(member)).json() as SensorKey[]).map(({ id }) => id)).toEqual([key.id])
})

it('doesn’t name the key’s creator to an editor separated from them by a block', async () => {
  const { key } = await make(member, 'Tent B')
  const other = await test.signUp()
  await shareHunt(test.db, huntId, other.user.id, 'write')
  await blockPerson(test.db, member.user.id, other.user.id)
  const answer = await listed(other)
  expect(answer.json()).toMatchObject([{ createdBy: { id: owner.user.id } }, { id: key.id, createdBy: null }])
  expect(answer.body).not.toContain(member.user.id)
})

it('allows one key per room', async () => {
  const again = await ask(member)
  expect([again.statusCode, again.json().fields]).toEqual([409, { sensorName: 'This room already has a key' }])
})

it('refuses readings immediately after the key is revoked, and keeps earlier ones', async () => {
  await send(reading)
  await test.request('DELETE', `/api/sensor-keys/${made.key.id}`, owner)
  expect((await send(reading)).statusCode).toBe(401)
  expect(await sensors()).toMatchObject([{ isLive: false, readingsCount: 1 }])
})

it.each([
  ['its first', 0],
  ['another', 1],
])('refuses %s reading if the key is revoked while it arrives', async (_, before) => {
  for (let i = 0; i < before; i++) await send(reading)
  test.clock.advance({ minutes: 1 })
  const sensorId = made.key.sensor.id
  const { answer } = await test.db.transaction().execute(async (tx) => {
    await tx.selectFrom('climate_sensors').select('id').where('id', '=', sensorId).forUpdate().execute()
    const answer = send(reading).then((each) => each)
    await untilWaiting(test.db, { statement: 'climate_sensors' })
    await tx.deleteFrom('sensor_keys').where('id', '=', made.key.id).execute()
    if (before === 0) await tx.deleteFrom('climate_sensors').where('id', '=', sensorId).execute()
    return { answer }
  })
  expect((await answer).statusCode).toBe(401)
  const stored = await test.db.selectFrom('climate_readings').select('read_at').where('sensor_id', '=', sensorId).execute()
  expect(stored).toHaveLength(before)
})

it('removes a room without readings together with its key', async () => {
  await test.request('DELETE', `/api/sensor-keys/${made.key.id}`, owner)
  expect(await sensors()).toEqual([])
})

it('refuses readings while the person who created the key can’t edit the hunt', async () => {
  const { secret } = await make(member, 'Tent B')
  expect((await send(reading, secret)).statusCode).toBe(200)
  await test.db.updateTable('hunt_shares').set({ access: 'view' }).where('user_id', '=', member.user.id).execute()
  expect((await send(reading, secret)).statusCode).toBe(401)
  const until = new Date(test.clock.now().getTime() + 86_400_000)
  await test.db.updateTable('users').set({ suspended_until: until }).where('id', '=', owner.user.id).execute()
  expect((await send(reading)).statusCode).toBe(401)
  await test.db.updateTable('users').set({ suspended_until: null }).where('id', '=', owner.user.id).execute()
  expect((await send(reading)).statusCode).toBe(200)
})

it('adds readings only to its own room', async () => {
  const other = (await addHunt(test.db, owner.user.id)).id
  const { secret } = await make(owner, 'Tent A', other)
  await send(reading, secret)
  expect(await sensors()).toMatchObject([{ readingsCount: 0 }])
  const answer = await test.request('GET', `/api/pheno-hunts/${other}/climate`, owner)
  expect(answer.json().sensors).toMatchObject([{ readingsCount: 1 }])
})

it('refuses sessions, personal keys, and unknown keys, and refuses a sensor key for other calls', async () => {
  const personal = (await makePersonKey(test, owner)).secret
  const withCookie = await test.app.inject({ method: 'POST', url, payload: reading, headers: { cookie: owner.cookie } })
  const answers = [withCookie, await send(reading, personal), await send(reading, `sgs_${'a'.repeat(43)}`)]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401])
  const elsewhere = await Promise.all(
    ['/api/brapi/v2/trials', `/api/pheno-hunts/${huntId}/climate`, '/api/integrations/menu'].map((each) =>
      asKey(test, made.secret, { url: each }),
    ),
  )
  expect(elsewhere.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401])
})

it('skips readings for a second that already has one, across calls and within a call', async () => {
  const batch = [
    { ...reading, time: '2026-03-01T12:01:00Z' },
    { ...reading, time: '2026-03-01T12:00:00Z' },
    { ...reading, time: '2026-03-01T12:00:00.400Z', temperature: 30 },
    { ...reading, time: Date.parse('2026-03-01T12:02:00Z') / 1000 },
  ]
  expect((await send(batch)).json()).toEqual({ added: 3, already: 1 })
  expect((await send({ readings: batch })).json()).toEqual({ added: 0, already: 4 })
  expect((await send([batch[0] as object])).json()).toEqual({ added: 0, already: 1 })
  expect(await sensors()).toMatchObject([{ readingsCount: 3, firstAt: '2026-03-01T12:00:00.000Z', lastAt: '2026-03-01T12:02:00.000Z' }])
})

it('lists a month’s readings like an imported file, which can be undone without disconnecting the sensor', async () => {
  await send(reading)
  const imports = await test.request('GET', `/api/pheno-hunts/${huntId}/climate/imports`, owner)
  const [month] = imports.json() as { id: string; fileName: string; readingsCount: number }[]
  expect(month).toMatchObject({ readingsCount: 1, fileName: expect.stringMatching(/^Live readings, [A-Z][a-z]+ \d{4}$/) })
  await test.request('DELETE', `/api/climate-imports/${month?.id}`, owner)
  expect(await sensors()).toMatchObject([{ isLive: true, readingsCount: 0 }])
  expect((await send(reading)).json()).toEqual({ added: 1, already: 0 })
})

it('accepts Fahrenheit, numbers as text, and the placeholders that hubs send for missing values', async () => {
  const answer = await send({ temperature: '77', humidity: '58.0', unit: 'F', co2: 'unavailable', leafTemperature: '', vpd: 'x' })
  expect(answer.json()).toEqual({ added: 1, already: 0 })
  expect(await sensors()).toMatchObject([{ last: { airCelsius: 25, humidityPercent: 58, co2Ppm: null } }])
})

it('refuses all readings if it can’t store some, and explains each error', async () => {
  const fieldsOf = async (body: object | string) => {
    const answer = await send(body)
    expect(answer.statusCode, answer.body).toBe(400)
    return answer.json().fields
  }
  expect(await fieldsOf({ humidity: 58 })).toEqual({ temperature: 'Must be a number' })
  expect(await fieldsOf({ temperature: 'unavailable', humidity: 58 })).toEqual({ temperature: 'Must be a number' })
  expect(await fieldsOf({ temperature: 78, humidity: 58 })).toEqual({
    temperature: 'Must be from −40 to 60 °C. Send "unit": "F" for Fahrenheit.',
  })
  const wrong = [reading, { ...reading, humidity: 101 }]
  expect(await fieldsOf(wrong)).toEqual({ '1.humidity': 'Must be at most 100' })
  expect(await fieldsOf({ ...reading, time: '2026-03-01T12:00:00' })).toEqual({
    time: 'Must be a date and time with a time zone, such as 2026-11-28T17:04:05Z',
  })
  for (const time of [12, 0, -1e13, -1e300, '1999-12-31T23:59:59Z']) {
    expect(await fieldsOf({ ...reading, time })).toEqual({ time: 'This time is too long ago. Check the sensor’s clock.' })
  }
  const tomorrow = new Date(test.clock.now().getTime() + 86_400_000).toISOString()
  expect(await fieldsOf([{ ...reading, time: tomorrow }])).toEqual({
    '0.time': 'This time is in the future. Check the sensor’s clock.',
  })
  expect(await fieldsOf([])).toEqual({ body: 'Send at least one reading' })
  expect(await fieldsOf(Array.from({ length: 501 }, () => reading))).toEqual({ readings: 'Send up to 500 readings at once' })
  expect(await fieldsOf('"warm"')).toBeDefined()
  expect(await sensors()).toMatchObject([{ readingsCount: 0 }])
})

it('refuses a large body, and refuses too many calls by one key before reading their bodies', async () => {
  expect((await send({ ...reading, note: 'x'.repeat(200_000) })).statusCode).toBe(413)
  const strict = await startTestApp({ env: { RATE_LIMIT_SCALE: '0.05' } })
  try {
    const person = await strict.signUp()
    const { id } = await addHunt(strict.db, person.user.id)
    const secrets: string[] = []
    for (const sensorName of ['Tent A', 'Tent B']) {
      const answer = await strict.request('POST', `/api/pheno-hunts/${id}/sensor-keys`, person, { sensorName })
      secrets.push((answer.json() as typeof made).secret)
    }
    const [first, second] = secrets as [string, string]
    const statuses: number[] = []
    for (const secret of [first, first, first, first, second]) {
      const headers = { 'content-type': 'application/json' }
      statuses.push((await asKey(strict, secret, { method: 'POST', url, payload: '{', headers })).statusCode)
    }
    expect(statuses).toEqual([400, 400, 400, 429, 400])
  } finally {
    await strict.close()
  }
})

it('accepts the readings that the examples for developers send', async () => {
  const site = await test.app.listen({ host: '127.0.0.1', port: 0 })
  const run = async (script: string) => {
    const env = { PATH: process.env.PATH ?? '', SITE: site, KEY: made.secret }
    const { stdout } = await promisify(execFile)('sh', ['-c', script.replaceAll('curl "', 'curl -sS --fail-with-body "')], { env })
    return JSON.parse(stdout)
  }
  expect(await run(sensorExamples.one)).toEqual({ added: 1, already: 0 })
  expect(await run(sensorExamples.several)).toEqual({ added: 2, already: 0 })
  const [payload = ''] = /\{ "temperature"[\s\S]*?"unit": "F" \}/.exec(sensorExamples.homeAssistant) ?? []
  const filled = payload.replaceAll(/\{\{ states\('sensor\.tent_(\w+)'\) \}\}/g, (_, name) => (name === 'co2' ? 'unknown' : '70.5'))
  test.clock.advance({ minutes: 1 })
  expect((await send(filled)).json()).toMatchObject({ added: 1 })
  const fields = [...sensorExamples.espHome.matchAll(/root\["(\w+)"\]/g)].map(([, name]) => name as string)
  expect((await send(Object.fromEntries(fields.map((name) => [name, 31.5])))).statusCode).toBe(200)
})
