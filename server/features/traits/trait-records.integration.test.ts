import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Growth } from '#contracts/grow-logs.ts'
import type { Observation, TraitRecords } from '#contracts/observations.endpoints.ts'
import { type TraitRecord, traitRecordsOf } from '#contracts/trait-records.ts'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, addPlants, shareHunt } from '#tests/support/hunts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

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
  await test.db.deleteFrom('hunts').execute()
  huntId = (await addHunt(test.db, owner.user.id)).id
  plants = await addPlants(test.db, huntId, 3)
})

const plantId = (i: number) => plants[i]?.id as string
const day = (of: number) => `2026-03-${String(of).padStart(2, '0')}`
const hunt = () => `/api/pheno-hunts/${huntId}`

async function records(): Promise<TraitRecord[]> {
  const answer = await test.request('GET', `${hunt()}/trait-records`, owner)
  expect(answer.statusCode, answer.body).toBe(200)
  return traitRecordsOf(answer.json() as TraitRecords)
}
async function post(path: string, body: object) {
  const answer = await test.request('POST', `${hunt()}/${path}`, owner, body)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json()
}
const trait = async (body: object): Promise<string> => (await post('traits', { name: 'T', kind: 'number', ...body })).id
const observe = (rows: object[]): Promise<Observation[]> => post('observations', { observations: rows })
const brief = (all: readonly TraitRecord[]) =>
  all.map(({ plantId: id, on, number }) => [plants.findIndex((plant) => plant.id === id), on.slice(-2), number])

