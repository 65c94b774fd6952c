import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, addPlants, shareHunt } from '#tests/support/hunts.ts'
import { asKey, makePersonKey } from '#tests/support/keys.ts'
import { pictureWithSecrets } from '#tests/support/pictures.ts'
import { statementsOf } from '#tests/support/statements.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let key: string

beforeAll(async () => {
  test = await startTestApp({ startsAt: new Date('2026-12-01T12:00:00Z') })
  owner = await test.signUp()
  key = (await makePersonKey(test, owner)).secret
})
afterAll(() => test?.close())

const url = '/api/brapi/v2/images'
const image = (plantId: string) => ({ imageName: 'Bud', observationUnitDbId: plantId, imageTimeStamp: '2026-11-20T17:04:05Z' })
const announce = (plantIds: readonly string[]) => asKey(test, key, { method: 'POST', url, payload: plantIds.map(image) })

/** The IDs under which pictures of these plants are expected. */
async function announced(plantIds: readonly string[]): Promise<string[]> {
  const answer = await announce(plantIds)
  expect(answer.statusCode, answer.body).toBe(200)
  const { result } = answer.json() as { result: { data: { imageDbId: string }[] } }
  return result.data.map(({ imageDbId }) => imageDbId)
}

async function huntWithPlants(count: number, ownerId = owner.user.id) {
  const { id } = await addHunt(test.db, ownerId)
  const plants = await addPlants(test.db, id, count)
  const traitId = newId()
  await test.db.insertInto('traits').values({ id: traitId, hunt_id: id, name: 'Photo', kind: 'photo' }).execute()
  return { id, traitId, plantIds: plants.map((plant) => plant.id) }
}

it('announces pictures of several hunts with no more statements than a single picture', async () => {
  const [first, second] = [await huntWithPlants(3), await huntWithPlants(2)]
  const plantIds = [...first.plantIds, ...second.plantIds]
  const traitIds = (await announced(plantIds)).map((id) => id.split('.')[2])
  expect(traitIds).toEqual([...first.plantIds.map(() => first.traitId), ...second.plantIds.map(() => second.traitId)])
  const one = await statementsOf(() => announced(plantIds.slice(0, 1)))
  expect(await statementsOf(() => announced(plantIds))).toEqual(one)
})

it('names the first row whose plant isn’t in a hunt that the person can edit', async () => {
  const { plantIds } = await huntWithPlants(1)
  const shared = await huntWithPlants(1, (await test.signUp()).user.id)
  await shareHunt(test.db, shared.id, owner.user.id, 'view')
  for (const wrong of [...shared.plantIds, newId(), 'none']) {
    const answer = await announce([...plantIds, wrong, 'none'])
    expect([answer.statusCode, answer.body]).toEqual([
      400,
      'Nothing was written. Row 2: observationUnitDbId must be the ID of a plant that you can edit.',
    ])
  }
})

it('reads the person’s hunts once for a picture', async () => {
  const { plantIds } = await huntWithPlants(1)
  const [id] = await announced(plantIds)
  const payload = await pictureWithSecrets('jpeg')
  const upload = { method: 'PUT' as const, url: `${url}/${id}/imagecontent`, payload, headers: { 'content-type': 'image/jpeg' } }
  const statements = await statementsOf(async () => {
    expect((await asKey(test, key, upload)).statusCode).toBe(200)
  })
  expect(statements.filter((text) => text.includes('union all select hunt_id from hunt_shares'))).toHaveLength(1)
})
