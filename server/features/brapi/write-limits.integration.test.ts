import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { maxLabResultsAtOnce, maxTraitOptions } from '#contracts/limits.ts'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, addPlants, shareHunt } from '#tests/support/hunts.ts'
import { asKey, makePersonKey } from '#tests/support/keys.ts'
import { pictureWithSecrets } from '#tests/support/pictures.ts'
import { stallBody } from '#tests/support/stalled-body.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

/** Oversized bodies and pictures must be refused before they use memory. */

let test: TestApp
let owner: TestPerson
let key: string
let huntId: string
let plantId: string

const base = '/api/brapi/v2'

beforeAll(async () => {
  test = await startTestApp({ startsAt: new Date('2026-12-01T12:00:00Z') })
  owner = await test.signUp()
  key = (await makePersonKey(test, owner)).secret
})
afterAll(() => test?.close())
beforeEach(async () => {
  huntId = (await addHunt(test.db, owner.user.id)).id
  plantId = ((await addPlants(test.db, huntId, 1))[0] as { id: string }).id
})

const post = (service: string, payload: object) => asKey(test, key, { method: 'POST', url: `${base}/${service}`, payload })
const refusal = async (service: string, payload: object) => {
  const { statusCode, body } = await post(service, payload)
  return [statusCode, body]
}
const labels = (count: number) => Array.from({ length: count }, (_, i) => `l${i}`)
const variable = (categories: readonly string[], mustNot: readonly string[]) => ({
  ...{ observationVariableName: 'Smell', trait: { traitName: 'Smell' }, method: { methodName: 'Nose' } },
  scale: { scaleName: 'Smell', dataType: 'Nominal', validValues: { categories: categories.map((label) => ({ value: label, label })) } },
  additionalInfo: { trialDbId: huntId, mustNot: mustNot.join(':') },
})
async function addTrait(kind: 'checks' | 'photo', count = 0): Promise<string> {
  const id = newId()
  const options = JSON.stringify(labels(count).map((label, value) => ({ value, label })))
  await test.db.insertInto('traits').values({ id, hunt_id: huntId, name: 'Smell', kind, options }).execute()
  return id
}

it('refuses more options for a variable or its must than a trait can have', async () => {
  const many = labels(20_000)
  const repeated = Array.from({ length: 20_000 }, () => many.at(-1) as string)
  expect(await refusal('variables', [variable(many, repeated)])).toEqual([
    400,
    `scale.validValues.categories can have up to ${maxTraitOptions} entries.`,
  ])
  const few = labels(maxTraitOptions)
  expect(await refusal('variables', [variable(few, [...few, 'l0'])])).toEqual([400, `mustNot can have up to ${maxTraitOptions} entries.`])
  expect((await post('variables', [variable(few, few.slice(1))])).statusCode).toBe(200)
})

it('refuses a value with more options than a trait can have', async () => {
  const traitId = await addTrait('checks', maxTraitOptions)
  const value = (codes: readonly string[]) => [
    {
      observationUnitDbId: plantId,
      observationVariableDbId: traitId,
      observationTimeStamp: '2026-03-01T12:00:00Z',
      value: codes.join(':'),
    },
  ]
  const all = labels(maxTraitOptions)
  expect(await refusal('observations', value([...all, 'l0']))).toEqual([400, `Row 1: value can have up to ${maxTraitOptions} options.`])
  expect((await post('observations', value(all))).statusCode).toBe(200)
})

it('refuses a sample with more results than the app records in one call', async () => {
  const results = Object.fromEntries(labels(maxLabResultsAtOnce + 1).map((name) => [`${name} (%)`, '1']))
  const sample = { observationUnitDbId: plantId, sampleTimestamp: '2026-04-01', additionalInfo: results }
  expect(await refusal('samples', [sample])).toEqual([400, `A sample can have up to ${maxLabResultsAtOnce} results.`])
})

it('refuses a search with more values than a page has entries, and names only a few ignored filters', async () => {
  const ids = Array.from({ length: 1001 }, () => newId())
  expect(await refusal('search/studies', { studyDbIds: ids })).toEqual([400, 'studyDbIds can have up to 1,000 values'])
  const unknown = Object.fromEntries(labels(500).map((name) => [name, 'x']))
  const answer = await post('search/studies', { ...unknown, studyDbIds: [huntId] })
  const { metadata, result } = answer.json() as { metadata: { status: object[] }; result: { data: object[] } }
  expect([metadata.status.length, result.data.length]).toEqual([20, 1])
})

async function announce(): Promise<string> {
  await addTrait('photo')
  const answer = await post('images', [{ imageName: 'Bud', observationUnitDbId: plantId, imageTimeStamp: '2026-11-20T17:04:05Z' }])
  return (answer.json() as { result: { data: { imageDbId: string }[] } }).result.data[0]?.imageDbId as string
}
const upload = async (id: string, secret = key) =>
  asKey(test, secret, {
    ...{ method: 'PUT', url: `${base}/images/${id}/imagecontent` },
    ...{ payload: await pictureWithSecrets('jpeg'), headers: { 'content-type': 'image/jpeg' } },
  })

/** Announces a picture's bytes but sends none. */
const stall = (id: string, secret: string) => {
  const headers = { 'content-type': 'image/jpeg', authorization: `Bearer ${secret}` }
  return stallBody(test, 'PUT', `${base}/images/${id}/imagecontent`, headers)
}

it('refuses an unannounced picture before reading its bytes', async () => {
  const { status, end } = await stall('none', key)
  expect(await status).toBe(404)
  end()
})

it('doesn’t let one person’s slow pictures delay other people’s', async () => {
  const member = await test.signUp()
  await shareHunt(test.db, huntId, member.user.id, 'write')
  const { secret } = await makePersonKey(test, member)
  const id = await announce()
  const slow: Awaited<ReturnType<typeof stall>>[] = []
  try {
    // Two are read, eight wait, and one is too many.
    for (let i = 0; i < 11; i++) slow.push(await stall(id, secret))
    expect(await slow.at(-1)?.status).toBe(503)
    expect((await upload(id)).statusCode).toBe(200)
  } finally {
    for (const { end } of slow) end()
  }
})

it('refuses pictures from a person with too many unfinished uploads', async () => {
  const id = await announce()
  const picture = { owner_id: owner.user.id, kind: 'image' as const, status: 'processing' as const, byte_size: 1 }
  const ids = Array.from({ length: 50 }, () => newId())
  await test.db
    .insertInto('media')
    .values(ids.map((each) => ({ ...picture, id: each })))
    .execute()
  const refused = await upload(id)
  expect([refused.statusCode, refused.body]).toEqual([
    409,
    '50 of your pictures and videos aren’t ready yet. Wait for them, or remove some.',
  ])
  await test.db.deleteFrom('media').where('id', 'in', ids).execute()
  expect((await upload(id)).statusCode).toBe(200)
})
