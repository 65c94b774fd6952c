import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HuntEvent } from '#contracts/hunts.endpoints.ts'
import { type Hunt, maxOpenTasks } from '#contracts/hunts.ts'
import { newId } from '#server/kernel/ids.ts'
import { addHunt } from '#tests/support/hunts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let partner: TestPerson
let stranger: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  partner = await test.signUp()
  stranger = await test.signUp()
  await made(partner, 'PUT', `/api/people/${owner.user.id}/follow`)
})
afterAll(() => test?.close())

type Method = 'POST' | 'PUT' | 'PATCH' | 'GET' | 'DELETE'
async function made<Answer = Hunt>(as: TestPerson, method: Method, url: string, payload?: object) {
  const answer = await test.request(method, url, as, payload)
  expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBeLessThan(300)
  return (answer.body === '' ? undefined : answer.json()) as Answer
}
const statusOf = async (as: TestPerson, method: Method, url: string, payload?: object) =>
  (await test.request(method, url, as, payload)).statusCode

const hunt = (details: object = {}, as = owner) => made(as, 'POST', '/api/pheno-hunts', { huntName: 'Zkittlez × Gelato', ...details })
const share = (id: string, access: 'view' | 'write', person = partner) =>
  made(owner, 'PUT', `/api/pheno-hunts/${id}/shares/${person.user.id}`, { access })
const publish = (id: string, visibility = 'public') => made(owner, 'PUT', `/api/pheno-hunts/${id}/visibility`, { visibility })
const namesOf = async (as: TestPerson, query = '') =>
  (await made<Hunt[]>(as, 'GET', `/api/pheno-hunts${query}`)).map(({ huntName }) => huntName)

describe('a hunt', () => {
  it('is created in one step, as private, with the details sent', async () => {
    const begun = await hunt({ breeders: ['Compound', 'compound', 'Exotic'], seedCount: 3, germinationDate: '2026-11-01', goals: 'Gas' })
    expect(begun).toMatchObject({
      breeders: ['Compound', 'Exotic'],
      seedCount: 3,
      isActive: true,
      germinationDate: '2026-11-01',
      goals: 'Gas',
      visibility: 'private',
      access: 'own',
      sharesCount: 0,
      version: 1,
      stages: { germinatedOn: '2026-11-01', flowerOn: null },
      abilities: { write: true, own: true, leave: false, comment: false, report: false },
    })
    expect(await made(owner, 'GET', `/api/pheno-hunts/${begun.id}`)).toEqual(begun)
  })

  it('is created once per idempotency key', async () => {
    const send = (huntName: string) =>
      test.app.inject({
        method: 'POST',
        url: '/api/pheno-hunts',
        headers: { cookie: owner.cookie, 'idempotency-key': 'once' },
        payload: { huntName },
      })
    const [one, two] = await Promise.all([send('Once'), send('Once')])
    expect(one.json().id).toBe(two.json().id)
    expect((await namesOf(owner)).filter((name) => name === 'Once')).toEqual(['Once'])
    expect((await send('Other')).statusCode).toBe(422)
  })

  it('refuses invalid fields', async () => {
    expect((await test.request('POST', '/api/pheno-hunts', owner, { huntName: ' ' })).json().fields).toEqual({
      huntName: 'Hunt name is required',
    })
    for (const wrong of [{ seedCount: -1 }, { seedCount: 10_001 }, { germinationDate: '2026-02-30' }, { germinationDate: '2030-01-01' }]) {
      expect(await statusOf(owner, 'POST', '/api/pheno-hunts', { huntName: 'A', ...wrong }), JSON.stringify(wrong)).toBe(400)
    }
  })

  it('can be changed only from its current version', async () => {
    const { id } = await hunt({ goals: 'Color' })
    const changed = await made(owner, 'PATCH', `/api/pheno-hunts/${id}`, { huntName: 'Renamed', version: 1 })
    expect(changed).toMatchObject({ huntName: 'Renamed', goals: 'Color', version: 2 })
    expect(await statusOf(owner, 'PATCH', `/api/pheno-hunts/${id}`, { goals: 'Over it', version: 1 })).toBe(409)
    expect(await namesOf(owner, '?search=renam')).toEqual(['Renamed'])
  })

  it('can be completed and reopened repeatedly', async () => {
    const { id } = await hunt()
    const done = await made(owner, 'PUT', `/api/pheno-hunts/${id}/completion`, { completedOn: '2026-11-02' })
    expect(done).toMatchObject({ isActive: false, completedOn: '2026-11-02' })
    expect(await made(owner, 'PUT', `/api/pheno-hunts/${id}/completion`, {})).toMatchObject({ completedOn: '2026-11-02' })
    expect(await made(owner, 'PATCH', `/api/pheno-hunts/${id}`, { goals: 'A correction', version: done.version })).toBeTruthy()
    expect(await made(owner, 'DELETE', `/api/pheno-hunts/${id}/completion`)).toMatchObject({ isActive: true, completedOn: null })
    await made(owner, 'DELETE', `/api/pheno-hunts/${id}/completion`)
    const events = await made<HuntEvent[]>(owner, 'GET', `/api/pheno-hunts/${id}/activity`)
    expect(events.map(({ summary }) => summary)).toEqual(['Hunt reopened', 'Hunt completed', 'Hunt started'])
    expect(events[0]?.recordedBy?.id).toBe(owner.user.id)
  })

  it('can be deleted with all its contents, but only by its owner', async () => {
    const { id } = await hunt()
    await share(id, 'write')
    expect(await statusOf(partner, 'DELETE', `/api/pheno-hunts/${id}`)).toBe(403)
    await made(owner, 'DELETE', `/api/pheno-hunts/${id}`)
    expect(await statusOf(owner, 'GET', `/api/pheno-hunts/${id}`)).toBe(404)
    expect(await test.db.selectFrom('hunt_events').select('id').where('hunt_id', '=', id).execute()).toEqual([])
  })
})

