import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { rankableHunt } from '#agronomy/hunt-ranking.ts'
import { nextMeasurements } from '#agronomy/next-measurement.ts'
import { prepareRanking } from '#agronomy/prepare-ranking.ts'
import { rankKeepers } from '#agronomy/rank.ts'
import { growthStages } from '#contracts/choices.ts'
import type { KeeperRanking } from '#contracts/keepers.endpoints.ts'
import type { TraitRecords } from '#contracts/observations.endpoints.ts'
import type { Genotype } from '#contracts/plants.ts'
import { traitRecordsOf } from '#contracts/trait-records.ts'
import type { Trait } from '#contracts/traits.ts'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, addPlants, shareHunt } from '#tests/support/hunts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let viewer: TestPerson
let stranger: TestPerson
let huntId: string
let plants: Awaited<ReturnType<typeof addPlants>>
let vigor: Trait
let smell: Trait

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  viewer = await test.signUp()
  stranger = await test.signUp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  huntId = (await addHunt(test.db, owner.user.id)).id
  plants = await addPlants(test.db, huntId, 6)
  await shareHunt(test.db, huntId, viewer.user.id, 'view')
  const trait = async (name: string, weight: number, more: object = {}) => {
    const body = { name, kind: 'number', direction: 'max', low: 0, high: 10, weight, ...more }
    const answer = await test.request('POST', `/api/pheno-hunts/${huntId}/traits`, owner, body)
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json() as Trait
  }
  vigor = await trait('Vigor', 60)
  smell = await trait('Smell', 40, { direction: 'target', target: 6 })
})

const score = async (trait: Trait, values: (number | null)[]) => {
  const observations = values.flatMap((number, i) =>
    number === null
      ? []
      : [{ id: newId(), traitId: trait.id, plantId: plants[i]?.id, observedOn: '2026-11-01', value: { kind: 'number', number } }],
  )
  const answer = await test.request('POST', `/api/pheno-hunts/${huntId}/observations`, owner, { observations })
  expect(answer.statusCode, answer.body).toBe(201)
}
const read = async <Answer>(path: string, as = owner): Promise<Answer> => {
  const answer = await test.request('GET', `/api/pheno-hunts/${huntId}/${path}`, as)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json() as Answer
}

it('returns exactly the figures that the page computes from the same records', async () => {
  await score(vigor, [3, 8, 9, 5, null, 6])
  await score(smell, [6, 4, 7, null, null, 6])
  await score(vigor, [4, 8, 7, 5, null, null])
  const ranking = await read<KeeperRanking>('ranking')
  const [genotypes, traits, records] = await Promise.all([
    read<Genotype[]>('genotypes'),
    read<Trait[]>('traits'),
    read<TraitRecords>('trait-records'),
  ])
  const { input, weights } = rankableHunt({
    selectsMales: false,
    ranksHarvested: false,
    stages: growthStages,
    genotypes: genotypes.map(({ plants, ...genotype }) => ({
      ...genotype,
      plants: plants.map(({ id, endedOn, endedHow, stage }) => ({ id, isAlive: endedOn === null, endedHow, stage })),
    })),
    traits,
    records: traitRecordsOf(records),
  })
  const prepared = prepareRanking(input)
  const { standings, verdict } = rankKeepers(prepared, weights)
  expect(standings).toHaveLength(6)
  expect(
    ranking.genotypes.map(({ genotypeId, score, interval80, chanceBest, chanceTop3 }) => [
      genotypeId,
      score,
      interval80,
      chanceBest,
      chanceTop3,
    ]),
  ).toEqual(standings.map(({ id, score, interval80, pBest, pTop3 }) => [id, score, interval80, pBest, pTop3]))
  expect(ranking.verdict).toMatchObject({ kind: verdict.kind, leaderId: standings[0]?.id })
  expect(ranking.nextMeasurements.map(({ plantId, traitId, gain }) => [plantId, traitId, gain])).toEqual(
    nextMeasurements(prepared, weights).measurements.map(({ plantId, traitId, gain }) => [plantId, traitId, gain]),
  )
  // The fifth was never observed, which makes its score uncertain but doesn't rank it last.
  const unseen = ranking.genotypes.find(({ number }) => number === 5)
  expect(unseen?.missingTraitIds.toSorted()).toEqual([vigor.id, smell.id].toSorted())
  expect(unseen?.rank).toBeLessThan(6)
})

it('leaves out culled phenotypes, and records a phenotype’s rank in its decision', async () => {
  await score(vigor, [3, 8, 9, 5, 2, 6])
  const [leader] = (await read<KeeperRanking>('ranking')).genotypes
  expect(leader?.number).toBe(3)
  const decision = { decisions: [{ id: newId(), genotypeId: leader?.genotypeId }], kind: 'cull', reason: 'Herms' }
  const made = await test.request('POST', `/api/pheno-hunts/${huntId}/decisions`, owner, decision)
  expect(made.statusCode, made.body).toBe(201)
  expect(made.json()[0].known).toMatchObject({ rank: 1, rankedOf: 6, chanceBest: leader?.chanceBest })
  const after = await read<KeeperRanking>('ranking')
  expect(after.genotypes.map(({ number }) => number)).not.toContain(3)
  expect(after.genotypes[0]?.number).toBe(2)
})

