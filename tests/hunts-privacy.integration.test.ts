import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#contracts/endpoint.ts'
import { endpoints } from '#contracts/index.ts'
import { huntMatrix as matrix } from './support/hunt-matrix.ts'
import { addHuntWorld, type HuntWorld, nowhere, tablesOfHunts } from './support/hunt-world.ts'
import { giveRole } from './support/roles.ts'
import { startTestApp, type TestApp, type TestPerson } from './support/test-app.ts'

/**
 * A private hunt looks missing to everyone without a share. People without one make every call on a hunt with the canary in its text,
 * and repeat it for a hunt that never existed: the responses must be identical. A call missing from tests/support/hunt-matrix.ts fails
 * a test.
 */

const canary = 'phellodendroncanary'

let t: TestApp
let world: HuntWorld
let owner: TestPerson
let writer: TestPerson
let viewer: TestPerson
/** People to whom the hunt looks missing, by their relationship to it. */
const outsiders = new Map<string, TestPerson>()
const logged: string[] = []
const registered: string[] = []

/** First path segments under /api that are unrelated to growing. */
const otherCollections = new Set([
  ...[
    'activity',
    'admin',
    'ai',
    'auth',
    'billing',
    'blocks',
    'businesses',
    'claims',
    'comments',
    'communities',
    'community-posts',
    'community-tags',
    'drafts',
    'events',
    'favorites',
    'featured',
    'feed',
    'groups',
  ],
  ...['conversations', 'message-settings', 'messages', 'moderation', 'moderation-log', 'standing'],
  ...['invitations', 'login', 'media', 'notification-preferences', 'notifications', 'people', 'places', 'plans', 'posts', 'push'],
  ...['ratings', 'register', 'reports', 'search', 'second-factor', 'sign-in', 'subscriptions', 'support-requests', 'trending', 'user'],
  ...['verifications', 'corrections', 'products', 'mutes', 'mention-suggestions', 'saved-posts', 'integrations'],
])