it('limits a hunt’s open tasks even if tasks are created at the same time or reopened', async () => {
  const { id } = await hunt()
  const create = (title: string) => test.request('POST', `/api/pheno-hunts/${id}/tasks`, owner, { title, dueOn: '2026-12-02' })
  const { id: taskId } = (await create('Water')).json() as { id: string }
  await made(owner, 'PUT', `/api/grow-tasks/${taskId}/done`, {})
  const tasks = Array.from({ length: maxOpenTasks - 1 }, (_, i) => ({
    ...{ id: newId(), hunt_id: id, title: `Task ${i}`, due_on: '2026-12-03', created_at: test.clock.now() },
  }))
  await test.db.insertInto('hunt_tasks').values(tasks).execute()
  const answers = await Promise.all(['Feed', 'Prune', 'Defoliate', 'Top'].map(create))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409, 409])
  expect(await statusOf(owner, 'DELETE', `/api/grow-tasks/${taskId}/done`)).toBe(409)
})

describe('the list of hunts', () => {
  it('paginates a person’s own and shared hunts together, newest first', async () => {
    const person = await test.signUp()
    await made(person, 'PUT', `/api/people/${owner.user.id}/follow`)
    const names: string[] = []
    for (let i = 0; i < 7; i++) {
      const name = `Page ${i}`
      const { id } = await hunt({ huntName: name }, i % 2 === 0 ? person : owner)
      if (i % 2 === 1) await share(id, 'view', person)
      names.unshift(name)
    }
    const seen: string[] = []
    let url: string | undefined = '/api/pheno-hunts?limit=3'
    while (url) {
      const answer = await test.request('GET', url, person)
      seen.push(...answer.json().map((each: Hunt) => each.huntName))
      url = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1]
    }
    expect(seen).toEqual(names)
  })

  it('lists the newest hunts first, whatever their IDs', async () => {
    const person = await test.signUp()
    const id = 'ffffffff-ffff-8fff-bfff-ffffffffffff'
    await addHunt(test.db, person.user.id, { id, hunt_name: 'By a program', created_at: new Date('2026-01-01') })
    await hunt({ huntName: 'In the app' }, person)
    expect(await namesOf(person)).toEqual(['In the app', 'By a program'])
  })

  it('separates active and completed hunts', async () => {
    const person = await test.signUp()
    const { id } = await hunt({ huntName: 'Done' }, person)
    await hunt({ huntName: 'Going on' }, person)
    await made(person, 'PUT', `/api/pheno-hunts/${id}/completion`, {})
    expect(await namesOf(person, '?isActive=true')).toEqual(['Going on'])
    expect(await namesOf(person, '?isActive=false')).toEqual(['Done'])
    expect(await statusOf(person, 'GET', '/api/pheno-hunts?isActive=perhaps')).toBe(400)
    expect(await made<object>(person, 'GET', '/api/pheno-hunts/summary')).toEqual({ active: 1, completed: 1, livingPlants: 0, keepers: 0 })
  })

  it('shows public hunts to all members, most recently published first, searchable by name and breeder', async () => {
    const first = await hunt({ huntName: 'Orange Bouffée', breeders: ['Terrace Seeds'] })
    const second = await hunt({ huntName: 'Orange Peel' })
    await publish(second.id)
    test.clock.advance({ minutes: 1 })
    await publish(first.id)
    expect(await namesOf(stranger, '?scope=public&search=orange')).toEqual(['Orange Bouffée', 'Orange Peel'])
    expect(await namesOf(stranger, '?scope=public&search=bouffee%20terrace')).toEqual(['Orange Bouffée'])
    expect(await namesOf(stranger, '?scope=public&search=oran_e')).toEqual([])
    expect(await namesOf(stranger)).toEqual([])
    await publish(first.id, 'private')
    expect(await namesOf(stranger, '?scope=public&search=orange')).toEqual(['Orange Peel'])
    expect(await statusOf(stranger, 'GET', `/api/pheno-hunts/${first.id}`)).toBe(404)
  })
})

