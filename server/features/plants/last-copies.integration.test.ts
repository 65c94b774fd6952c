import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Decision } from '#contracts/plants.endpoints.ts'
import type { Genotype, Plant } from '#contracts/plants.ts'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, addPlants } from '#tests/support/hunts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let huntId: string

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  huntId = (await addHunt(test.db, owner.user.id)).id
})

const post = (rest: string, body: object) => test.request('POST', `/api/pheno-hunts/${huntId}${rest}`, owner, body)
const end = (plantIds: readonly (string | undefined)[], more: object = {}) => post('/plants/end', { plantIds, endedHow: 'culled', ...more })
const all = async () => (await test.request('GET', `/api/pheno-hunts/${huntId}/genotypes`, owner)).json() as Genotype[]
const living = async () => (await all()).map(({ livingCopies }) => livingCopies)
const cut = async (genotypeId: string, count: number) => (await post('/clones', { cuts: [{ genotypeId, count }] })).json().plants as Plant[]
const cull = (genotypeId: string, endPlantIds: readonly (string | undefined)[], confirmLastCopies: string[] = [], id = newId()) =>
  post('/decisions', { decisions: [{ id, genotypeId }], kind: 'cull', endPlantIds, confirmLastCopies })

describe('the last living copy', () => {
  it('isn’t culled until its number is confirmed', async () => {
    const [one] = await addPlants(test.db, huntId, 1)
    await test.db.updateTable('genotypes').set({ label: 'Lemon' }).where('hunt_id', '=', huntId).execute()
    const refused = await end([one?.id])
    expect(refused.statusCode).toBe(409)
    const sentence = '#1 “Lemon” has no other living copy. Type #1 to cull it.'
    expect(refused.json()).toEqual({ code: 'last_copy', message: sentence, fields: { '#1': sentence } })
    expect((await end([one?.id], { confirmLastCopies: ['#2'] })).statusCode).toBe(409)
    expect((await end([one?.id], { confirmLastCopies: ['1'] })).statusCode).toBe(400)
    expect(await living()).toEqual([1])
    expect((await end([one?.id], { confirmLastCopies: ['#1'] })).statusCode).toBe(200)
    expect(await living()).toEqual([0])
  })

  it('can’t be harvested or given away without confirmation if it is a keeper, but can always be recorded as dead', async () => {
    const [one, two, three] = await addPlants(test.db, huntId, 3)
    for (const [plant, standing] of [
      [one, 'keep'],
      [two, 'breed'],
    ] as const) {
      await test.db
        .updateTable('genotypes')
        .set({ standing })
        .where('id', '=', plant?.genotypeId ?? '')
        .execute()
    }
    expect((await end([one?.id], { endedHow: 'harvested' })).json().message).toBe(
      '#1 is marked as a keeper and has no other living copy. Cut a clone first, or type #1 to harvest it.',
    )
    expect((await end([two?.id], { endedHow: 'given_away' })).json().message).toContain('#2 is marked to breed with')
    const many = (await end([one?.id, two?.id, three?.id])).json()
    expect(Object.keys(many.fields)).toEqual(['#1', '#2', '#3'])
    expect(many.message).toBe(
      '3 have no other living copy: #1, #2, #3. 2 of them are marked to keep or to breed with. Type their numbers to cull them.',
    )
    expect((await end([three?.id], { endedHow: 'died' })).statusCode).toBe(200)
  })

  it('requires confirmation only if no other copy is alive', async () => {
    const [one] = await addPlants(test.db, huntId, 1)
    const [clone] = await cut(one?.genotypeId as string, 1)
    expect((await end([one?.id], { confirmLastCopies: ['#1'] })).json()).toMatchObject({
      code: 'last_copy',
      fields: { '#1': expect.any(String) },
    })
    expect((await end([one?.id])).statusCode).toBe(200)
    expect((await end([clone?.id])).statusCode).toBe(409)
    // Together, these two plants are all that's left alive.
    await post('/plants/revive', { plantIds: [one?.id] })
    expect((await end([one?.id, clone?.id])).statusCode).toBe(409)
    expect(await living()).toEqual([2])
  })

  it('survives when the last two copies are ended at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const [one] = await addPlants(test.db, huntId, 1)
      const [clone] = await cut(one?.genotypeId as string, 1)
      const answers = await Promise.all([end([one?.id]), round % 2 ? end([clone?.id]) : cull(one?.genotypeId as string, [clone?.id])])
      expect(
        answers
          .map(({ statusCode }) => statusCode)
          .sort()
          .at(-1),
      ).toBe(409)
      expect(answers.filter(({ statusCode }) => statusCode < 300)).toHaveLength(1)
      expect((await living()).at(-1)).toBe(1)
    }
  })

  it('blocks a whole batch until the number of every last copy in it is confirmed', async () => {
    const plants = await addPlants(test.db, huntId, 4)
    await cut(plants[0]?.genotypeId as string, 1)
    const refused = await end(
      plants.map(({ id }) => id),
      { confirmLastCopies: ['#2', '#3'] },
    )
    expect(Object.keys(refused.json().fields)).toEqual(['#2', '#3', '#4'])
    expect(await living()).toEqual([2, 1, 1, 1])
    expect(
      (
        await end(
          plants.map(({ id }) => id),
          { confirmLastCopies: ['#2', '#3', '#4'] },
        )
      ).statusCode,
    ).toBe(200)
    expect(await living()).toEqual([1, 0, 0, 0])
  })
})

