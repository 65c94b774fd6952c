import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Observation } from '#contracts/observations.endpoints.ts'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, addPlants, shareHunt } from '#tests/support/hunts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let writer: TestPerson
let huntId: string
let plantIds: string[]
let height: string

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  writer = await test.signUp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  huntId = (await addHunt(test.db, owner.user.id)).id
  plantIds = (await addPlants(test.db, huntId, 2)).map(({ id }) => id)
  await shareHunt(test.db, huntId, writer.user.id, 'write')
  height = newId()
  await test.db.insertInto('traits').values({ id: height, hunt_id: huntId, name: 'Height', kind: 'number', options: '[]' }).execute()
})

type Row = Record<string, unknown>
const row = (details: Row = {}): Row => ({
  id: newId(),
  traitId: height,
  plantId: plantIds[0],
  observedOn: '2026-03-02',
  value: { kind: 'number', number: 41 },
  ...details,
})
async function written(as: TestPerson, ...observations: Row[]): Promise<Observation[]> {
  const answer = await test.request('POST', `/api/pheno-hunts/${huntId}/observations`, as, { observations })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json() as Observation[]
}
const listed = async () => (await test.request('GET', `/api/pheno-hunts/${huntId}/observations`, owner)).json() as Observation[]

describe('an observation from a file', () => {
  it('is skipped if the person recorded the same value that day, even if it was corrected since', async () => {
    const once = (details: Row = {}) => row({ sameDay: 'once', ...details })
    const numbers = async () => (await listed()).map(({ number }) => number).sort()
    const file = [once(), once(), once({ value: { kind: 'number', number: 42 } }), once({ observedOn: '2026-03-03' })]
    expect(await written(owner, ...file)).toHaveLength(4)
    // Retries the request, and then sends the same file as new rows.
    expect(await written(owner, ...file)).toHaveLength(4)
    const again = () => file.map((each) => ({ ...each, id: newId() }))
    expect(await written(owner, ...again())).toEqual([])
    const seen = (await listed()).find(({ number }) => number === 42) as Observation
    await written(owner, row({ correctsId: seen.id, value: { kind: 'number', number: 43 } }))
    await written(owner, ...again())
    expect(await numbers()).toEqual([41, 41, 41, 42, 43])
    // Two of the three were recorded before, so only one is new. Another person's score is new, too.
    expect(await written(owner, once(), once(), once())).toHaveLength(1)
    expect(await written(writer, once())).toHaveLength(1)
    expect(await numbers()).toEqual([41, 41, 41, 41, 41, 42, 43])
  })

  it('corrects the person’s score from that day if a corrected file is imported, but adds repeated measurements', async () => {
    const once = (number: number, details: Row = {}) => row({ sameDay: 'once', value: { kind: 'number', number }, ...details })
    const current = async () =>
      (await listed())
        .filter(({ isCurrent }) => isCurrent)
        .map(({ number }) => number)
        .sort()
    await written(writer, row({ value: { kind: 'number', number: 30 } }))
    await written(owner, once(41), once(50, { plantId: plantIds[1] }))
    const file = [once(44), once(50, { plantId: plantIds[1] })]
    expect(await written(owner, ...file)).toHaveLength(1)
    expect(await written(owner, ...file)).toHaveLength(1)
    expect(await current()).toEqual([30, 44, 50])
    // Importing the first file again changes nothing.
    expect(await written(owner, once(41))).toEqual([])
    // A file with several values for a day adds those that are new.
    expect(await written(owner, once(44), once(45))).toHaveLength(1)
    expect(await current()).toEqual([30, 44, 45, 50])
  })
})
