import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deletionPhrase } from '#contracts/limits.ts'
import { findAuditBreak } from '#server/features/audit/index.ts'
import { filesWith, placesOf, writeCanaries } from '#tests/support/canaries.ts'
import { findWrongCounters } from '#tests/support/counters.ts'
import { addLife, type Life } from '#tests/support/life.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { unzip } from '#tests/support/unzip.ts'
import { uploadsOf } from '#tests/support/uploads.ts'
import { camelCase } from './make-export.ts'
import { folders, tables } from './map/index.ts'

const canary = 'kanarienvogel'

let test: TestApp
let person: TestPerson
let friend: TestPerson
let reader: TestPerson
let other: TestPerson
let life: Life
let written: string[]

beforeAll(async () => {
  test = await startTestApp()
  friend = await test.signUp()
  reader = await test.signUp()
  person = await test.signUp({ email: `${canary}@example.com` })
  other = await test.signUp()
  await addLife(test, other, { friend: await test.signUp(), reader: await test.signUp() })
  life = await addLife(test, person, { friend, reader })
  written = await writeCanaries(test, person, canary)
}, 120_000)
afterAll(() => test?.close())

const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, as: TestPerson, payload?: object) => {
  const answer = await test.request(method, url, as, payload)
  expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBeLessThan(300)
  return answer.body === '' ? {} : answer.json()
}

async function exportOf(as: TestPerson): Promise<Map<string, Buffer>> {
  const { id } = await call('POST', '/api/user/exports', as)
  await test.runJobs()
  const { path: link } = await call('POST', `/api/user/exports/${id}/link`, as, { password: as.password })
  const answer = await test.request('GET', link, as)
  expect(answer.statusCode).toBe(200)
  return unzip(answer.rawPayload)
}

