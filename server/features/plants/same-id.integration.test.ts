import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, addPlants } from '#tests/support/hunts.ts'
import { messagesOf } from '#tests/support/messages.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let friends: TestPerson[]

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  friends = [await test.signUp(), await test.signUp()]
})
afterAll(() => test?.close())

type Place = { hunt: string; trait: string; plants: string[]; genotype: string; conversation: string }

const calls: Record<string, (place: Place, id: string) => [url: string, body: object]> = {
  trait: ({ hunt }, id) => [`/api/pheno-hunts/${hunt}/traits`, { id, name: 'Vigor', kind: 'number' }],
  panel: ({ hunt, trait, plants }, id) => [
    `/api/pheno-hunts/${hunt}/blind-panels`,
    { id, name: 'Cup', traitIds: [trait], jars: plants.map((plantId) => ({ plantId })), cardsPerJar: 1 },
  ],
  'seed lot': ({ hunt }, id) => [`/api/pheno-hunts/${hunt}/seed-lots`, { id, name: 'Lot' }],
  run: ({ hunt }, id) => [`/api/pheno-hunts/${hunt}/runs`, { id, name: 'Run' }],
  decision: ({ hunt, genotype }, id) => [
    `/api/pheno-hunts/${hunt}/decisions`,
    { decisions: [{ id, genotypeId: genotype }], kind: 'keep', reason: 'Frosty' },
  ],
  message: ({ conversation }, id) => [`/api/conversations/${conversation}/messages`, { id, content: 'Hello' }],
}

describe.each(Object.entries(calls))('the same ID for a %s in two places at the same time', (_what, call) => {
  it('is stored once, and the other request fails because the ID is taken', async () => {
    for (let round = 0; round < 8; round++) {
      const places = await Promise.all(friends.map(addPlace))
      const id = newId()
      const answers = await Promise.all(
        places.map((place) => {
          const [url, body] = call(place, id)
          return test.request('POST', url, owner, body)
        }),
      )
      const codes = answers.map(({ statusCode, body }) => (statusCode < 300 ? 'written' : (JSON.parse(body) as { code: string }).code))
      expect(codes.sort(), answers.map(({ body }) => body).join('\n')).toEqual(['conflict', 'written'])
    }
  })
})

async function addPlace(friend: TestPerson): Promise<Place> {
  const { id: hunt } = await addHunt(test.db, owner.user.id)
  const plants = await addPlants(test.db, hunt, 2)
  const trait = newId()
  await test.db.insertInto('traits').values({ id: trait, hunt_id: hunt, name: 'Resin', kind: 'number' }).execute()
  const conversation = await messagesOf(test).between(owner, friend)
  return { hunt, trait, conversation, plants: plants.map(({ id }) => id), genotype: plants[0]?.genotypeId ?? '' }
}
