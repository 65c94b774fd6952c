import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Observation, TraitRecords } from '#contracts/observations.endpoints.ts'
import { traitRecordsOf } from '#contracts/trait-records.ts'
import { newId } from '#server/kernel/ids.ts'
import { findResponseErrors } from '#tests/support/brapi.ts'
import { addHunt, addPlants, shareHunt } from '#tests/support/hunts.ts'
import { asKey, makePersonKey } from '#tests/support/keys.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

type Row = {
  observationDbId: string
  value: string
  externalReferences?: object[]
  observationVariableName: string
  observationTimeStamp: string
}
type Answer = { metadata: { status: { message: string }[] }; result: { data: Row[] } }

let test: TestApp
let owner: TestPerson
let key: string
let huntId: string
let plant: string
let other: string
let traits: Record<'aroma' | 'stretch' | 'pistils' | 'color' | 'notes' | 'height' | 'photo', string>

const path = '/api/brapi/v2/observations'
const day = '2026-03-01T15:04:05Z'

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  key = (await makePersonKey(test, owner)).secret
})
afterAll(() => test?.close())
beforeEach(async () => {
  huntId = (await addHunt(test.db, owner.user.id)).id
  const [first, second] = await addPlants(test.db, huntId, 2)
  plant = first?.id as string
  other = second?.id as string
  const steps = JSON.stringify([
    { value: 1, label: 'weak' },
    { value: 9, label: 'loud' },
  ])
  const options = JSON.stringify([
    { value: 0, label: 'citrus' },
    { value: 1, label: 'gas' },
  ])
  const kinds = {
    aroma: { kind: 'ordinal', options: steps },
    stretch: { kind: 'number' },
    pistils: { kind: 'date' },
    color: { kind: 'category', options },
    notes: { kind: 'checks', options },
    height: { kind: 'number', source: 'log_height' },
    photo: { kind: 'photo' },
  } as const
  const made: Record<string, string> = {}
  for (const [name, trait] of Object.entries(kinds)) {
    made[name] = newId()
    await test.db
      .insertInto('traits')
      .values({ id: made[name], hunt_id: huntId, name, ...trait })
      .execute()
  }
  traits = made as typeof traits
})

const send = (method: 'POST' | 'PUT', payload: object | string, secret = key) =>
  asKey(test, secret, { method, url: path, payload, headers: { 'content-type': 'application/json' } })