it('ranks only phenotypes that can be kept, and explains why it excludes the rest', async () => {
  await score(vigor, [3, 8, 9, 5, 2, 6])
  const patch = (path: string, body: object) => test.request('PATCH', path, owner, body)
  const numbers = async () => (await read<KeeperRanking>('ranking')).genotypes.map(({ number }) => number).toSorted()
  const reasons = async () => (await read<KeeperRanking>('ranking')).notInRunning.map(({ number, reason }) => [number, reason])
  const end = (plant: number, endedHow: string) =>
    test.request('POST', `/api/pheno-hunts/${huntId}/plants/end`, owner, {
      plantIds: [plants[plant]?.id],
      endedHow,
      confirmLastCopies: endedHow === 'died' ? [] : [`#${plant + 1}`],
    })
  expect((await patch(`/api/genotypes/${plants[0]?.genotypeId}`, { sex: 'male', version: 1 })).statusCode).toBe(200)
  expect((await patch(`/api/genotypes/${plants[1]?.genotypeId}`, { kind: 'check', version: 1 })).statusCode).toBe(200)
  expect((await end(2, 'died')).statusCode).toBe(200)
  expect((await end(3, 'harvested')).statusCode).toBe(200)
  const must = { min: 3, max: null, not: [] }
  expect((await patch(`/api/traits/${vigor.id}`, { must, version: vigor.version })).statusCode).toBe(200)
  expect(await numbers()).toEqual([6])
  expect(await reasons()).toEqual([
    [1, 'male'],
    [3, 'gone'],
    [4, 'harvested'],
    [5, 'must'],
  ])
  const { version } = (await test.request('GET', `/api/pheno-hunts/${huntId}`, owner)).json()
  const changed = await patch(`/api/pheno-hunts/${huntId}`, { ranksHarvested: true, selectsMales: true, version })
  expect(changed.json()).toMatchObject({ ranksHarvested: true, selectsMales: true })
  expect(await numbers()).toEqual([1, 4, 6])

  const decision = { decisions: [{ id: newId(), genotypeId: plants[1]?.genotypeId }], kind: 'keep', reason: '' }
  const refused = await test.request('POST', `/api/pheno-hunts/${huntId}/decisions`, owner, decision)
  expect([refused.statusCode, refused.json().code]).toEqual([400, 'invalid_input'])
})

it('proposes measuring a flower trait only on plants in flower, once stages are logged', async () => {
  const changed = await test.request('PATCH', `/api/traits/${vigor.id}`, owner, { fromStage: 'flower', version: vigor.version })
  expect(changed.statusCode, changed.body).toBe(200)
  await score(vigor, [9, 8, null, null, null, null])
  const proposed = async () => {
    const { nextMeasurements } = await read<KeeperRanking>('ranking')
    return nextMeasurements.flatMap(({ traitId, plantId }) => (traitId === vigor.id ? plants.findIndex(({ id }) => id === plantId) : []))
  }
  expect((await proposed()).toSorted()).toEqual([2, 3, 4, 5])
  const log = (plant: number, stage: string) =>
    test.request('POST', '/api/grow-logs', owner, { huntId, plantId: plants[plant]?.id, loggedOn: '2026-11-02', stage })
  expect((await log(2, 'vegetative')).statusCode).toBe(201)
  expect((await log(3, 'flower')).statusCode).toBe(201)
  expect(await proposed()).toEqual([3])
})

it('assigns a lab result to the harvest’s run, even after the run has ended', async () => {
  const run = await test.request('POST', `/api/pheno-hunts/${huntId}/runs`, owner, {
    name: 'Tent A',
    startedOn: '2026-08-01',
    endedOn: '2026-10-05',
  })
  const placements = [{ plantId: plants[0]?.id, row: null, column: null }]
  expect((await test.request('PUT', `/api/runs/${run.json().id}/placements`, owner, { placements })).statusCode).toBe(200)
  const thc = { name: 'THC', kind: 'number', source: 'lab', analyte: 'THC' }
  expect((await test.request('POST', `/api/pheno-hunts/${huntId}/traits`, owner, thc)).statusCode).toBe(201)
  const result = { plantId: plants[0]?.id, lab: 'Steep Hill', testedOn: '2026-10-20', analyte: 'THC', value: 24, unit: '%' }
  const added = await test.request('POST', `/api/pheno-hunts/${huntId}/lab-results`, owner, { results: [{ id: newId(), ...result }] })
  expect(added.statusCode, added.body).toBe(201)
  expect(traitRecordsOf(await read<TraitRecords>('trait-records'))).toMatchObject([{ number: 24, runId: run.json().id, observer: '0' }])
})

it('explains why a ranking is missing', async () => {
  expect((await read<KeeperRanking>('ranking')).verdict).toEqual({ kind: 'no-records', leaderId: null, withinReachIds: [] })
  await score(vigor, [3, 8, 9, 5, 2, 6])
  const weights = [vigor, smell].map(({ id }) => ({ traitId: id, weight: 0 }))
  expect((await test.request('PUT', `/api/pheno-hunts/${huntId}/weights`, owner, { weights })).statusCode).toBe(200)
  expect((await read<KeeperRanking>('ranking')).verdict.kind).toBe('no-weights')
})

it('shows the ranking to everyone who may see the hunt', async () => {
  const status = async (as: TestPerson | null) => (await test.request('GET', `/api/pheno-hunts/${huntId}/ranking`, as)).statusCode
  expect(await status(viewer)).toBe(200)
  expect(await status(stranger)).toBe(404)
  expect(await status(null)).toBe(401)
})