describe('the summary', () => {
  it('counts records and shows when each stage began', async () => {
    const grower = await test.signUp()
    const { id } = await hunt({ germinationDate: '2026-09-01' }, grower)
    const genotypes = (['keep', 'breed', 'cull', null] as const).map((standing, i) => ({
      id: newId(),
      hunt_id: id,
      number: i + 1,
      standing,
    }))
    await test.db.insertInto('genotypes').values(genotypes).execute()
    const plants = genotypes.map((genotype, i) => ({
      id: newId(),
      hunt_id: id,
      genotype_id: genotype.id,
      kind: 'seed' as const,
      copy: 0,
      code: `AAAA000${i}`,
      ...(genotype.standing === 'cull' ? { ended_on: '2026-11-01', ended_how: 'culled' as const } : {}),
    }))
    await test.db.insertInto('plants').values(plants).execute()
    const log = (logged_on: string, stage: 'vegetative' | 'flower' | 'curing', deleted_at: Date | null = null) => ({
      id: newId(),
      hunt_id: id,
      logged_on,
      stage,
      deleted_at,
    })
    await test.db
      .insertInto('grow_logs')
      .values([
        log('2026-09-20', 'vegetative'),
        log('2026-09-22', 'vegetative'),
        log('2026-09-10', 'vegetative', test.clock.now()),
        log('2026-10-20', 'flower'),
        log('2026-11-15', 'curing'),
      ])
      .execute()
    await test.db.insertInto('runs').values({ id: newId(), hunt_id: id, name: 'Room 1', flowered_on: '2026-10-18' }).execute()
    expect(await made(grower, 'GET', `/api/pheno-hunts/${id}`)).toMatchObject({
      counts: { genotypes: 4, livingPlants: 3, logs: 4, keepers: 2, culled: 1 },
      stages: {
        germinatedOn: '2026-09-01',
        vegetativeOn: '2026-09-20',
        flowerOn: '2026-10-18',
        harvestedOn: null,
        driedOn: '2026-11-15',
      },
    })
    expect(await made<object>(grower, 'GET', '/api/pheno-hunts/summary')).toMatchObject({ livingPlants: 3, keepers: 2 })
  })

  it('shows the plant limit only to the owner and people with a share', async () => {
    const { id } = await hunt({ plantLimit: 6 })
    await publish(id)
    expect(await made(stranger, 'GET', `/api/pheno-hunts/${id}`)).toMatchObject({ plantLimit: null, sharesCount: null, access: 'view' })
    await share(id, 'view')
    expect(await made(partner, 'GET', `/api/pheno-hunts/${id}`)).toMatchObject({ plantLimit: 6, sharesCount: null, access: 'view' })
  })
})
