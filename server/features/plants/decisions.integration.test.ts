import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Decision } from '#contracts/plants.endpoints.ts'
import type { Genotype, Plant } from '#contracts/plants.ts'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, addPlants, shareHunt } from '#tests/support/hunts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { makeDecisions } from './make-decisions.ts'

let test: TestApp
let owner: TestPerson
let huntId: string
let plants: Awaited<ReturnType<typeof addPlants>>

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  huntId = (await addHunt(test.db, owner.user.id)).id
  plants = await addPlants(test.db, huntId, 3)
})

const genotypeId = (i: number) => plants[i]?.genotypeId as string
const plantId = (i: number) => plants[i]?.id as string
const send = (body: object, as = owner) => test.request('POST', `/api/pheno-hunts/${huntId}/decisions`, as, body)
async function decide(kind: string, i: number, more: object = {}): Promise<Decision> {
  const response = await send({ decisions: [{ id: newId(), genotypeId: genotypeId(i) }], kind, ...more })
  expect(response.statusCode, response.body).toBe(201)
  return response.json()[0]
}
const undo = async (id: string) => (await test.request('POST', `/api/decisions/${id}/undo`, owner)).json()
const genotype = async (number: number) =>
  (await test.request('GET', `/api/pheno-hunts/${huntId}/genotypes/${number}`, owner)).json() as Genotype
const cullWith = (i: number, ids: readonly string[], confirm = [`#${i + 1}`]) =>
  decide('cull', i, { endPlantIds: ids, confirmLastCopies: confirm })

