import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Certificate } from '#contracts/certificates.endpoints.ts'
import type { LabResult } from '#contracts/traits.endpoints.ts'
import { newId } from '#server/kernel/ids.ts'
import { certificateLayouts, inflatingPdf, pictureOnly } from '#tests/support/certificate-files.ts'
import { addHunt, addPlants, shareHunt } from '#tests/support/hunts.ts'
import { stallBody } from '#tests/support/stalled-body.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let writer: TestPerson
let viewer: TestPerson
let stranger: TestPerson
let huntId: string
let plantId: string

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  writer = await test.signUp()
  viewer = await test.signUp()
  stranger = await test.signUp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  await test.db.deleteFrom('hunts').execute()
  huntId = (await addHunt(test.db, owner.user.id)).id
  plantId = ((await addPlants(test.db, huntId, 1))[0] as { id: string }).id
  await shareHunt(test.db, huntId, writer.user.id, 'write')
  await shareHunt(test.db, huntId, viewer.user.id, 'view')
})

const read = (as: TestPerson | null, bytes: Buffer) => test.request('POST', `/api/pheno-hunts/${huntId}/certificates`, as, bytes)
const csv = Buffer.from('Sample,Analyte,Result (%)\n#1,THCA,20\n#1,THC,1\n')

it('reads a PDF and a CSV for people with write access, and stores nothing', async () => {
  const pdf = await certificateLayouts['tables side by side']?.('Haze #1')
  const answer = await read(writer, pdf as Buffer)
  expect(answer.statusCode, answer.body).toBe(200)
  const certificate = answer.json() as Certificate
  expect(certificate).toMatchObject({ kind: 'pdf', lab: 'Silver State Analytics', samples: [{ name: 'Haze #1', testedOn: '2026-11-06' }] })
  expect(((await read(owner, csv)).json() as Certificate).samples[0]?.results.at(-1)).toMatchObject({ analyte: 'Total THC', value: 18.54 })
  expect((await read(viewer, csv)).statusCode).toBe(403)
  expect((await read(stranger, csv)).statusCode).toBe(404)
  expect((await read(null, csv)).statusCode).toBe(401)
  expect(await test.db.selectFrom('lab_results').selectAll().execute()).toEqual([])
})

it('reads a file while other people’s uploads are slow', async () => {
  const path = `/api/pheno-hunts/${huntId}/certificates`
  const slow = await stallBody(test, 'POST', path, { 'content-type': 'application/octet-stream', cookie: owner.cookie })
  try {
    expect((await read(writer, csv)).statusCode).toBe(200)
  } finally {
    slow.end()
  }
})

it('explains why it can’t read a file', async () => {
  const refusal = async (bytes: Buffer) => {
    const answer = await read(owner, bytes)
    expect(answer.statusCode).toBe(400)
    return (answer.json() as { message: string }).message
  }
  expect(await refusal(await pictureOnly())).toContain('picture without text')
  expect(await refusal(Buffer.from('%PDF-1.7'))).toContain('damaged')
  expect(await refusal(Buffer.from('Name,Price\nHaze,30\n'))).toContain('no cannabinoids or terpenes')
  expect(await refusal(Buffer.alloc(0))).toContain('empty')
})

it('refuses a PDF that inflates beyond a process’s memory limit', async () => {
  const answer = await read(owner, inflatingPdf())
  expect([answer.statusCode, answer.json().message]).toEqual([400, 'This file took too long to read. Enter its results below.'])
}, 15_000)

it('deletes only saved results of this hunt, idempotently', async () => {
  const foreign = await addHunt(test.db, stranger.user.id)
  const [foreignPlant] = await addPlants(test.db, foreign.id, 1)
  const save = async (hunt: string, as: TestPerson, plant: string | undefined) => {
    const results = [1, 2].map((value) => ({ id: newId(), plantId: plant, testedOn: '2026-03-20', analyte: 'THC', value }))
    expect((await test.request('POST', `/api/pheno-hunts/${hunt}/lab-results`, as, { results })).statusCode).toBe(201)
    return results.map(({ id }) => id)
  }
  const ids = await save(huntId, owner, plantId)
  const foreignIds = await save(foreign.id, stranger, foreignPlant?.id)
  const remove = (as: TestPerson, all: string[]) => test.request('DELETE', `/api/pheno-hunts/${huntId}/lab-results`, as, { ids: all })
  expect((await remove(viewer, ids)).statusCode).toBe(403)
  expect((await remove(stranger, ids)).statusCode).toBe(404)
  for (let times = 0; times < 2; times++) expect((await remove(writer, [ids[0] as string, ...foreignIds])).statusCode).toBe(204)
  const left = await test.db.selectFrom('lab_results').select('id').execute()
  expect(left.map(({ id }) => id).toSorted()).toEqual([ids[1], ...foreignIds].toSorted())
  const listed = (await test.request('GET', `/api/pheno-hunts/${huntId}/lab-results`, owner)).json() as LabResult[]
  expect(listed).toHaveLength(1)
})
