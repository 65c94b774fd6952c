import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Trait } from '#contracts/traits.ts'
import { maxTraits } from '#contracts/traits.ts'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, addPlants, shareHunt } from '#tests/support/hunts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let writer: TestPerson
let stranger: TestPerson
let huntId: string

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  writer = await test.signUp()
  stranger = await test.signUp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  await test.db.deleteFrom('hunts').execute()
  huntId = (await addHunt(test.db, owner.user.id)).id
  await shareHunt(test.db, huntId, writer.user.id, 'write')
})

const vigor = {
  name: 'Vigor',
  kind: 'ordinal',
  options: [1, 2, 3, 4, 5].map((value) => ({ value, label: `step ${value}` })),
  direction: 'max',
  low: 1,
  high: 5,
  weight: 3,
}
const create = (body: object, as = owner) => test.request('POST', `/api/pheno-hunts/${huntId}/traits`, as, body)
async function created(body: object = vigor, as = owner): Promise<Trait> {
  const answer = await create(body, as)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json() as Trait
}
const change = (id: string, body: object, as = owner) => test.request('PATCH', `/api/traits/${id}`, as, body)
const listed = async () => (await test.request('GET', `/api/pheno-hunts/${huntId}/traits`, owner)).json() as Trait[]
async function observed(trait: Trait, value: object) {
  const [plant] = await addPlants(test.db, huntId, 1)
  const body = { observations: [{ id: newId(), traitId: trait.id, plantId: plant?.id, observedOn: '2026-03-02', value }] }
  const answer = await test.request('POST', `/api/pheno-hunts/${huntId}/observations`, owner, body)
  expect(answer.statusCode, answer.body).toBe(201)
}

describe('a trait', () => {
  it('has the fields sent and comes last in the list', async () => {
    const first = await created()
    const second = await created({ name: 'THC', kind: 'number', source: 'lab', analyte: 'THC', unit: '%' }, writer)
    expect(first).toMatchObject({ ...vigor, position: 1, valuesCount: 0, version: 1, isArchived: false, source: 'observation' })
    expect((await listed()).map(({ name }) => name)).toEqual(['Vigor', 'THC'])
    expect(second).toMatchObject({ analyte: 'THC', unit: '%', direction: 'none', weight: 0, position: 2 })
  })

  it('uses the unit of its source', async () => {
    expect(await created({ name: 'Yield', kind: 'number', source: 'dry_weight', unit: 'oz' })).toMatchObject({ unit: 'g' })
    expect(await created({ name: 'Days', kind: 'number', source: 'flower_days' })).toMatchObject({ unit: 'days' })
  })

  it('reports every contradiction between its fields', async () => {
    const fieldsOf = async (body: object) => Object.keys((await create(body)).json().fields).sort()
    expect(await fieldsOf({ name: '', kind: 'number' })).toEqual(['name'])
    expect(await fieldsOf({ ...vigor, options: [], low: 5, high: 5 })).toEqual(['high', 'options'])
    expect(await fieldsOf({ ...vigor, options: [vigor.options[0], vigor.options[0]] })).toEqual(['options'])
    expect(await fieldsOf({ name: 'Aroma', kind: 'checks', options: vigor.options, direction: 'max', low: 1, high: 2 })).toEqual([
      'direction',
    ])
    expect(await fieldsOf({ name: 'X', kind: 'number', direction: 'target', low: 1, high: 2, target: 3 })).toEqual(['target'])
    expect(await fieldsOf({ name: 'X', kind: 'number', source: 'lab' })).toEqual(['analyte'])
    expect(await fieldsOf({ name: 'X', kind: 'date', source: 'dry_weight' })).toEqual(['kind'])
    expect(await fieldsOf({ name: 'X', kind: 'number', fromStage: 'flower', toStage: 'vegetative' })).toEqual(['toStage'])
    expect(await listed()).toEqual([])
  })

  it('refuses options too large for their column', async () => {
    const options = [1, 3e9].map((value) => ({ value, label: `${value}` }))
    expect((await create({ name: 'Smell', kind: 'category', options })).json().fields).toEqual({ 'options.1.value': 'Too large' })
  })

  it('is stored once when created twice with one ID, and is refused with the ID of another hunt’s trait', async () => {
    const id = newId()
    const answers = await Promise.all([1, 2, 3, 4].map(() => create({ ...vigor, id })))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201])
    expect(await listed()).toHaveLength(1)
    const other = await addHunt(test.db, stranger.user.id)
    const answer = await test.request('POST', `/api/pheno-hunts/${other.id}/traits`, stranger, { ...vigor, id })
    expect(answer.statusCode).toBe(409)
    expect(answer.body).not.toContain(huntId)
  })

  it('is limited to a hundred per hunt', async () => {
    await test.db
      .insertInto('traits')
      .values(Array.from({ length: maxTraits - 1 }, (_, i) => ({ id: newId(), hunt_id: huntId, name: `T${i}`, kind: 'number' as const })))
      .execute()
    const answers = await Promise.all([create(vigor), create(vigor)])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409])
  })
})