describe('a decision', () => {
  it('records what was known at the time, and sets the genotype’s standing', async () => {
    const log = { hunt_id: huntId, plant_id: plantId(0), logged_on: '2026-11-01' }
    await test.db
      .insertInto('grow_logs')
      .values([
        { ...log, id: newId() },
        { ...log, id: newId(), deleted_at: new Date() },
      ])
      .execute()
    const traitId = newId()
    await test.db.insertInto('traits').values({ id: traitId, hunt_id: huntId, name: 'Vigor', kind: 'number' }).execute()
    const score = { hunt_id: huntId, trait_id: traitId, plant_id: plantId(0), observed_on: '2026-11-02', value_number: 4 }
    await test.db
      .insertInto('observations')
      .values([
        { ...score, id: newId() },
        { ...score, id: newId(), is_current: false },
      ])
      .execute()
    const decision = await decide('keep', 0, { reason: 'Smells of lemon', decidedOn: '2026-11-03' })
    expect(decision).toMatchObject({
      number: 1,
      kind: 'keep',
      reason: 'Smells of lemon',
      decidedOn: '2026-11-03',
      decidedBy: { id: owner.user.id },
      undoneAt: null,
      endedPlantIds: [],
      known: { livingCopies: 1, plants: 1, logs: 1, observations: 1, rank: null, rankedOf: null, chanceBest: null },
    })
    expect(await genotype(1)).toMatchObject({ standing: 'keep' })
  })

  it('records the genotype’s rank at the time', async () => {
    const ranks = new Map([[genotypeId(1), { rank: 1, rankedOf: 3, chanceBest: 0.62 }]])
    const input = { kind: 'keep' as const, reason: '', endPlantIds: [], confirmLastCopies: [] }
    const decisions = [0, 1].map((i) => ({ id: newId(), genotypeId: genotypeId(i) }))
    const actor = { id: owner.user.id } as Parameters<typeof makeDecisions>[1]
    const made = await makeDecisions(test.ctx, actor, huntId, { ...input, decisions }, async () => ranks)
    expect(made.map(({ known }) => [known.rank, known.rankedOf, known.chanceBest])).toEqual([
      [null, null, null],
      [1, 3, 0.62],
    ])
  })

  it('ranks the hunt once, however often the same decision is sent', async () => {
    const input = { kind: 'keep' as const, reason: '', endPlantIds: [], confirmLastCopies: [] }
    const decisions = [{ id: newId(), genotypeId: genotypeId(0) }]
    const actor = { id: owner.user.id } as Parameters<typeof makeDecisions>[1]
    let rankings = 0
    const rank = async () => {
      const rank = ++rankings
      await sleep(200)
      return new Map([[genotypeId(0), { rank, rankedOf: 3, chanceBest: 0.5 }]])
    }
    const make = () => makeDecisions(test.ctx, actor, huntId, { ...input, decisions }, rank)
    const made = await Promise.all([make(), make()])
    for (const again of [...made, await make()]) expect(again.map(({ known }) => known.rank)).toEqual([1])
    expect(rankings).toBe(1)
  })

  it('is made once per ID and never replaced', async () => {
    const decisions = [0, 1].map((i) => ({ id: newId(), genotypeId: genotypeId(i) }))
    const body = { decisions, kind: 'retest', reason: 'One more run' }
    const [one, two] = await Promise.all([send(body), send(body)])
    expect(one.statusCode, one.body).toBe(201)
    expect(two.json()).toEqual(one.json())
    expect((await send({ ...body, kind: 'keep' })).statusCode).toBe(409)
    expect((await send({ ...body, decisions: [decisions[0], { id: newId(), genotypeId: genotypeId(1) }] })).statusCode).toBe(409)
    const list = await test.request('GET', `/api/pheno-hunts/${huntId}/decisions`, owner)
    expect(list.json()).toHaveLength(2)
    await undo(decisions[0]?.id as string)
    expect((await send(body)).json()[0].undoneAt).not.toBeNull()
  })

  it('does not override a later one if backdated', async () => {
    await decide('keep', 0, { decidedOn: '2026-11-10' })
    const earlier = await decide('retest', 0, { decidedOn: '2026-11-01' })
    expect((await genotype(1)).standing).toBe('keep')
    const later = await decide('breed', 0, { decidedOn: '2026-11-10' })
    expect((await genotype(1)).standing).toBe('breed')
    await undo(later.id)
    expect((await genotype(1)).standing).toBe('keep')
    await undo(earlier.id)
    expect((await genotype(1)).standing).toBe('keep')
  })

  it('ends plants only as a cull, and only those of its genotypes', async () => {
    const body = { decisions: [{ id: newId(), genotypeId: genotypeId(0) }], endPlantIds: [plantId(1)], confirmLastCopies: ['#2'] }
    expect((await send({ ...body, kind: 'cull' })).json().fields).toEqual({ endPlantIds: expect.any(String) })
    expect((await send({ ...body, kind: 'keep', endPlantIds: [plantId(0)] })).statusCode).toBe(400)
    expect((await send({ ...body, kind: 'cull', endPlantIds: [newId()] })).statusCode).toBe(404)
    expect((await genotype(1)).livingCopies).toBe(1)
  })

  it('spares clones cut in the meantime', async () => {
    const seen = plantId(0)
    const cuts = [{ genotypeId: genotypeId(0), count: 1 }]
    await test.request('POST', `/api/pheno-hunts/${huntId}/clones`, owner, { cuts })
    const body = { decisions: [{ id: newId(), genotypeId: genotypeId(0) }], kind: 'cull', endPlantIds: [seen] }
    expect((await send({ ...body, confirmLastCopies: ['#1'] })).json().code).toBe('last_copy')
    expect((await send(body)).statusCode).toBe(201)
    expect(await genotype(1)).toMatchObject({ standing: 'cull', livingCopies: 1 })
  })
})