describe('a current value', () => {
  it('comes from an observation, with the genotype, run and observer', async () => {
    const [height, aroma] = [
      await trait({}),
      await trait({ kind: 'checks', options: [0, 1].map((value) => ({ value, label: `o${value}` })) }),
    ]
    const run_id = newId()
    await test.db.insertInto('runs').values({ id: run_id, hunt_id: huntId, name: 'Tent' }).execute()
    await test.db
      .insertInto('placements')
      .values({ run_id, plant_id: plantId(0) })
      .execute()
    const on = { observedOn: day(1) }
    await observe([
      { id: newId(), traitId: height, plantId: plantId(0), ...on, value: { kind: 'number', number: 41 }, isBlind: true },
      { id: newId(), traitId: aroma, plantId: plantId(1), ...on, value: { kind: 'options', options: [1, 0] } },
    ])
    const of = (i: number, traitId: string) => ({ traitId, plantId: plantId(i), genotypeId: plants[i]?.genotypeId, on: day(1) })
    const all = await records()
    expect(all).toHaveLength(2)
    expect(all).toContainEqual({ ...of(0, height), runId: run_id, observer: '0', isOwn: true, number: 41, isBlind: true })
    expect(all).toContainEqual({ ...of(1, aroma), runId: null, observer: '0', isOwn: true, options: [1, 0] })
  })

  it('belongs to the run of its day, even if the plant was placed later, or to the harvest’s run once harvested', async () => {
    const [nose, weight] = [await trait({}), await trait({ source: 'dry_weight' })]
    const [first, second] = [newId(), newId()]
    const score = (of: number) => ({ traitId: nose, plantId: plantId(0), observedOn: day(of), value: { kind: 'number', number: of } })
    await observe([2, 6, 12, 25].map((of) => ({ id: newId(), ...score(of) })))
    await post('harvests', { harvests: [{ plantId: plantId(0), harvestedOn: day(20), dryGrams: 90 }], endsPlants: false })
    expect((await records()).map(({ runId }) => runId)).toEqual([null, null, null, null, null])
    const run = { hunt_id: huntId, name: 'Tent' }
    await test.db
      .insertInto('runs')
      .values([
        { id: first, ...run, started_on: day(5), ended_on: day(9) },
        { id: second, ...run, started_on: day(10), ended_on: day(20) },
      ])
      .execute()
    await test.db
      .insertInto('placements')
      .values([first, second].map((run_id) => ({ run_id, plant_id: plantId(0) })))
      .execute()
    const runOf = new Map(
      (await records()).map(({ traitId, on, runId }) => [`${traitId === weight ? 'weight' : 'nose'} ${on.slice(-2)}`, runId]),
    )
    expect(Object.fromEntries(runOf)).toEqual({
      ...{ 'nose 02': null, 'nose 06': first, 'nose 12': second },
      ...{ 'nose 25': second, 'weight 20': second },
    })
  })

  it('belongs to a run of its plant if it comes from a log or dates, even outside of that run', async () => {
    const rooting = await trait({ source: 'rooting_days' })
    await trait({ name: 'Rating', source: 'log_rating' })
    const rootedOn = (i: number, rooted: number) =>
      test.db
        .updateTable('plants')
        .set({ cut_on: day(1), rooted_on: day(rooted) })
        .where('id', '=', plantId(i))
        .execute()
    await rootedOn(0, 4)
    await rootedOn(1, 4)
    await test.request('POST', '/api/grow-logs', owner, { huntId, plantId: plantId(0), loggedOn: day(25), rating: 5 })
    const [first, second] = [newId(), newId()]
    const run = { hunt_id: huntId, name: 'Tent' }
    await test.db
      .insertInto('runs')
      .values([
        { id: first, ...run, started_on: day(5), ended_on: day(9) },
        { id: second, ...run, started_on: day(10), ended_on: day(20) },
      ])
      .execute()
    await test.db
      .insertInto('placements')
      .values([first, second].map((run_id) => ({ run_id, plant_id: plantId(0) })))
      .execute()
    const runs = (await records()).map(({ traitId, plantId: id, runId }) => [traitId === rooting, id === plantId(0), runId])
    expect(runs.sort()).toEqual(
      [
        [false, true, second],
        [true, false, null],
        [true, true, first],
      ].sort(),
    )
  })

  it('comes from existing logs, as the last height or every rating', async () => {
    const height = await trait({ source: 'log_height' })
    const rating = await trait({ source: 'log_rating' })
    const log = (plant: number | null, at: number, said: object) =>
      test.request('POST', '/api/grow-logs', owner, { huntId, plantId: plant === null ? null : plantId(plant), loggedOn: day(at), ...said })
    await log(0, 3, { heightCm: 30, rating: 5 })
    await log(0, 9, { heightCm: 45, rating: 8 })
    await log(0, 10, { notes: 'No figure' })
    await log(null, 11, { heightCm: 99, rating: 1 })
    await log(1, 4, { heightCm: 20 })
    const gone = (await log(0, 12, { heightCm: 50, rating: 2 })).json() as { id: string }
    await test.request('DELETE', `/api/grow-logs/${gone.id}`, owner)
    const all = await records()
    expect(brief(all.filter(({ traitId }) => traitId === height)).sort()).toEqual([
      [0, '09', 45],
      [1, '04', 20],
    ])
    expect(brief(all.filter(({ traitId }) => traitId === rating))).toEqual([
      [0, '09', 8],
      [0, '03', 5],
    ])
  })

  it('is the height entered last that day, even if a program chose IDs that aren’t chronological', async () => {
    const height = await trait({ source: 'log_height' })
    for (const heightCm of [30, 45]) {
      test.clock.advance({ minutes: 1 })
      const log = { id: `${heightCm === 30 ? 'f' : '0'}${newId().slice(1)}`, huntId, plantId: plantId(0), loggedOn: day(3), heightCm }
      expect((await test.request('POST', '/api/grow-logs', owner, log)).statusCode).toBe(201)
    }
    expect(brief((await records()).filter(({ traitId }) => traitId === height))).toEqual([[0, '03', 45]])
    const { plants: curves } = (await test.request('GET', `${hunt()}/growth`, owner)).json() as Growth
    expect(curves[0]?.points.map(({ heightCm }) => heightCm)).toEqual([30, 45])
  })

  it('comes from the dates of a clone, unless someone recorded it for that plant', async () => {
    const rooting = await trait({ source: 'rooting_days' })
    const cut = async (rootedOn: string | null) => {
      const cuts = [{ genotypeId: plants[0]?.genotypeId, count: 1 }]
      const { plants: made } = await post('clones', { cuts, cutOn: day(1), rootedOn })
      return made[0].id as string
    }
    const [dated, typed] = [await cut(day(10)), await cut(day(13))]
    await cut(null)
    const value = (plant: string, number: number) => ({
      ...{ id: newId(), traitId: rooting, plantId: plant, observedOn: day(20), value: { kind: 'number', number } },
    })
    const [seen] = await observe([value(typed, 11), value(plantId(1), 8)])
    const numbers = async () => Object.fromEntries((await records()).map(({ plantId: id, on, number }) => [id, [on, number]]))
    const others = { [dated]: [day(10), 9], [plantId(1)]: [day(20), 8] }
    expect(await numbers()).toEqual({ ...others, [typed]: [day(20), 11] })
    await observe([{ ...value(typed, 0), value: null, correctsId: seen?.id }])
    expect(await numbers()).toEqual({ ...others, [typed]: [day(13), 12] })
  })

  it('comes from a harvest that includes it', async () => {
    const traits = await Promise.all(['flower_days', 'wet_weight', 'dry_weight', 'wash_yield'].map((source) => trait({ source })))
    const harvests = [
      { plantId: plantId(0), harvestedOn: day(2), flowerDays: 63, wetGrams: 400, dryGrams: 100 },
      { plantId: plantId(1), harvestedOn: day(2), dryGrams: 0 },
    ]
    await post('harvests', { harvests, endsPlants: false })
    const all = await records()
    expect(traits.map((id) => brief(all.filter(({ traitId }) => traitId === id)).sort())).toEqual([
      [[0, '02', 63]],
      [[0, '02', 400]],
      [
        [0, '02', 100],
        [1, '02', 0],
      ],
      [],
    ])
  })

  it('comes from a lab in the trait’s unit, and not from a result whose unit can’t be converted', async () => {
    const share = await trait({ source: 'lab', analyte: 'THC', unit: '%' })
    const milligrams = await trait({ name: 'Milligrams', source: 'lab', analyte: 'THC', unit: 'mg/g' })
    const units = ['%', 'mg / g', 'PPM', 'mg/serving'].map((unit, i) => ({ unit, value: [24, 241, 2_000, 5][i] }))
    const below = { value: null, quantificationLimit: 3, unit: 'mg/g' }
    await post('lab-results', {
      results: [...units, below].map((result, i) => ({ plantId: plantId(0), testedOn: day(i + 1), analyte: 'THC', ...result })),
    })
    const all = await records()
    expect(brief(all.filter(({ traitId }) => traitId === share))).toEqual([
      [0, '05', 0.15],
      [0, '03', 0.2],
      [0, '02', 24.1],
      [0, '01', 24],
    ])
    expect(brief(all.filter(({ traitId }) => traitId === milligrams)).map(([, , number]) => number)).toEqual([1.5, 2, 241, 240])
  })

  it('comes from a lab, regardless of the analyte’s capitalization, and is half the limit if below it', async () => {
    const thc = await trait({ source: 'lab', analyte: 'THC' })
    const results = [
      { plantId: plantId(0), testedOn: day(5), analyte: 'thc', value: 21.5 },
      { plantId: plantId(1), testedOn: day(5), analyte: 'THC', value: null, quantificationLimit: 0.4 },
      { plantId: plantId(2), testedOn: day(5), analyte: 'CBD', value: 9 },
    ]
    await post('lab-results', { results })
    const all = await records()
    expect(all.map(({ traitId }) => traitId)).toEqual([thc, thc])
    expect(all.find((each) => each.plantId === plantId(0))).toMatchObject({ number: 21.5 })
    expect(all.find((each) => each.plantId === plantId(0))).not.toHaveProperty('isBelowLimit')
    expect(all.find((each) => each.plantId === plantId(1))).toMatchObject({ number: 0.2, isBelowLimit: true })
  })

  it('comes from a blind panel once it is closed', async () => {
    const aroma = await trait({ kind: 'ordinal', options: [1, 2].map((value) => ({ value, label: `o${value}` })) })
    const [panel_id, jar_id, card_id] = [newId(), newId(), newId()]
    await test.db.insertInto('blind_panels').values({ id: panel_id, hunt_id: huntId, name: 'Cup' }).execute()
    await test.db
      .insertInto('panel_jars')
      .values({ id: jar_id, panel_id, plant_id: plantId(2), jar_name: 'K' })
      .execute()
    const answered_at = new Date(`${day(7)}T23:30:00Z`)
    await test.db.insertInto('panel_cards').values({ id: card_id, jar_id, card_number: 1, token_hash: newId(), answered_at }).execute()
    await test.db.insertInto('panel_scores').values({ card_id, trait_id: aroma, value_number: 2 }).execute()
    expect(await records()).toEqual([])
    await test.db.updateTable('blind_panels').set({ is_open: false }).execute()
    const [score] = await records()
    expect(score).toMatchObject({ traitId: aroma, plantId: plantId(2), on: day(7), number: 2, isBlind: true, runId: null })
  })

  it('is hidden when its trait is archived', async () => {
    const id = await trait({})
    await observe([{ id: newId(), traitId: id, plantId: plantId(0), observedOn: day(1), value: { kind: 'number', number: 1 } }])
    expect(await records()).toHaveLength(1)
    await test.request('PATCH', `/api/traits/${id}`, owner, { isArchived: true, version: 1 })
    expect(await records()).toEqual([])
    await test.request('PATCH', `/api/traits/${id}`, owner, { isArchived: false, version: 2 })
    expect(await records()).toHaveLength(1)
  })
})

