import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#contracts/endpoint.ts'
import { endpoints } from '#contracts/index.ts'
import { livePath } from '#contracts/live.ts'
import type { Message } from '#contracts/messages.endpoints.ts'
import type { PushMessage } from '#server/kernel/context.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from './support/businesses.ts'
import { defaultMessageSettings, messagesOf } from './support/messages.ts'
import { giveRole } from './support/roles.ts'
import { joinBusiness, subscribeTo } from './support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from './support/test-app.ts'

/**
 * Messages are private to their participants. Looks for them in every call, page, file, email, push, stream, table and log line of
 * everyone else. Each call about them must respond as if they never existed. A call missing from the list below fails a test.
 */

const canary = 'quercitroncanary'

let t: TestApp
let mail: ReturnType<typeof messagesOf>
let ann: TestPerson
let ben: TestPerson
let cid: TestPerson
let owner: TestPerson
let shop: string
/** Ann's with Ben, Cid's with Ben (a request that Ben hasn't accepted), and Ann's with the shop. */
let conversations: string[]
let messages: Message[]
const photos: string[] = []
/** People in none of the conversations, by their relationship to the participants. */
const outsiders = new Map<string, TestPerson>()
const logged: string[] = []
const pushes: PushMessage[] = []

const nameOf = ({ method, path: address }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${address}`
const collectionOf = (address: string) => address.split('/')[2] as string
const isOfMessages = ({ path: address }: Endpoint) => ['conversations', 'messages', 'message-settings'].includes(collectionOf(address))
const calls = endpoints.filter(isOfMessages)

/** The subjects of the calls, which either exist or never existed. */
type World = { conversation: string; message: string; shop: string; person: string }

/** Every call about messages, with its body and whether it is about one conversation, which must look missing to others. */
const matrix: Record<
  string,
  { about: 'conversation' | 'message' | 'inbox' | 'self'; query?: (of: World) => string; body?: (of: World) => object }
> = {
  'GET /api/conversations': { about: 'inbox', query: (of) => `?inbox=${of.shop}` },
  'POST /api/conversations': { about: 'inbox', body: (of) => ({ to: { kind: 'business', id: of.shop } }) },
  'GET /api/conversations/:id': { about: 'conversation' },
  'DELETE /api/conversations/:id': { about: 'conversation' },
  'GET /api/conversations/:id/messages': { about: 'conversation', query: () => '?after=0' },
  'POST /api/conversations/:id/messages': { about: 'conversation', body: () => ({ id: newId(), content: 'Let me in' }) },
  'POST /api/conversations/:id/read': { about: 'conversation', body: () => ({ sequence: 1 }) },
  'POST /api/conversations/:id/typing': { about: 'conversation' },
  'PUT /api/conversations/:id/mute': { about: 'conversation' },
  'DELETE /api/conversations/:id/mute': { about: 'conversation' },
  'POST /api/conversations/:id/accept': { about: 'conversation' },
  'POST /api/conversations/:id/decline': { about: 'conversation' },
  'DELETE /api/messages/:id': { about: 'message' },
  'GET /api/messages/search': { about: 'inbox', query: (of) => `?inbox=${of.shop}&q=${canary}` },
  'GET /api/messages/unread-count': { about: 'self' },
  'GET /api/message-settings': { about: 'self' },
  'PATCH /api/message-settings': { about: 'self', body: () => defaultMessageSettings },
}

function requestOf(endpoint: Endpoint, of: World) {
  const row = matrix[nameOf(endpoint)]
  if (!row) throw new Error(`Add ${nameOf(endpoint)} to the matrix.`)
  const url = endpoint.path.replace(':id', row.about === 'message' ? of.message : of.conversation) + (row.query?.(of) ?? '')
  return { row, url, body: row.body?.(of) }
}

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

/** A photo with the canary in its description. It has no file, because unauthorized viewers never get that far. */
async function addPhoto(as: TestPerson): Promise<string> {
  const id = newId()
  const photo = { id, owner_id: as.user.id, kind: 'image' as const, status: 'ready' as const, byte_size: 10, received_bytes: 10 }
  await t.db
    .insertInto('media')
    .values({ ...photo, width: 640, height: 480, widths: [480, 640, 640], alt: `A picture of ${canary}`, placeholder: null })
    .execute()
  photos.push(id)
  return id
}

beforeAll(async () => {
  t = await startTestApp({ env: { LOG_LEVEL: 'trace' }, logTo: (line) => logged.push(line) })
  mail = messagesOf(t)
  t.ctx.pusher = {
    publicKey: 'key',
    async send(_target, message) {
      pushes.push(message)
      return 'sent'
    },
  }
  ;[ann, ben, cid, owner] = [await t.signUp(), await t.signUp(), await t.signUp(), await t.signUp()]
  shop = (await addBusiness(t.db)).id
  await joinBusiness(t.db, owner.user.id, shop)
  await subscribeTo(t.db, ann.user.id, shop)
  for (const who of ['stranger', 'follower', 'blocked', 'blocking', 'former-team', 'moderator', 'admin'])
    outsiders.set(who, await t.signUp())
  const outsider = (who: string) => outsiders.get(who) as TestPerson
  for (const role of ['moderator', 'admin'] as const) await giveRole(t, outsider(role), role)
  await joinBusiness(t.db, outsider('former-team').user.id, shop, 'staff')
  for (const person of [ann, ben, cid, owner, ...outsiders.values()]) await wantEverything(person)
  for (const person of [ann, ben, owner]) {
    for (const who of ['follower', 'stranger']) await call('PUT', `/api/people/${person.user.id}/follow`, outsider(who))
    await call('PUT', `/api/people/${outsider('blocked').user.id}/block`, person)
    await call('PUT', `/api/people/${person.user.id}/block`, outsider('blocking'))
  }

  const between = await mail.between(ann, ben)
  const request = (await mail.openWith(cid, ben)).id
  const withShop = (await mail.open(ann, { kind: 'business', id: shop })).id
  conversations = [between, request, withShop]
  messages = [
    await mail.send(ann, between, `Between us: ${canary}`, { mediaIds: [await addPhoto(ann)] }),
    await mail.send(ben, between, `Yes, ${canary}`),
    await mail.send(cid, request, `You do not know me: ${canary}`),
    await mail.send(ann, withShop, `How much is ${canary}?`),
    await mail.send(owner, withShop, `For you, ${canary}`, { mediaIds: [await addPhoto(owner)] }),
  ]
  await t.runJobs()
  await t.db.deleteFrom('business_members').where('user_id', '=', outsider('former-team').user.id).execute()
})
afterAll(() => t?.close())

const nowhere = (): World => ({ conversation: newId(), message: newId(), shop: newId(), person: newId() })
const worlds = (): World[] =>
  messages.map((message) => ({ conversation: message.conversationId, message: message.id, shop, person: ann.user.id }))
const without = (body: string, of: World) => Object.values(of).reduce((text, id) => text.replaceAll(id, 'ID'), body)

async function fingerprint(): Promise<string> {
  const parts: string[] = []
  for (const table of ['conversations', 'conversation_sides', 'messages', 'message_media', 'message_deletions'] as const) {
    const { rows } = await sql<{ text: string | null }>`
      select md5(string_agg(row::text, ',' order by row::text)) as text from ${sql.table(table)} as row`.execute(t.db)
    parts.push(`${table} ${rows[0]?.text}`)
  }
  return parts.join('\n')
}

test('covers exactly the calls about messages', () => {
  expect(calls.map(nameOf).filter((name) => !(name in matrix))).toEqual([])
  expect(Object.keys(matrix).filter((name) => !calls.some((each) => nameOf(each) === name))).toEqual([])
})

test('lets both participants read the conversation', async () => {
  const [between, request, withShop] = conversations as [string, string, string]
  for (const [person, id] of [
    [ann, between],
    [ben, between],
    [cid, request],
    [ben, request],
    [ann, withShop],
    [owner, withShop],
  ] as const) {
    expect((await call('GET', `/api/conversations/${id}/messages`, person)).body).toContain(canary)
  }
})

test('responds to everyone else as if the conversation did not exist', async () => {
  const before = await fingerprint()
  for (const [who, person] of outsiders) {
    for (const world of worlds()) {
      for (const endpoint of calls) {
        const { row, url, body } = requestOf(endpoint, world)
        const what = `${who}: ${endpoint.method} ${url}`
        const answer = await t.request(endpoint.method, url, person, body)
        expect((JSON.stringify(answer.headers) + answer.body).includes(canary), what).toBe(false)
        expect(answer.statusCode, `${what}: ${answer.body}`).toBeLessThan(500)
        if (row.about === 'self') continue
        const none = nowhere()
        const other = requestOf(endpoint, none)
        // Everyone knows that the shop exists.
        if (nameOf(endpoint) === 'POST /api/conversations') expect(answer.statusCode, what).toBe(403)
        else {
          expect(answer.statusCode, what).toBe(404)
          const absent = await t.request(endpoint.method, other.url, person, other.body)
          expect(without(answer.body, world), what).toBe(without(absent.body, none))
        }
      }
    }
    expect((await t.request('GET', '/api/conversations', person)).json(), who).toEqual([])
    expect((await t.request('GET', `/api/messages/search?q=${canary}`, person)).json(), who).toEqual([])
    expect((await t.request('GET', '/api/messages/unread-count', person)).json(), who).toMatchObject({ count: 0, requests: 0 })
    expect(
      (await t.request('POST', '/api/reports', person, { subject: 'message', subjectId: messages[0]?.id, reason: 'spam' })).statusCode,
    ).toBe(404)
  }
  expect(await fingerprint()).toBe(before)
}, 120_000)

test('hides the conversation from participants in other conversations', async () => {
  const [between, request, withShop] = conversations as [string, string, string]
  for (const [person, id] of [
    [cid, between],
    [owner, between],
    [ann, request],
    [ben, withShop],
  ] as const) {
    expect((await t.request('GET', `/api/conversations/${id}`, person)).statusCode).toBe(404)
    expect((await t.request('GET', `/api/conversations/${id}/messages`, person)).statusCode).toBe(404)
  }
})

test('asks visitors to sign in', async () => {
  for (const endpoint of calls) {
    const { url, body } = requestOf(endpoint, worlds()[0] as World)
    expect((await t.request(endpoint.method, url, null, body)).statusCode, nameOf(endpoint)).toBe(401)
  }
})

test('leaks nothing through any other call, page, or file', async () => {
  const ids = [conversations[0], messages[1]?.id, photos[0], ann.user.id, shop].map(String)
  const addresses = endpoints
    .filter((each) => each.method === 'GET' && !isOfMessages(each))
    .flatMap((each) => (each.path.includes(':') ? ids.map((id) => each.path.replace(/:\w+/g, id)) : [each.path]))
    .flatMap((address) => [address, `${address}?q=${canary}&search=${canary}&limit=100`])
  addresses.push('/messages', ...conversations.map((id) => `/messages/${id}`), `/people/${ann.user.id}`, '/notifications', '/admin')
  for (const id of photos)
    for (const size of ['small', 'medium', 'large']) addresses.push(`/media/${id}/${size}.webp`, `/media/${id}/${size}.avif`)
  // Every other outsider is equivalent to one of these here.
  const some = [...outsiders].filter(([who]) => ['blocked', 'former-team', 'moderator', 'admin'].includes(who))
  for (const [who, person] of [...some, ['visitor', null] as const]) {
    for (const address of addresses) {
      const response = await t.request('GET', address, person)
      expect((JSON.stringify(response.headers) + response.body).includes(canary), `${who}: ${address}`).toBe(false)
      expect(response.statusCode, `${who}: ${address}: ${response.body}`).toBeLessThan(500)
      if (address.startsWith('/media/')) expect(response.statusCode, `${who}: ${address}`).toBe(404)
    }
  }
}, 240_000)

test('leaks no text into notifications, emails, or pushes, even to participants', async () => {
  t.clock.advance({ hours: 2 })
  await t.runJobs()
  const outbox = path.join(t.dataDir, 'outbox')
  const mails = fs.existsSync(outbox) ? fs.readdirSync(outbox).map((file) => fs.readFileSync(path.join(outbox, file), 'utf8')) : []
  expect(mails.length).toBeGreaterThan(0)
  expect(mails.filter((each) => each.includes(canary))).toEqual([])
  expect(JSON.stringify(pushes)).not.toContain(canary)
  for (const person of [ann, ben, cid, owner, ...outsiders.values()]) {
    expect((await call('GET', '/api/notifications', person)).body).not.toContain(canary)
  }
})

test('leaks no text to open pages and no signal to outsiders', async () => {
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  const ends = new AbortController()
  const heard = new Map<string, string[]>()
  const listen = async (who: string, person: TestPerson) => {
    const said: string[] = []
    heard.set(who, said)
    const response = await fetch(t.app.listeningOrigin + livePath, { headers: { cookie: person.cookie }, signal: ends.signal })
    const decoder = new TextDecoder()
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) said.push(decoder.decode(chunk))
  }
  const streams = [...outsiders, ['ben', ben] as const].map(([who, person]) => listen(who, person))
  await expect.poll(() => [...heard.values()].every((said) => said.join('').includes('event: hello')), { timeout: 20_000 }).toBe(true)
  await mail.send(ann, conversations[0] as string, `Once more: ${canary}`)
  await call('POST', `/api/conversations/${conversations[0]}/typing`, ann)
  const bens = () => heard.get('ben')?.join('') ?? ''
  await expect.poll(() => bens().includes('event: messages') && bens().includes('event: typing'), { timeout: 20_000 }).toBe(true)
  ends.abort()
  await Promise.allSettled(streams)
  for (const [who, said] of heard) {
    expect(said.join(''), who).not.toContain(canary)
    if (who !== 'ben') expect(said.join(''), who).not.toMatch(/event: (messages|typing)/)
  }
})

test('shows a moderator only a case’s reported message and its context, and logs the view without text', async () => {
  const [, reported] = messages
  await call('POST', '/api/reports', ann, {
    subject: 'message',
    subjectId: reported?.id,
    reason: 'harassment',
    details: 'See for yourself',
  })
  const moderator = outsiders.get('moderator') as TestPerson
  const row = await t.db.selectFrom('moderation_cases').select('id').where('subject', '=', 'message').executeTakeFirstOrThrow()
  expect((await call('GET', '/api/moderation/cases', moderator)).body).not.toContain(canary)
  const seen = (await call('GET', `/api/moderation/cases/${row.id}`, moderator)).json()
  expect(seen.text).toBe(`Yes, ${canary}`)
  expect(seen.context.map((each: { text: string }) => each.text)).toEqual([
    `Between us: ${canary}`,
    `Yes, ${canary}`,
    `Once more: ${canary}`,
  ])
  const looks = await t.db.selectFrom('audit_log').selectAll().where('action', '=', 'message.looked_at').execute()
  expect(looks.map((each) => [each.actor_id, JSON.stringify(each).includes(canary)])).toEqual([[moderator.user.id, false]])
  // Looking at a reported message gives access to nothing else.
  for (const url of [
    `/api/conversations/${conversations[0]}`,
    `/api/conversations/${conversations[0]}/messages`,
    `/media/${photos[0]}/small.webp`,
  ]) {
    expect((await t.request('GET', url, moderator)).statusCode, url).toBe(404)
  }
  for (const who of ['stranger', 'blocked', 'former-team']) {
    expect((await t.request('GET', `/api/moderation/cases/${row.id}`, outsiders.get(who))).statusCode, who).toBe(404)
  }
})

test('leaks nothing into logs or other tables', async () => {
  expect(logged.length).toBeGreaterThan(0)
  expect(logged.filter((line) => line.includes(canary)).map((line) => line.slice(0, 300))).toEqual([])
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(t.db)
  const holding: string[] = []
  for (const { name } of rows) {
    const found = await sql`select 1 from ${sql.table(name)} as row where row::text ilike ${`%${canary}%`} limit 1`.execute(t.db)
    if (found.rows.length > 0) holding.push(name)
  }
  expect(holding.sort()).toEqual(['media', 'messages'])
})
