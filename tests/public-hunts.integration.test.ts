import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { GrowLog } from '#contracts/grow-logs.ts'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, addPlants, shareHunt } from './support/hunts.ts'
import { startTestApp, type TestApp, type TestPerson } from './support/test-app.ts'

/** Tests details that public hunts don't show to everyone. */

let t: TestApp
let owner: TestPerson
let writer: TestPerson
let viewer: TestPerson
let huntId: string
let plantId: string
let genotypeId: string

beforeAll(async () => {
  t = await startTestApp()
  owner = await t.signUp()
  writer = await t.signUp()
  viewer = await t.signUp()
})
afterAll(() => t?.close())
beforeEach(async () => {
  await t.db.deleteFrom('hunts').execute()
  huntId = (await addHunt(t.db, owner.user.id, { visibility: 'public' })).id
  const [plant] = await addPlants(t.db, huntId, 1)
  plantId = plant?.id as string
  genotypeId = plant?.genotypeId as string
  await shareHunt(t.db, huntId, writer.user.id, 'write')
})

async function made<Answer>(as: TestPerson, method: 'POST' | 'PATCH' | 'DELETE', url: string, body?: object): Promise<Answer> {
  const answer = await t.request(method, url, as, body)
  expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBeLessThan(300)
  return (answer.body === '' ? undefined : answer.json()) as Answer
}
const log = (as: TestPerson, content: object) =>
  made<GrowLog>(as, 'POST', '/api/grow-logs', { huntId, plantId, loggedOn: '2026-03-02', ...content })

const lists = () => [
  `/api/grow-logs?huntId=${huntId}`,
  `/api/pheno-hunts/${huntId}/activity`,
  `/api/pheno-hunts/${huntId}/decisions`,
  `/api/pheno-hunts/${huntId}/observations`,
  `/api/genotypes/${genotypeId}/history`,
  `/api/plants/${plantId}/history`,
]
const showing = async (as: TestPerson, words: string) => {
  const shown: string[] = []
  for (const url of lists()) if ((await t.request('GET', url, as)).body.includes(words)) shown.push(url.replace(/[0-9a-f-]{36}/g, ':id'))
  return shown
}

test('shows a log’s earlier values only to people with write access', async () => {
  const { id } = await log(owner, { notes: 'at 5 Elm Street', heightCm: 77.5 })
  await made(owner, 'PATCH', `/api/grow-logs/${id}`, { version: 1, notes: 'in the tent', heightCm: 78 })
  expect([await showing(viewer, 'Elm Street'), await showing(viewer, '77.5')]).toEqual([[], []])
  expect(await showing(writer, 'Elm Street')).toEqual(['/api/genotypes/:id/history', '/api/plants/:id/history'])
})

test('shows none of a deleted log’s figures', async () => {
  const { id } = await log(owner, { heightCm: 77.5 })
  expect(await showing(viewer, '77.5')).toContain('/api/pheno-hunts/:id/activity')
  await made(owner, 'DELETE', `/api/grow-logs/${id}`)
  expect(await showing(viewer, '77.5')).toEqual([])
})

test('hides an entry’s author from people whom the author blocked', async () => {
  await log(writer, { notes: 'mine' })
  await made(writer, 'POST', `/api/pheno-hunts/${huntId}/decisions`, { kind: 'keep', decisions: [{ id: newId(), genotypeId }] })
  const trait = await made<{ id: string }>(writer, 'POST', `/api/pheno-hunts/${huntId}/traits`, { name: 'Height', kind: 'number' })
  const value = { kind: 'number', number: 3 }
  const observations = [{ id: newId(), traitId: trait.id, plantId, observedOn: '2026-03-02', value }]
  await made(writer, 'POST', `/api/pheno-hunts/${huntId}/observations`, { observations })
  expect(await showing(viewer, writer.user.id)).toHaveLength(lists().length)
  await t.db.insertInto('person_blocks').values({ blocker_id: writer.user.id, blocked_id: viewer.user.id }).execute()
  expect(await showing(viewer, writer.user.id)).toEqual([])
})