describe('the list of scorers', () => {
  it('names people to those who can edit the hunt, but never testers', async () => {
    const [writer, viewer] = [await test.signUp(), await test.signUp()]
    await shareHunt(test.db, huntId, writer.user.id, 'write')
    await shareHunt(test.db, huntId, viewer.user.id, 'view')
    const traitId = await trait({})
    const of = { hunt_id: huntId, trait_id: traitId, plant_id: plantId(0), value_number: 4 }
    await test.db
      .insertInto('observations')
      .values([
        { ...of, id: newId(), observed_on: day(9), observed_by: owner.user.id },
        { ...of, id: newId(), observed_on: day(8), observed_by: writer.user.id },
        { ...of, id: newId(), observed_on: day(7), scorer: 'Scorer 2' },
      ])
      .execute()
    const panel_id = newId()
    await test.db.insertInto('blind_panels').values({ id: panel_id, hunt_id: huntId, name: 'Cup', is_open: false }).execute()
    const jar_id = newId()
    await test.db
      .insertInto('panel_jars')
      .values({ id: jar_id, panel_id, plant_id: plantId(0), jar_name: 'ABC' })
      .execute()
    const card_id = newId()
    const answered_at = new Date(`${day(6)}T12:00:00Z`)
    await test.db
      .insertInto('panel_cards')
      .values({ id: card_id, jar_id, card_number: 1, token_hash: newId(), taster: 'Ada', answered_at })
      .execute()
    await test.db.insertInto('panel_scores').values({ card_id, trait_id: traitId, value_number: 3 }).execute()
    const answer = async (as: TestPerson) => (await test.request('GET', `${hunt()}/trait-records`, as)).json() as TraitRecords
    const nameOf = ({ user }: TestPerson) => `${user.firstName} ${user.lastName}`
    expect(await answer(writer)).toMatchObject({ me: 1, names: [nameOf(owner), nameOf(writer), 'Scorer 2', null] })
    expect((await answer(viewer)).names).toBeUndefined()
    // A person separated by a block has no name, either.
    await test.request('PUT', `/api/people/${writer.user.id}/block`, owner)
    expect((await answer(owner)).names).toEqual([nameOf(owner), null, 'Scorer 2', null])
  })
})