describe('ending a plant', () => {
  it('is idempotent and rejects a different end', async () => {
    const [one] = await addPlants(test.db, huntId, 1, { started_on: '2026-10-01' })
    const how = { endedHow: 'died', endedOn: '2026-11-01' }
    expect((await end([one?.id], { ...how, endedOn: '2026-09-30' })).json().fields).toEqual({
      endedOn: '#1 began on 2026-10-01, after this day',
    })
    const first = await end([one?.id], how)
    expect((await end([one?.id], how)).json()).toEqual(first.json())
    expect((await end([one?.id], { endedHow: 'harvested' })).json()).toMatchObject({
      code: 'conflict',
      message: '#1 already ended: died on 2026-11-01. Undo that first.',
    })
    const revived = (await post('/plants/revive', { plantIds: [one?.id] })).json()
    expect(revived.plants[0]).toMatchObject({ endedOn: null, endedHow: null })
    const events = await test.db
      .selectFrom('hunt_events')
      .select('kind')
      .where('plant_id', '=', one?.id ?? '')
      .orderBy('id')
      .execute()
    expect(events.map(({ kind }) => kind)).toEqual(['plant.ended', 'plant.revived'])
  })

  it('happens once per idempotency key, even if repeated after a revival', async () => {
    const [one] = await addPlants(test.db, huntId, 1)
    const send = () =>
      test.app.inject({
        method: 'POST',
        url: `/api/pheno-hunts/${huntId}/plants/end`,
        headers: { cookie: owner.cookie, 'idempotency-key': huntId },
        payload: { plantIds: [one?.id], endedHow: 'died' },
      })
    const first = await send()
    await post('/plants/revive', { plantIds: [one?.id] })
    expect((await send()).json()).toEqual(first.json())
    expect(await living()).toEqual([1])
  })
})

it('counts living copies correctly after any cuts, ends, revivals, culls, and undos', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('cut' as const), of: fc.nat(2), count: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ do: fc.constant('end' as const), of: fc.nat(2), which: fc.nat(9) }),
    fc.record({ do: fc.constant('revive' as const), of: fc.nat(2), which: fc.nat(9) }),
    fc.record({ do: fc.constant('cull' as const), of: fc.nat(2) }),
    fc.record({ do: fc.constant('undo' as const), of: fc.nat(9) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      huntId = (await addHunt(test.db, owner.user.id)).id
      const plants = await addPlants(test.db, huntId, 3)
      /** Each genotype's copies and the cull that ended each ('' if ended directly, null if alive). */
      const notebook = plants.map(({ id }) => new Map<string, string | null>([[id, null]]))
      const culls: { id: string; of: number; isUndone: boolean }[] = []
      const alive = (of: number) => [...(notebook[of] ?? [])].filter(([, by]) => by === null).map(([id]) => id)
      for (const each of steps) {
        const of = each.of % 3
        const copies = notebook[of] as Map<string, string | null>
        const genotypeId = plants[of]?.genotypeId as string
        const lock = (ending: readonly string[]) => (ending.length > 0 && ending.length === alive(of).length ? [`#${of + 1}`] : [])
        if (each.do === 'cut') for (const plant of await cut(genotypeId, each.count)) copies.set(plant.id, null)
        if (each.do === 'end') {
          const id = [...copies.keys()][each.which % copies.size] as string
          if (copies.get(id) !== null) continue
          expect((await end([id], { confirmLastCopies: lock([id]) })).statusCode).toBe(200)
          copies.set(id, '')
        }
        if (each.do === 'revive') {
          const id = [...copies.keys()][each.which % copies.size] as string
          await post('/plants/revive', { plantIds: [id] })
          copies.set(id, null)
        }
        if (each.do === 'cull') {
          const [id, ending] = [newId(), alive(of)]
          expect((await cull(genotypeId, ending, lock(ending), id)).statusCode).toBe(201)
          for (const plantId of ending) copies.set(plantId, id)
          culls.push({ id, of, isUndone: false })
        }
        if (each.do === 'undo') {
          const made = culls[each.of % Math.max(1, culls.length)]
          if (!made) continue
          await test.request('POST', `/api/decisions/${made.id}/undo`, owner)
          for (const [plantId, by] of notebook[made.of] ?? []) if (by === made.id) notebook[made.of]?.set(plantId, null)
          made.isUndone = true
        }
      }
      expect(await living()).toEqual([0, 1, 2].map((of) => alive(of).length))
      const standing = (of: number) => (culls.some((each) => each.of === of && !each.isUndone) ? 'cull' : null)
      expect((await all()).map((genotype) => genotype.standing)).toEqual([0, 1, 2].map(standing))
      const decisions = (await test.request('GET', `/api/pheno-hunts/${huntId}/decisions?limit=100`, owner)).json() as Decision[]
      expect(decisions.filter(({ undoneAt }) => undoneAt === null)).toHaveLength(culls.filter(({ isUndone }) => !isUndone).length)
    }),
    { numRuns: 12 },
  )
}, 60_000)