describe('undoing', () => {
  it('revives exactly the plants that the decision ended, once', async () => {
    const cuts = [{ genotypeId: genotypeId(0), count: 2 }]
    const clones = (await test.request('POST', `/api/pheno-hunts/${huntId}/clones`, owner, { cuts })).json().plants as Plant[]
    const ends = `/api/pheno-hunts/${huntId}/plants/end`
    await test.request('POST', ends, owner, { plantIds: [clones[0]?.id], endedHow: 'died' })
    const decision = await cullWith(0, [plantId(0), ...clones.map(({ id }) => id)])
    expect(decision.endedPlantIds.toSorted()).toEqual([plantId(0), clones[1]?.id as string].toSorted())
    expect(await genotype(1)).toMatchObject({ livingCopies: 0, plants: [{ endedByDecisionId: decision.id }, { endedHow: 'died' }, {}] })

    const undone = await undo(decision.id)
    expect(undone).toMatchObject({ decision: { undoneBy: { id: owner.user.id } }, left: [], room: { livingPlants: 4 } })
    expect(undone.revivedPlantIds.toSorted()).toEqual(decision.endedPlantIds.toSorted())
    expect(await genotype(1)).toMatchObject({
      standing: null,
      livingCopies: 2,
      plants: [{ endedOn: null }, { endedHow: 'died' }, { endedOn: null }],
    })
    test.clock.advance({ seconds: 5 })
    expect(await undo(decision.id)).toEqual(undone)
    const events = await test.db.selectFrom('hunt_events').select('kind').where('genotype_id', '=', genotypeId(0)).execute()
    expect(events.filter(({ kind }) => kind === 'decision.undone')).toHaveLength(1)
    expect(events.filter(({ kind }) => kind === 'plant.revived')).toHaveLength(2)
  })

  it('happens once when requested concurrently', async () => {
    const decision = await cullWith(0, [plantId(0)])
    const answers = await Promise.all([undo(decision.id), undo(decision.id), undo(decision.id)])
    for (const answer of answers) expect(answer).toEqual(answers[0])
    const events = await test.db.selectFrom('hunt_events').select('kind').where('plant_id', '=', plantId(0)).execute()
    expect(events.map(({ kind }) => kind).toSorted()).toEqual(['plant.ended', 'plant.revived'])
  })

  it('appears once in the activity, like a decision or a harvest, without an entry for each plant that it ends or revives', async () => {
    const decision = await cullWith(0, [plantId(0)])
    await undo(decision.id)
    const harvest = { harvests: [{ plantId: plantId(1), harvestedOn: '2026-11-20' }], confirmLastCopies: ['#2'] }
    const [{ id }] = (await test.request('POST', `/api/pheno-hunts/${huntId}/harvests`, owner, harvest)).json() as [{ id: string }]
    test.clock.advance({ seconds: 5 })
    await test.request('DELETE', `/api/harvests/${id}`, owner)
    const end = { plantIds: [plantId(2)], endedHow: 'harvested', confirmLastCopies: ['#3'] }
    await test.request('POST', `/api/pheno-hunts/${huntId}/plants/end`, owner, end)
    for (const path of [`/api/pheno-hunts/${huntId}/activity`, '/api/pheno-hunts/activity']) {
      const events = (await test.request('GET', path, owner)).json() as { huntId: string; summary: string }[]
      expect(events.flatMap((event) => (event.huntId === huntId ? [event.summary] : []))).toEqual([
        '#3 harvested',
        'Harvest of #2 deleted',
        'Harvest of #2 recorded',
        'Decision on #1 undone',
        'Decided to cull #1: 1 plant ended',
      ])
    }
  })

  it('leaves alone plants that have changed since, and names them', async () => {
    const decision = await cullWith(0, [plantId(0)])
    const revive = { plantIds: [plantId(0)] }
    await test.request('POST', `/api/pheno-hunts/${huntId}/plants/revive`, owner, revive)
    const ends = `/api/pheno-hunts/${huntId}/plants/end`
    await test.request('POST', ends, owner, { ...revive, endedHow: 'died', endedOn: '2026-11-21' })
    expect(await undo(decision.id)).toMatchObject({
      revivedPlantIds: [],
      left: [{ plantId: plantId(0), name: '#1', reason: 'It has since ended another way: died on 2026-11-21.' }],
    })
    expect((await genotype(1)).plants[0]).toMatchObject({ endedHow: 'died', endedOn: '2026-11-21' })
  })
})

describe('the list', () => {
  it('is sorted newest first, overall or by genotype, and includes undone decisions', async () => {
    const first = await decide('retest', 0)
    const second = await decide('keep', 1)
    await undo(first.id)
    const list = async (query = '') =>
      (await test.request('GET', `/api/pheno-hunts/${huntId}/decisions${query}`, owner)).json() as Decision[]
    expect((await list()).map(({ id }) => id)).toEqual([second.id, first.id])
    expect((await list(`?genotypeId=${genotypeId(0)}`)).map(({ kind, undoneAt }) => [kind, undoneAt !== null])).toEqual([['retest', true]])
    const viewer = await test.signUp()
    await shareHunt(test.db, huntId, viewer.user.id, 'view')
    const body = { decisions: [{ id: newId(), genotypeId: genotypeId(0) }], kind: 'keep' }
    expect((await send(body, viewer)).statusCode).toBe(403)
    expect((await test.request('POST', `/api/decisions/${second.id}/undo`, viewer)).statusCode).toBe(403)
    expect((await test.request('POST', `/api/decisions/${second.id}/undo`, await test.signUp())).statusCode).toBe(404)
  })
})