describe('observing, correcting, and retracting', () => {
  type Step = { kind: 'new' | 'correct' | 'withdraw'; trait: number; plant: number; day: number; number: number; which: number }
  const step: fc.Arbitrary<Step> = fc.record({
    kind: fc.constantFrom('new', 'new', 'correct', 'withdraw'),
    trait: fc.nat(1),
    plant: fc.nat(2),
    day: fc.integer({ min: 1, max: 28 }),
    number: fc.integer({ min: -50, max: 50 }),
    which: fc.nat(99),
  })
  type Standing = { id: string; trait: number; plant: number; day: number; number: number | null }

  it('leaves the same current values as a simple model, whatever the steps', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        await test.db.deleteFrom('traits').execute()
        const traitIds = [await trait({}), await trait({})]
        const standing: Standing[] = []
        for (const { kind, which, ...said } of steps) {
          const target = kind === 'new' ? undefined : standing[which % Math.max(1, standing.length)]
          const id = newId()
          const of = target ?? said
          const number = target && kind === 'withdraw' ? null : said.number
          await observe([
            {
              id,
              traitId: traitIds[of.trait],
              plantId: plantId(of.plant),
              observedOn: day(said.day),
              value: number === null ? null : { kind: 'number', number },
              ...(target && { correctsId: target.id }),
            },
          ])
          if (target) standing.splice(standing.indexOf(target), 1)
          standing.push({ id, trait: of.trait, plant: of.plant, day: said.day, number })
        }
        const expected = standing
          .filter(({ number }) => number !== null)
          .map((each) => `${each.trait} ${each.plant} ${day(each.day)} ${each.number}`)
        const answered = (await records()).map(
          (each) => `${traitIds.indexOf(each.traitId)} ${plants.findIndex(({ id }) => id === each.plantId)} ${each.on} ${each.number}`,
        )
        expect(answered.sort()).toEqual(expected.sort())
        const listed = (await test.request('GET', `${hunt()}/traits`, owner)).json() as { valuesCount: number }[]
        expect(listed.reduce((sum, { valuesCount }) => sum + valuesCount, 0)).toBe(expected.length)
      }),
      { numRuns: 15 },
    )
  }, 60_000)
})
