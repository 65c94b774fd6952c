import { afterAll, beforeAll, expect, it } from 'vitest'
import type { KeptPheno } from '#contracts/plants.endpoints.ts'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, addPlants, shareHunt } from '#tests/support/hunts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let friend: TestPerson
let stranger: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  friend = await test.signUp()
  stranger = await test.signUp()
})
afterAll(() => test?.close())

const list = async (as: TestPerson, query = '') => {
  const answer = await test.request('GET', `/api/kept-phenos${query}`, as)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json() as KeptPheno[]
}

it('lists keepers and mothers from the person’s own and shared hunts, and no one else’s', async () => {
  const [first, second, foreign] = [
    await addHunt(test.db, owner.user.id, { hunt_name: 'First', germination_date: '2025-09-01' }),
    await addHunt(test.db, friend.user.id, { hunt_name: 'Shared' }),
    await addHunt(test.db, stranger.user.id, { hunt_name: 'Public', visibility: 'public', published_at: new Date() }),
  ]
  const own = await addPlants(test.db, first.id, 4)
  const shared = await addPlants(test.db, second.id, 1)
  const others = await addPlants(test.db, foreign.id, 1)
  await shareHunt(test.db, second.id, owner.user.id, 'view')
  const at = (i: number) => own[i] as (typeof own)[number]
  const stand = (genotypeId: string | undefined, standing: 'keep' | 'breed' | 'cull') =>
    test.db
      .updateTable('genotypes')
      .set({ standing })
      .where('id', '=', genotypeId ?? '')
      .execute()
  await stand(at(0).genotypeId, 'keep')
  await stand(at(1).genotypeId, 'cull')
  await stand(shared[0]?.genotypeId, 'breed')
  await stand(others[0]?.genotypeId, 'keep')
  const cut = { cuts: [{ genotypeId: at(2).genotypeId, fromPlantId: at(2).id, count: 2 }], cutOn: '2026-02-01', rootedOn: '2026-02-12' }
  const clones = (await test.request('POST', `/api/pheno-hunts/${first.id}/clones`, owner, cut)).json() as { plants: { id: string }[] }
  const change = (body: object) => test.request('PATCH', `/api/pheno-hunts/${first.id}/plants`, owner, body)
  expect((await change({ plantIds: [clones.plants[1]?.id], isMother: true })).statusCode).toBe(200)
  await test.db.updateTable('plants').set({ ended_on: '2026-03-01', ended_how: 'died' }).where('id', '=', at(2).id).execute()

  const all = await list(owner)
  expect(all.map(({ huntName, number }) => `${huntName} #${number}`)).toEqual(['Shared #1', 'First #3', 'First #1'])
  expect(all[0]).toMatchObject({ standing: 'breed', huntOwner: { id: friend.user.id } })
  expect(all[1]).toMatchObject({
    ...{ standing: null, huntOwner: null, livingCopies: 2, motherCopies: [2], startedOn: '2025-09-01', lastCutOn: '2026-02-01' },
  })
  expect(all[2]).toMatchObject({ standing: 'keep', livingCopies: 1, motherCopies: [], lastCutOn: null })
  const answer = await test.request('GET', '/api/kept-phenos?limit=2', owner)
  const next = /<([^>]+)>; rel="next"/.exec(String(answer.headers.link))?.[1] ?? ''
  expect(((await test.request('GET', next, owner)).json() as KeptPheno[]).map(({ number }) => number)).toEqual([1])

  const backUp = (as: TestPerson, genotypeId: string | undefined, backupHolder: string) =>
    test.request('PUT', `/api/genotypes/${genotypeId}/backup-holder`, as, { backupHolder })
  expect((await backUp(owner, at(0).genotypeId, 'Ada, Boulder')).statusCode).toBe(204)
  expect((await backUp(owner, shared[0]?.genotypeId, 'Ada')).statusCode).toBe(403)
  expect((await backUp(friend, shared[0]?.genotypeId, 'Grace')).statusCode).toBe(204)
  expect((await backUp(stranger, at(0).genotypeId, 'Ada')).statusCode).toBe(404)
  // People who can only view a hunt must not learn who else has the plant.
  expect((await list(owner)).map(({ backupHolder, canEdit }) => [backupHolder, canEdit])).toEqual([
    ['', false],
    ['', true],
    ['Ada, Boulder', true],
  ])
  expect((await list(friend))[0]).toMatchObject({ backupHolder: 'Grace', canEdit: true })
  expect((await backUp(owner, at(0).genotypeId, '')).statusCode).toBe(204)
  expect((await list(owner))[2]?.backupHolder).toBe('')

  expect((await list(friend)).map(({ huntName }) => huntName)).toEqual(['Shared'])
  await test.db.deleteFrom('hunt_shares').execute()
  expect((await list(owner)).map(({ huntName }) => huntName)).toEqual(['First', 'First'])
  expect((await test.request('GET', '/api/kept-phenos', null)).statusCode).toBe(401)
})

it('lists the newest phenos first, whatever their IDs', async () => {
  const person = await test.signUp()
  const { id: hunt_id } = await addHunt(test.db, person.user.id)
  const kept = { hunt_id, standing: 'keep' as const }
  await test.db
    .insertInto('genotypes')
    .values([
      { ...kept, id: 'ffffffff-ffff-8fff-bfff-ffffffffffff', number: 1, created_at: new Date('2026-01-01') },
      { ...kept, id: newId(), number: 2, created_at: new Date('2026-01-02') },
    ])
    .execute()
  const answer = await test.request('GET', '/api/kept-phenos?limit=1', person)
  const next = /<([^>]+)>; rel="next"/.exec(String(answer.headers.link))?.[1]?.split('?')[1]
  expect([...answer.json(), ...(await list(person, `?${next}`))].map(({ number }: KeptPheno) => number)).toEqual([2, 1])
})