const nameOf = ({ method, path: address }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${address}`
const collectionOf = (address: string) => address.split('/')[2] as string
const growing = endpoints.filter((each) => !otherCollections.has(collectionOf(each.path)))
const listed = growing.filter((each) => nameOf(each) in matrix)

beforeAll(async () => {
  t = await startTestApp({
    onRoute: (method, url) => registered.push(`${method} ${url}`),
    env: { LOG_LEVEL: 'trace' },
    logTo: (line) => logged.push(line),
  })
  owner = await t.signUp()
  writer = await t.signUp()
  viewer = await t.signUp()
  for (const who of ['ex-sharer', 'blocked', 'blocking', 'follower', 'stranger', 'moderator', 'admin']) outsiders.set(who, await t.signUp())
  const outsider = (who: string) => outsiders.get(who) as TestPerson
  for (const role of ['moderator', 'admin'] as const) {
    await giveRole(t, outsider(role), role)
  }
  for (const person of [writer, viewer, ...outsiders.values()]) await call('PUT', `/api/people/${owner.user.id}/follow`, person)
  world = await addHuntWorld(t.db, canary, { owner: owner.user.id, viewer: viewer.user.id, writer: writer.user.id })
  // The next three lose access in different ways. Jobs queued for them earlier run afterward.
  const shares = `/api/pheno-hunts/${world.hunt}/shares`
  for (const who of ['ex-sharer', 'blocked', 'blocking']) {
    await wantEverything(outsider(who))
    await call('PUT', `${shares}/${outsider(who).user.id}`, owner, { access: 'write' })
  }
  await call('DELETE', `${shares}/${outsider('ex-sharer').user.id}`, owner)
  await call('PUT', `/api/people/${outsider('blocked').user.id}/block`, owner)
  await call('PUT', `/api/people/${owner.user.id}/block`, outsider('blocking'))
  // The hunt was public once, and was reported then.
  await call('PUT', `/api/pheno-hunts/${world.hunt}/visibility`, owner, { visibility: 'public' })
  await call('POST', '/api/reports', outsider('stranger'), { subject: 'hunt', subjectId: world.hunt, reason: 'spam' })
  await call('PUT', `/api/pheno-hunts/${world.hunt}/visibility`, owner, { visibility: 'private' })
  await t.runJobs()
})
afterAll(() => t?.close())

async function call(method: Endpoint['method'], url: string, as: TestPerson, payload?: object) {
  const response = await t.request(method, url, as, payload)
  expect(response.statusCode, `${method} ${url}: ${response.body}`).toBeLessThan(300)
  return response
}

async function wantEverything(person: TestPerson) {
  const preferences = (await t.request('GET', '/api/notification-preferences', person)).json()
  const topics = preferences.topics.map(({ topic }: { topic: string }) => ({ topic, channels: { in_app: true, email: true, push: true } }))
  await call('PATCH', '/api/notification-preferences', person, { ...preferences, topics, isEmailOn: true, emailRhythm: 'each' })
}

const params: Record<string, (of: HuntWorld) => string> = {
  number: () => '1',
  code: ({ plantCode }) => plantCode,
  personId: ({ person }) => person,
  stage: () => 'flower',
  measure: () => 'vpdKpa',
  token: () => 'none',
  hash: () => 'c'.repeat(64),
}

/** Path, query and body of a call about this hunt, or about one that never existed. */
function requestOf(endpoint: Endpoint, of: HuntWorld) {
  const row = matrix[nameOf(endpoint)]
  if (!row) throw new Error(`Add ${nameOf(endpoint)} to the matrix, with what it needs.`)
  const id = endpoint.path.startsWith('/api/pheno-hunts/') ? of.hunt : of.ids[collectionOf(endpoint.path)]
  const address = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = name === 'id' ? id : params[name]?.(of)
    if (value === undefined) throw new Error(`Say what :${name} of ${endpoint.path} stands for, here or in tests/support/hunt-world.ts.`)
    return value
  })
  return { row, url: address + (row.query?.(of) ?? ''), body: row.body?.(of) }
}

/** Replaces the IDs that differ between calls. */
const without = (body: string, of: HuntWorld) =>
  [of.hunt, of.plantCode, ...of.media, ...Object.values(of.ids)].reduce((text, id) => text.replaceAll(id, 'ID'), body)

test('covers exactly the calls of the growing API', () => {
  expect(growing.map(nameOf).filter((name) => !(name in matrix))).toEqual([])
  expect(Object.keys(matrix).filter((name) => !growing.some((each) => nameOf(each) === name))).toEqual([])
})

test('has data in every table of hunts, and shows the canary to people with access', async () => {
  for (const table of await tablesOfHunts(t.db)) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(t.db)
    expect(rows.length, `${table} is empty: add a row in tests/support/hunt-world.ts`).toBe(1)
  }
  for (const person of [owner, writer, viewer]) expect((await call('GET', `/api/pheno-hunts/${world.hunt}`, person)).body).toContain(canary)
})

test('responds to people without a share as if the hunt did not exist', async () => {
  const before = await fingerprint()
  const none = nowhere(world)
  for (const [who, person] of outsiders) {
    for (const endpoint of listed) {
      const { row, url, body } = requestOf(endpoint, world)
      const what = `${who}: ${endpoint.method} ${url}`
      const answer = await t.request(endpoint.method, url, person, body)
      expect((JSON.stringify(answer.headers) + answer.body).includes(canary), what).toBe(false)
      if (row.needs === 'nothing') {
        expect(answer.statusCode, `${what}: ${answer.body}`).toBeLessThan(500)
        continue
      }
      expect(answer.statusCode, `${what}: ${answer.body}`).toBe(404)
      const other = requestOf(endpoint, none)
      const absent = await t.request(endpoint.method, other.url, person, other.body)
      expect(without(answer.body, world), what).toBe(without(absent.body, none))
    }
  }
  expect(await fingerprint()).toBe(before)
}, 120_000)

test('leaks nothing through a hunt’s other routes to people without a share', async () => {
  const declared = new Set(endpoints.map(nameOf))
  const plain = registered.filter((route) => /^GET \/api\/pheno-hunts\/:id\//.test(route) && !declared.has(route))
  for (const route of plain) {
    const addressOf = (id: string) => route.slice('GET '.length).replace(':id', id)
    expect((await t.request('GET', addressOf(world.hunt), null)).statusCode, route).toBe(401)
    for (const [who, person] of outsiders) {
      const answer = await t.request('GET', addressOf(world.hunt), person)
      expect(answer.statusCode, `${who}: ${route}`).toBe(404)
      expect(answer.body).toBe((await t.request('GET', addressOf(nowhere(world).hunt), person)).body)
    }
  }
})

test('asks visitors to sign in', async () => {
  for (const endpoint of listed.filter(({ access }) => access !== 'public')) {
    const { url, body } = requestOf(endpoint, world)
    expect((await t.request(endpoint.method, url, null, body)).statusCode, nameOf(endpoint)).toBe(401)
  }
})

test('refuses writes with a view share, and the owner’s calls with a write share', async () => {
  const before = await fingerprint()
  for (const endpoint of listed) {
    const { row, url, body } = requestOf(endpoint, world)
    for (const [person, held] of [
      [viewer, 1],
      [writer, 2],
    ] as const) {
      const needed = ['nothing', 'view', 'write', 'own', 'secret'].indexOf(row.needs)
      const what = `${held === 1 ? 'viewer' : 'writer'}: ${endpoint.method} ${url}`
      // People may end a share they received.
      if (row.needs === 'secret' || url.endsWith(person.user.id)) continue
      if (needed > held) expect((await t.request(endpoint.method, url, person, body)).statusCode, what).toBe(403)
      else if (endpoint.method === 'GET') expect((await t.request('GET', url, person)).statusCode, what).toBe(200)
    }
  }
  expect(await fingerprint()).toBe(before)
})

async function fingerprint(): Promise<string> {
  const parts: string[] = []
  for (const table of await tablesOfHunts(t.db)) {
    const mine = table === 'hunts' ? sql`where id = ${world.hunt}::uuid` : sql``
    const { rows } = await sql<{ text: string | null }>`
      select md5(string_agg(row::text, ',' order by row::text)) as text from ${sql.table(table)} as row ${mine}`.execute(t.db)
    if (!['hunt_events', 'genotypes', 'plants', 'seed_lots'].includes(table)) parts.push(`${table} ${rows[0]?.text}`)
  }
  return parts.join('\n')
}

test('leaks nothing through any other call, page, or file', async () => {
  const ids = [world.hunt, owner.user.id, ...world.media, world.ids['grow-logs']]
  const addresses = endpoints
    .filter((each) => each.method === 'GET' && !growing.includes(each))
    .flatMap((each) => (each.path.includes(':') ? ids.map((id) => each.path.replace(/:\w+/g, id ?? '')) : [each.path]))
    .flatMap((address) => [address, `${address}?q=${canary}&search=${canary}&limit=100`])
  addresses.push(
    '/pheno-hunt',
    `/pheno-hunt?hunt=${world.hunt}`,
    `/pheno-hunt/${world.hunt}`,
    `/api/pheno-hunts/${world.hunt}/climate.csv`,
    `/api/pheno-hunts/${world.hunt}/labels.pdf`,
    `/api/blind-panels/${world.ids['blind-panels']}/results.csv`,
    `/people/${owner.user.id}`,
    '/notifications',
  )
  for (const id of world.media) for (const size of ['small', 'medium', 'large']) addresses.push(`/media/${id}/${size}.webp`)
  for (const [who, person] of [...outsiders, ['visitor', null] as const]) {
    for (const address of addresses) {
      const response = await t.request('GET', address, person)
      expect((JSON.stringify(response.headers) + response.body).includes(canary), `${who}: ${address}`).toBe(false)
      expect(response.statusCode, `${who}: ${address}: ${response.body}`).toBeLessThan(500)
      if (address.startsWith('/media/')) expect(response.statusCode, `${who}: ${address}`).toBe(404)
    }
  }
}, 120_000)

test('never notifies or emails anyone without a share', async () => {
  t.clock.advance({ hours: 2 })
  await t.runJobs()
  const outbox = path.join(t.dataDir, 'outbox')
  const mails = fs.readdirSync(outbox).map((file) => fs.readFileSync(path.join(outbox, file), 'utf8'))
  for (const [who, person] of outsiders) {
    expect(
      mails.some((mail) => mail.includes(person.email) && mail.includes(canary)),
      who,
    ).toBe(false)
    expect((await t.request('GET', '/api/notifications', person)).json(), who).toEqual([])
    expect((await t.request('GET', '/api/notifications/unread-count', person)).json(), who).toEqual({ count: 0 })
  }
})

test('leaks nothing into logs or other tables', async () => {
  expect(logged.length).toBeGreaterThan(0)
  // Logged addresses contain the search terms.
  expect(logged.map((line) => line.replace(/"url":"[^"]*"/, '')).filter((line) => line.includes(canary))).toEqual([])
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(t.db)
  const own = new Set([...(await tablesOfHunts(t.db)), 'media'])
  for (const { name } of rows.filter((row) => !own.has(row.name))) {
    const found = await sql`select 1 from ${sql.table(name)} as row where row::text ilike ${`%${canary}%`} limit 1`.execute(t.db)
    expect(found.rows.length, name).toBe(0)
  }
})

test('gives the owner access to every call in the matrix', async () => {
  const order = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
  // Deletes the hunt itself last.
  const rank = (each: Endpoint) => (nameOf(each) === 'DELETE /api/pheno-hunts/:id' ? order.length : order.indexOf(each.method))
  const calls = listed.toSorted((a, b) => rank(a) - rank(b) || b.path.length - a.path.length)
  for (const endpoint of calls) {
    const { row, url, body } = requestOf(endpoint, world)
    if (row.needs === 'secret') continue
    const answer = await t.request(endpoint.method, url, owner, body)
    expect([403, 404], `${endpoint.method} ${url}: ${answer.body}`).not.toContain(answer.statusCode)
    expect(answer.statusCode, `${endpoint.method} ${url}: ${answer.body}`).toBeLessThan(500)
  }
})