it('seeds the person in every table of the map that can refer to them', async () => {
  const without: string[] = []
  for (const [table, { people = {} }] of Object.entries(tables)) {
    for (const [column, fate] of Object.entries(people)) {
      const { rows } = await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${person.user.id}::uuid limit 1`.execute(
        test.db,
      )
      if (rows.length === 0) without.push(`${table}.${column} ${fate}`)
    }
  }
  // Columns that the steps below write, or that may contain only the conversation's other participant.
  const later = ['account_deletions.user_id row', 'data_exports.user_id row', 'audit_log.actor_id kept', 'audit_log.subject_id kept']
  const made = ['search_documents.person_id row', 'conversations.person_id emptied', 'conversations.other_id emptied']
  expect(without.filter((each) => ![...later, ...made].includes(each))).toEqual([])
  expect(written.length).toBeGreaterThan(60)
})

it('exports all of the person’s text and files', async () => {
  const files = await exportOf(person)
  for (const place of written) {
    const [table = '', column = ''] = place.split('.')
    const { exported } = tables[table] ?? {}
    if (typeof exported !== 'object' || exported.leftOut?.[column]) continue
    const file = files.get(`data/${exported.file}.json`)
    expect(file, place).toBeDefined()
    const rows = JSON.parse(String(file)) as Record<string, unknown>[]
    expect(
      rows.some((row) => JSON.stringify(row[camelCase(column)]).includes(canary)),
      place,
    ).toBe(true)
  }
  const uploads = uploadsOf(test)
  for (const id of life.media) {
    const kept = uploads.storedOf(id)
    expect(kept.length, id).toBeGreaterThan(0)
    expect(files.get(`media/${id}.webp`)?.length, id).toBeGreaterThan(0)
  }
  expect(files.get('README.txt')?.toString()).toContain(person.email)
  expect(JSON.parse(String(files.get(`hunts/${life.hunt}.json`))).format).toBe('sungrove.hunt')
  const schema = JSON.parse(String(files.get('data/schema.json')))
  expect(schema.files.find(({ file }: { file: string }) => file === 'data/posts.json').fields).toContain('createdAt')
})

it('exports no secrets and nothing that belongs to anyone else', async () => {
  const files = await exportOf(person)
  // This file lists what the export omits.
  files.delete('data/schema.json')
  const whole = [...files.values()].map(String).join('\n')
  for (const secret of ['Hello yourself.', 'Too loud.', 'password":', 'tokenHash":', friend.email, 'theirs@']) {
    expect(whole.includes(secret), secret).toBe(false)
  }
  const { password } = await test.db
    .selectFrom('credentials')
    .select('password')
    .where('user_id', '=', friend.user.id)
    .executeTakeFirstOrThrow()
  expect(whole).not.toContain(password)
})

it('erases the person completely after 14 days, and leaves exact counts and everyone else’s data', async () => {
  await pass({ days: 0, hours: 1 })
  const ofOther = await exportOf(other)
  expect(await findWrongCounters(test.db)).toEqual([])
  const { dueAt } = await call('POST', '/api/user/deletion', person, { password: person.password, confirmation: deletionPhrase })
  // Emails and screens show the date of this moment, which is the same in all states.
  expect(dueAt).toMatch(/T12:00:00\.000Z$/)
  const wait = Date.parse(dueAt) - test.clock.now().getTime()
  expect(wait).toBeGreaterThan(14 * 86_400_000 - 60_000)
  expect(wait).toBeLessThanOrEqual(15 * 86_400_000)
  await test.runJobs()

  const seen = await call('GET', `/api/people/${person.user.id}`, friend)
  expect(seen).toMatchObject({ name: 'Member', imageUrl: null, isProfilePublic: false, bio: null })

  await pass({ days: 13 })
  await pass({ days: 2 })
  const left = await placesOf(test.db, [canary, person.user.id, person.email])
  expect(left).toEqual({ 'audit_log.actor_id': expect.any(Number), 'audit_log.subject_id': expect.any(Number) })
  // Files that a business shows belong to the business.
  const inFiles = filesWith(test.dataDir, [canary, person.user.id, ...life.media])
  expect(inFiles.filter((file) => !life.shownByBusiness.some((id) => file.includes(id)))).toEqual([])
  expect(await findWrongCounters(test.db)).toEqual([])
  expect(await findAuditBreak(test.db)).toBeNull()

  // Comments by others are kept, under an anonymized post.
  const post = await call('GET', `/api/posts/${life.emptied}`, friend)
  expect(post).toMatchObject({ title: 'Deleted post', commentsCount: 1 })
  expect((await call('GET', `/api/posts/${life.emptied}/comments`, friend)).map((each: { content: string }) => each.content)).toEqual([
    'Well said.',
  ])
  expect((await test.request('GET', `/api/posts/${life.post}`, friend)).statusCode).toBe(404)
  expect((await test.request('GET', `/api/people/${person.user.id}`, friend)).statusCode).toBe(404)
  const [talk] = await call('GET', '/api/conversations', friend)
  expect(talk).toMatchObject({ participant: { kind: 'gone' }, lastMessage: { text: 'Hello yourself.' } })
  for (const id of life.shownByBusiness) expect(uploadsOf(test).storedOf(id)).not.toEqual([])

  const after = await exportOf(other)
  const changing = ['data/sessions.json', 'data/data-exports.json', 'data/audit-log.json', 'data/schema.json', 'README.txt']
  for (const [name, bytes] of ofOther) {
    if (!changing.includes(name) && !name.startsWith('hunts/')) expect(after.get(name)?.equals(bytes), name).toBe(true)
  }
}, 120_000)

it('has an entry in the map for every folder of the data directory', () => {
  const foldersIn = (folder: string) =>
    fs.readdirSync(path.join(test.dataDir, folder), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  // `dist` is created by the test.
  const there = [
    ...foldersIn('').filter((name) => name !== 'media' && name !== 'dist'),
    ...foldersIn('media').map((name) => `media/${name}`),
  ]
  expect(there).toContain('media/media')
  expect(there.filter((name) => !(name in folders))).toEqual([])
})

async function pass(time: { days: number; hours?: number }): Promise<void> {
  test.clock.advance({ hours: time.days * 24 + (time.hours ?? 0) })
  await test.db
    .updateTable('sessions')
    .set({ expires_at: new Date('2060-01-01') })
    .execute()
  await test.ctx.jobs.enqueue('own-data.sweep', {})
  await test.runJobs()
}