describe('a change to a trait', () => {
  it('keeps omitted fields and refuses a stale version unless already applied', async () => {
    const trait = await created()
    const changed = await change(trait.id, { name: 'Growth', version: 1 }, writer)
    expect(changed.json()).toMatchObject({ ...vigor, name: 'Growth', version: 2 })
    expect((await change(trait.id, { name: 'Growth', version: 1 })).json().version).toBe(2)
    expect((await change(trait.id, { name: 'Speed', version: 1 })).statusCode).toBe(409)
    expect((await change(trait.id, { low: 9, version: 2 })).json().fields).toHaveProperty('high')
    expect((await change(trait.id, { isArchived: true, version: 2 })).json()).toMatchObject({ isArchived: true, version: 3 })
  })

  it('refuses to remove options ever used in a score, but allows removing others and renaming any', async () => {
    const scale = await created()
    await observed(scale, { kind: 'number', number: 2 })
    const without = (value: number) => vigor.options.filter((option) => option.value !== value)
    const refused = await change(scale.id, { options: without(2), version: 1 })
    expect([refused.statusCode, refused.json().message]).toEqual([409, expect.stringContaining('“step 2”')])
    expect((await change(scale.id, { options: without(5), high: 4, version: 1 })).statusCode).toBe(200)
    const renamed = vigor.options.map(({ value }) => ({ value, label: `now ${value}` }))
    expect((await change(scale.id, { options: renamed, version: 2 })).statusCode).toBe(200)

    const aroma = await created({ name: 'Aroma', kind: 'checks', options: vigor.options })
    await observed(aroma, { kind: 'options', options: [1, 4] })
    expect((await change(aroma.id, { options: without(4), version: 1 })).statusCode).toBe(409)
    expect((await change(aroma.id, { options: without(3), version: 1 })).statusCode).toBe(200)
  })

  it('refuses to remove options used by blind-panel testers', async () => {
    const trait = await created()
    const [plant] = await addPlants(test.db, huntId, 1)
    const panel_id = newId()
    const [jar_id, card_id] = [newId(), newId()]
    await test.db.insertInto('blind_panels').values({ id: panel_id, hunt_id: huntId, name: 'Cup' }).execute()
    await test.db
      .insertInto('panel_jars')
      .values({ id: jar_id, panel_id, plant_id: plant?.id as string, jar_name: 'K' })
      .execute()
    await test.db.insertInto('panel_cards').values({ id: card_id, jar_id, card_number: 1, token_hash: newId() }).execute()
    await test.db.insertInto('panel_scores').values({ card_id, trait_id: trait.id, value_number: 3 }).execute()
    const options = vigor.options.filter(({ value }) => value !== 3)
    expect((await change(trait.id, { options, version: 1 })).statusCode).toBe(409)
  })
})

describe('a list of traits', () => {
  it('saves its weights and its order, puts traits left out of the order last, and leaves other hunts alone', async () => {
    const [a, b, c] = [
      await created({ ...vigor, name: 'a' }),
      await created({ ...vigor, name: 'b' }),
      await created({ ...vigor, name: 'c' }),
    ]
    const weights = [
      { traitId: a.id, weight: 7 },
      { traitId: c.id, weight: 3 },
    ]
    const other = await addHunt(test.db, stranger.user.id)
    const foreign = newId()
    await test.db.insertInto('traits').values({ id: foreign, hunt_id: other.id, name: 'Foreign', kind: 'number' }).execute()
    const put = (path: string, body: object) => test.request('PUT', `/api/pheno-hunts/${huntId}/${path}`, writer, body)
    const weighed = (await put('weights', { weights: [...weights, { traitId: foreign, weight: 99 }] })).json() as Trait[]
    expect(weighed.map(({ weight, version }) => [weight, version])).toEqual([
      [7, 2],
      [3, 1],
      [3, 1],
    ])
    const ordered = (await put('trait-order', { traitIds: [c.id, foreign, a.id] })).json() as Trait[]
    expect(ordered.map(({ name }) => name)).toEqual(['c', 'a', 'b'])
    expect((await listed()).map(({ id }) => id)).toEqual([c.id, a.id, b.id])
    expect(await test.db.selectFrom('traits').select(['weight', 'position']).where('id', '=', foreign).executeTakeFirst()).toEqual({
      weight: 0,
      position: 0,
    })
  })

  it('deletes an unused trait but not a used one', async () => {
    const [used, unused] = [await created(), await created()]
    await observed(used, { kind: 'number', number: 2 })
    expect((await listed()).map(({ valuesCount }) => valuesCount)).toEqual([1, 0])
    const remove = (id: string) => test.request('DELETE', `/api/traits/${id}`, writer)
    expect((await remove(used.id)).statusCode).toBe(409)
    expect((await remove(unused.id)).statusCode).toBe(204)
    expect((await remove(unused.id)).statusCode).toBe(404)
    expect((await listed()).map(({ id }) => id)).toEqual([used.id])
  })
})