const row = (trait: keyof typeof traits, value: string, more: object = {}) => ({
  ...{ observationUnitDbId: plant, observationVariableDbId: traits[trait], observationTimeStamp: day, value },
  ...more,
})
async function answerTo(method: 'POST' | 'PUT', payload: object): Promise<Answer> {
  const answer = await send(method, payload)
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`)
  expect(findResponseErrors('observations', answer.json())).toEqual([])
  return answer.json() as Answer
}
const messagesOf = ({ metadata }: Answer) => metadata.status.map(({ message }) => message)
const stored = () => test.db.selectFrom('observations').selectAll().where('hunt_id', '=', huntId).orderBy('created_at').execute()
const currentValues = async () =>
  ((await asKey(test, key, { url: `${path}?trialDbId=${huntId}` })).json() as Answer).result.data.map(({ value }) => value).sort()

it('records values of every kind except photos and names the person as the observer', async () => {
  const reference = { referenceSource: 'Field Book', referenceId: 'fb-1' }
  const rows = [
    row('aroma', '9', { externalReferences: [reference] }),
    row('stretch', '41.5', { additionalInfo: { note: 'By the tape' } }),
    row('pistils', '2026-02-28T00:00:00Z'),
    row('color', 'gas'),
    row('notes', 'gas:Citrus'),
  ]
  const { result, metadata } = await answerTo('POST', rows)
  expect(metadata.status).toEqual([])
  expect(result.data.map(({ value }) => value)).toEqual(['9', '41.5', '2026-02-28', 'gas', 'citrus:gas'])
  expect(result.data[0]?.externalReferences).toEqual([reference])
  const kept = await stored()
  expect(new Set(kept.map(({ observed_by, observed_on }) => `${observed_by} ${observed_on}`))).toEqual(
    new Set([`${owner.user.id} 2026-03-01`]),
  )
  expect(kept.map(({ note }) => note).filter(Boolean)).toEqual(['By the tape'])
})

it('records a repeated call once, with and without references', async () => {
  const rows = [row('aroma', '9', { externalReferences: [{ referenceSource: 'Field Book', referenceId: 'fb-1' }] }), row('stretch', '40')]
  const first = await answerTo('POST', rows)
  expect(await answerTo('POST', rows)).toEqual(first)
  expect(await stored()).toHaveLength(2)
})

it('assigns a time with an offset to the local day of the observation', async () => {
  const { result } = await answerTo('POST', [row('stretch', '40', { observationTimeStamp: '2026-03-01T23:30:00-07:00' })])
  expect(result.data[0]?.observationTimeStamp).toBe('2026-03-01T12:00:00Z')
})

it('refuses a note that can’t be stored', async () => {
  const answer = await send('POST', [row('stretch', '4', { additionalInfo: { note: 'tall\0' } }), row('stretch', '5')])
  expect(answer.statusCode).toBe(200)
  expect(messagesOf(answer.json() as Answer)).toEqual([expect.stringMatching(/^Row 1: additionalInfo\.note: /)])
  expect((await stored()).map(({ value_number }) => value_number)).toEqual([5])
})

it('refuses days that don’t exist', async () => {
  for (const wrong of ['2026-02-30', '0000-01-01', 'June 30, 2026']) {
    const times = await send('POST', [row('stretch', '4', { observationTimeStamp: wrong })])
    expect([times.statusCode, times.body]).toEqual([400, 'Row 1: observationTimeStamp must be a time such as 2026-06-30T12:00:00Z.'])
    const values = await send('POST', [row('pistils', wrong)])
    expect([values.statusCode, values.body]).toEqual([400, 'Row 1: value must be a day such as 2026-06-30.'])
    const url = `${path}?observationTimeStampRangeStart=${encodeURIComponent(wrong)}`
    expect((await asKey(test, key, { url })).statusCode).toBe(400)
    const image = `/api/brapi/v2/images/${[newId(), plant, traits.photo, wrong].map(encodeURIComponent).join('.')}/imagecontent`
    const picture = { payload: 'x', headers: { 'content-type': 'image/jpeg' } }
    expect((await asKey(test, key, { method: 'PUT', url: image, ...picture })).statusCode).toBe(404)
  }
})

it('records the valid rows and explains each error', async () => {
  const rows = [
    row('stretch', 'tall'),
    row('stretch', '40'),
    row('aroma', '5'),
    row('color', 'gas', { observationUnitDbId: newId() }),
    row('color', 'gas', { observationVariableDbId: newId() }),
    row('height', '30'),
    row('stretch', '41', { observationTimeStamp: '2199-01-01T00:00:00Z' }),
    row('photo', 'https://example.com/photo.jpg'),
    row('stretch', ''),
    row('stretch', '42', { observationTimeStamp: 'yesterday' }),
  ]
  const answer = await answerTo('POST', rows)
  expect(answer.result.data.map(({ value }) => value)).toEqual(['40'])
  expect(messagesOf(answer).sort()).toEqual(
    [
      'Row 1: value must be a number, such as 41.5.',
      'Row 3: value must be one of 1, 9.',
      'Row 4: observationUnitDbId must be a plant in a hunt that you can edit.',
      'Row 5: observationVariableDbId must be a variable in the same trial as the plant.',
      'Row 6: This trait’s values come from logs, harvests or labs. Enter them there',
      'Row 7: This day is in the future',
      'Row 8: Send photos to /images instead.',
      'Row 9: value is missing.',
      'Row 10: observationTimeStamp must be a time such as 2026-06-30T12:00:00Z.',
    ].sort(),
  )
  expect(await currentValues()).toEqual(['40'])
})

it('refuses a call without a valid row, with a plain-text error', async () => {
  const answer = await send('POST', [row('stretch', 'tall'), row('aroma', '5')])
  expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([
    400,
    'text/plain; charset=utf-8',
    'Row 1: value must be a number, such as 41.5.\nRow 2: value must be one of 1, 9.',
  ])
})

it('refuses a different value under the same reference, and saves the call’s other rows', async () => {
  const externalReferences = [{ referenceSource: 'Field Book', referenceId: 'fb-1' }]
  const [made] = (await answerTo('POST', [row('aroma', '9', { externalReferences })])).result.data
  const answer = await answerTo('POST', [row('aroma', '1', { externalReferences }), row('stretch', '40')])
  expect(messagesOf(answer)).toEqual([
    `Row 1: This was recorded before with a different value, day or note. To change it, send PUT with its observationDbId, ${made?.observationDbId}.`,
  ])
  expect(await currentValues()).toEqual(['40', '9'])
})

it('corrects whether a value was scored blind even if nothing else changes', async () => {
  const [made] = (await answerTo('POST', [row('aroma', '9')])).result.data
  const id = made?.observationDbId as string
  await answerTo('PUT', { [id]: row('aroma', '9', { additionalInfo: { isBlind: 'true' } }) })
  expect((await stored()).map(({ value_number, is_current, is_blind }) => [value_number, is_current, is_blind])).toEqual([
    [9, false, false],
    [9, true, true],
  ])
})

it('corrects a value, keeps the history, and follows an old ID to the current value', async () => {
  const [made] = (await answerTo('POST', [row('aroma', '1')])).result.data
  const id = made?.observationDbId as string
  const [changed] = (await answerTo('PUT', { [id]: row('aroma', '9') })).result.data
  expect(changed?.value).toBe('9')
  expect((await answerTo('PUT', { [id]: row('aroma', '9') })).result.data).toEqual([changed])
  await answerTo('PUT', { [id]: row('aroma', 'weak') })
  expect(await currentValues()).toEqual(['1'])
  const rows = await stored()
  expect(rows.map(({ value_number, is_current }) => [value_number, is_current])).toEqual([
    [1, false],
    [9, false],
    [1, true],
  ])
})

it('withdraws a value that is sent empty', async () => {
  const { result } = await answerTo('POST', [row('aroma', '1'), row('stretch', '40')])
  const ids = result.data.map(({ observationDbId }) => observationDbId)
  await answerTo('PUT', { [ids[0] as string]: row('aroma', '') })
  expect(await currentValues()).toEqual(['40'])
})

it('names the current observation if a call is repeated after its value was corrected or withdrawn', async () => {
  const externalReferences = [{ referenceSource: 'Field Book', referenceId: 'fb-1' }]
  const rows = [row('aroma', '1', { externalReferences }), row('stretch', '40')]
  const [made] = (await answerTo('POST', rows)).result.data
  const [changed] = (await answerTo('PUT', { [made?.observationDbId as string]: row('aroma', '9') })).result.data
  const again = await answerTo('POST', rows)
  expect(again.result.data.map(({ observationDbId, value }) => [observationDbId, value])).toEqual([
    [changed?.observationDbId, '9'],
    [expect.any(String), '40'],
  ])
  expect(again.result.data[0]?.externalReferences).toEqual(externalReferences)
  expect(messagesOf(again)).toEqual(['Row 1: This was recorded before and has been corrected since. To change it, send PUT.'])

  const withdrawal = { [made?.observationDbId as string]: row('aroma', '') }
  const [withdrawn] = (await answerTo('PUT', withdrawal)).result.data
  expect(withdrawn).toMatchObject({ observationDbId: expect.any(String), observationUnitDbId: plant, value: '' })
  expect((await answerTo('PUT', withdrawal)).result.data).toEqual([withdrawn])
  expect((await answerTo('POST', rows)).result.data[0]).toEqual({ ...withdrawn, externalReferences })
  expect(await currentValues()).toEqual(['40'])
  await answerTo('PUT', { [withdrawn?.observationDbId as string]: row('aroma', '1') })
  expect(await currentValues()).toEqual(['1', '40'])
})

it('doesn’t move a value to another plant', async () => {
  const [made] = (await answerTo('POST', [row('aroma', '1')])).result.data
  const answer = await send('PUT', { [made?.observationDbId as string]: row('aroma', '1', { observationUnitDbId: other }) })
  expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('is for a different plant or variable')])
})

it('requires a key with the write scope and a share that allows editing', async () => {
  const reading = (await makePersonKey(test, owner, { name: `Reads ${newId()}`, scopes: ['hunts:read'] })).secret
  expect((await send('POST', [row('aroma', '1')], reading)).statusCode).toBe(403)
  const helper = await test.signUp()
  const theirs = (await makePersonKey(test, helper)).secret
  await shareHunt(test.db, huntId, helper.user.id, 'view')
  expect((await send('POST', [row('aroma', '1')], theirs)).statusCode).toBe(400)
  await test.db.updateTable('hunt_shares').set({ access: 'write' }).where('user_id', '=', helper.user.id).execute()
  expect((await send('POST', [row('aroma', '1')], theirs)).statusCode).toBe(200)
  expect((await stored()).map(({ observed_by }) => observed_by)).toEqual([helper.user.id])
})

it('checks the key before it reads a body', async () => {
  expect((await send('POST', '{', 'sgp_none')).statusCode).toBe(401)
  expect((await send('POST', '{')).statusCode).toBe(400)
  expect((await send('POST', JSON.stringify(Array.from({ length: 1001 }, () => row('aroma', '1'))))).statusCode).toBe(400)
  expect((await send('POST', { observationUnitDbId: plant })).statusCode).toBe(400)
})

it('limits all keys of a person together, before a body is read', async () => {
  const limited = await startTestApp({ env: { RATE_LIMIT_SCALE: '0.2' } })
  try {
    const person = await limited.signUp()
    const [first, second] = [await makePersonKey(limited, person), await makePersonKey(limited, person, { name: 'Other' })]
    const sendAs = (secret: string, payload: string) =>
      asKey(limited, secret, { method: 'POST', url: path, payload, headers: { 'content-type': 'application/json' } })
    for (let i = 0; i < 48; i++) expect((await sendAs(first.secret, '[]')).statusCode).toBe(400)
    // Broken JSON would be refused with 400 if it were read.
    const refused = await sendAs(second.secret, '{')
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
    expect((await asKey(limited, second.secret, { url: path })).statusCode).toBe(200)
  } finally {
    await limited.close()
  }
})

it('keeps values of one day in the order they were sent, although IDs derived from references aren’t chronological', async () => {
  const values = Array.from({ length: 8 }, (_, i) => String(i + 1))
  const reference = (referenceId: string) => ({ externalReferences: [{ referenceSource: 'Test', referenceId }] })
  const sent = await send(
    'POST',
    values.map((value) => row('stretch', value, reference(`value-${value}`))),
  )
  expect(sent.statusCode, sent.body).toBe(200)
  const read = await asKey(test, key, { method: 'GET', url: `${path}?observationUnitDbId=${plant}` })
  expect((read.json() as Answer).result.data.map(({ value }) => value)).toEqual(values)

  const numbers = values.map(Number).reverse()
  const records = (await test.request('GET', `/api/pheno-hunts/${huntId}/trait-records`, owner)).json() as TraitRecords
  expect(traitRecordsOf(records).map(({ number }) => number)).toEqual(numbers)
  const listed: number[] = []
  let url: string | null = `/api/pheno-hunts/${huntId}/observations?limit=3`
  while (url) {
    const page: LightMyRequestResponse = await test.request('GET', url, owner)
    listed.push(...(page.json() as Observation[]).map(({ number }) => number ?? Number.NaN))
    url = /<([^>]+)>; rel="next"/.exec(String(page.headers.link ?? ''))?.[1] ?? null
  }
  expect(listed).toEqual(numbers)
})

it('stamps a call’s values with the time they were saved, those of the same day a millisecond apart', async () => {
  const days = Array.from({ length: 28 }, (_, i) => `2026-02-${String(i + 1).padStart(2, '0')}`)
  const single = '2026-03-01'
  const of = (observationTimeStamp: string, value: string) => {
    const externalReferences = [{ referenceSource: 'Test', referenceId: `${observationTimeStamp} ${value}` }]
    return row('stretch', value, { observationTimeStamp, externalReferences })
  }
  const rows = ['7', '8'].flatMap((value) => days.map((day) => of(day, value)))
  const sent = await send('POST', [...rows, of(single, '7')])
  expect(sent.statusCode, sent.body).toBe(200)
  const recorded = await stored()
  const times = recorded.map(({ created_at }) => created_at.getTime())
  expect(times).toHaveLength(57)
  const saved = recorded.find(({ observed_on }) => observed_on === single)?.created_at.getTime()
  expect([Math.min(...times), Math.max(...times)]).toEqual([(saved ?? 0) - 1, saved])
})
