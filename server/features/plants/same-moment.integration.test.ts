import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, addPlants } from '#tests/support/hunts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let people: TestPerson[]

beforeAll(async () => {
  test = await startTestApp()
  people = [await test.signUp(), await test.signUp()]
})
afterAll(() => test?.close())

describe('one ID in two hunts at the same moment', () => {
  it.each<[string, (genotypeId: string) => object]>([
    ['runs', () => ({ name: 'Tent' })],
    ['seed-lots', () => ({ mother: 'Haze' })],
    ['traits', () => ({ name: 'Vigor', kind: 'number' })],
    ['decisions', (genotypeId) => ({ kind: 'keep', genotypeId })],
  ])('is stored in one hunt and refused in the other: %s', async (what, bodyOf) => {
    for (let round = 0; round < 5; round++) {
      const id = newId()
      const sent = people.map(async (person) => {
        const hunt = await addHunt(test.db, person.user.id)
        const [plant] = await addPlants(test.db, hunt.id, 1)
        const { kind, genotypeId, ...body } = bodyOf(plant?.genotypeId as string) as { kind?: string; genotypeId?: string }
        const given = genotypeId ? { kind, decisions: [{ id, genotypeId }] } : { ...body, kind, id }
        return () => test.request('POST', `/api/pheno-hunts/${hunt.id}/${what}`, person, given)
      })
      const answers = await Promise.all((await Promise.all(sent)).map((send) => send()))
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409])
    }
  })
})

it('completes concurrent additions, revivals, ends, and undos of one plant without a server error or deadlock', async () => {
  const [owner] = people as [TestPerson]
  for (let round = 0; round < 4; round++) {
    const hunt = await addHunt(test.db, owner.user.id)
    const [plant] = await addPlants(test.db, hunt.id, 1)
    const { id: plantId, genotypeId } = plant as { id: string; genotypeId: string }
    const id = newId()
    const post = async (path: string, body?: object) => (await test.request('POST', `/api/${path}`, owner, body)).statusCode
    const url = `pheno-hunts/${hunt.id}`
    const cull = { kind: 'cull', decisions: [{ id, genotypeId }], endPlantIds: [plantId], confirmLastCopies: ['#1'] }
    expect(await post(`${url}/decisions`, cull)).toBe(201)
    const began = performance.now()
    const answers = await Promise.all([
      ...[1, 2, 3].map(() => post(`${url}/seeds`, { count: 5 })),
      ...[1, 2, 3].map(() => post(`decisions/${id}/undo`)),
      ...[1, 2].map(() => post(`${url}/plants/revive`, { plantIds: [plantId] })),
      ...[1, 2].map(() => post(`${url}/plants/end`, { plantIds: [plantId], endedHow: 'harvested', confirmLastCopies: ['#1'] })),
      ...[1, 2, 3].map(() => post('grow-logs', { huntId: hunt.id, plantId, loggedOn: '2026-03-02' })),
      test.request('PATCH', `/api/${url}/plants`, owner, { plantIds: [plantId], isMother: true }).then(({ statusCode }) => statusCode),
    ])
    expect(answers.filter((status) => status >= 500)).toEqual([])
    // PostgreSQL takes a second to detect a deadlock, so a faster run had none.
    expect(performance.now() - began).toBeLessThan(1_000)
    const rows = await test.db.selectFrom('genotypes').select('number').where('hunt_id', '=', hunt.id).orderBy('number').execute()
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 16 }, (_, i) => i + 1))
  }
}, 60_000)
