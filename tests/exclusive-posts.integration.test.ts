import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#contracts/endpoint.ts'
import { endpoints } from '#contracts/index.ts'
import { livePath } from '#contracts/live.ts'
import type { Post } from '#contracts/posts.ts'
import { mayReadPostMedia } from '#server/features/posts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { newId } from '#server/kernel/ids.ts'
import { grantPlan } from './support/entitlements.ts'
import { elsewhere, exclusiveBodies, unknownId } from './support/exclusive-calls.ts'
import { growingIds } from './support/growing-calls.ts'
import { fillSearch } from './support/search.ts'
import { startTestApp, type TestApp, type TestPerson } from './support/test-app.ts'

/**
 * Looks for exclusive content everywhere that other people could see it. A new call or route that is missing from the lists (here and in
 * support/exclusive-calls.ts) fails a test.
 */

/** Appears in the exclusive post's text, location, tags, picture descriptions and comments. */
const canary = 'xylophagouscanary'

let t: TestApp
let owner: TestPerson
let subscriber: TestPerson
/** Followed the business before the post, and is on the Pro plan. */
let pro: TestPerson
let proPlan: string
let post: Post
let businessId: string
let slug: string
let commentId: string
let replyId: string
let ratingId: string
let mediaId: string
/** A draft with the same text, for later publication to subscribers. */
let draftId: string
let draftMediaId: string
/** The case of a subscriber's report. */
let caseId: string
/** People who must not read the post, by their relation to it. */
const outsiders = new Map<string, TestPerson | null>()
const registered: string[] = []
const logged: string[] = []

const nameOf = ({ method, path: address }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${address}`

async function as(person: TestPerson | null, method: Endpoint['method'], url: string, payload?: object) {
  const response = await t.request(method, url, person, payload)
  expect(response.statusCode, `${method} ${url}: ${response.body}`).toBeLessThan(300)
  return response.body ? response.json() : undefined
}

beforeAll(async () => {
  t = await startTestApp({
    onRoute: (method, url) => registered.push(`${method} ${url}`),
    env: { LOG_LEVEL: 'trace' },
    logTo: (line) => logged.push(line),
  })
  owner = await t.signUp({ accountType: 'business', businessType: 'farm' })
  subscriber = await t.signUp()
  const follower = await t.signUp()
  const former = await t.signUp()
  const blocking = await t.signUp()
  const young = await t.signUp({ birthday: `${t.clock.now().getUTCFullYear() - 19}-01-01` })
  pro = await t.signUp()
  proPlan = await grantPlan(t.db, { userId: pro.user.id, planId: 'pro' })
  // A plan doesn't open posts of businesses with their own price, or any posts after it ends.
  const priced = await t.signUp()
  await grantPlan(t.db, { userId: priced.user.id, planId: 'vip' })
  const lapsed = await t.signUp()
  await grantPlan(t.db, { userId: lapsed.user.id, planId: 'pro', until: new Date(t.clock.now().getTime() - 3_600_000) })
  const outside = { visitor: null, stranger: await t.signUp(), follower, former, blocking, young, priced, lapsed }
  for (const [name, person] of Object.entries(outside)) {
    outsiders.set(name, person)
  }

  const business = await as(owner, 'POST', '/api/businesses', { businessName: 'Cedar Terrace', location: 'Denver, CO' })
  businessId = business.id
  slug = business.slug
  for (const person of [subscriber, former]) await as(person, 'POST', '/api/subscriptions', { businessId })
  for (const person of [follower, young, pro, priced, lapsed]) await as(person, 'PUT', `/api/businesses/${businessId}/follow`)

  mediaId = await addPicture()
  post = await as(owner, 'POST', '/api/posts', {
    title: 'For subscribers',
    content: `The words are ${canary}.`,
    postType: 'update',
    isExclusive: true,
    businessId,
    place: `${canary} Valley`,
    tags: [canary],
    mediaIds: [mediaId],
  })
  expect(post.content).toContain(canary)
  draftMediaId = await addPicture()
  const draft = { title: `${canary} to come`, content: canary, isExclusive: true, place: canary, tags: [canary], mediaIds: [draftMediaId] }
  draftId = (await as(owner, 'POST', '/api/drafts', { ...draft, businessId })).id
  const publishAt = new Date(t.clock.now().getTime() + 48 * 3_600_000).toISOString()
  expect((await as(owner, 'PUT', `/api/drafts/${draftId}/schedule`, { publishAt })).content).toBe(canary)
  commentId = (await as(subscriber, 'POST', `/api/posts/${post.id}/comments`, { content: `Well said: ${canary}` })).id
  replyId = (await as(owner, 'POST', `/api/posts/${post.id}/comments`, { content: `Yes, ${canary}`, parentId: commentId, businessId })).id
  // A former subscriber liked and commented while they still could.
  await as(former, 'PUT', `/api/posts/${post.id}/like`)
  await as(former, 'POST', `/api/posts/${post.id}/comments`, { content: `I quote: ${canary}` })
  const { own } = await as(subscriber, 'PUT', `/api/businesses/${slug}/rating`, { rating: 5, review: 'Kind people' })
  ratingId = own.id
  await as(subscriber, 'POST', '/api/reports', { subject: 'post', subjectId: post.id, reason: 'spam' })
  caseId = (await t.db.selectFrom('moderation_cases').select('id').executeTakeFirstOrThrow()).id
  await setPrice(1500)
  for (const name of ['follower', 'former', 'young', 'priced', 'lapsed']) await wantEverything(outsiders.get(name) as TestPerson)
  await t.runJobs()
  await fillSearch(t)
  await as(former, 'DELETE', `/api/subscriptions/${businessId}`)
  await as(former, 'PUT', `/api/businesses/${businessId}/follow`)
  await as(blocking, 'PUT', `/api/businesses/${businessId}/block`)
})
afterAll(() => t.close())

/** A picture with the canary in its description; the file itself isn't needed. */
async function addPicture(): Promise<string> {
  const id = newId()
  const picture = { id, owner_id: owner.user.id, kind: 'image' as const, status: 'ready' as const, byte_size: 10, received_bytes: 10 }
  await t.db
    .insertInto('media')
    .values({ ...picture, width: 640, height: 480, widths: [480, 640, 640], alt: `A picture of ${canary}`, placeholder: null })
    .execute()
  return id
}

const setPrice = (cents: number | null) =>
  t.db
    .insertInto('subscription_offers')
    .values({ business_id: businessId, price_cents: cents, title: 'Subscriber' })
    .onConflict((conflict) => conflict.column('business_id').doUpdateSet({ price_cents: cents }))
    .execute()

async function wantEverything(person: TestPerson) {
  const preferences = await as(person, 'GET', '/api/notification-preferences')
  const topics = preferences.topics.map(({ topic }: { topic: string }) => ({ topic, channels: { in_app: true, email: true, push: true } }))
  await as(person, 'PATCH', '/api/notification-preferences', { ...preferences, topics, isEmailOn: true, emailRhythm: 'each' })
}

test('shows an exclusive post to its audience', async () => {
  for (const person of [owner, subscriber]) {
    for (const url of ['/api/feed', `/api/posts/${post.id}`, `/api/businesses/${slug}/posts`, `/api/posts/${post.id}/comments`]) {
      if (person === owner || url !== '/api/feed') expect((await t.request('GET', url, person)).body, url).toContain(canary)
    }
  }
  expect((await t.request('GET', '/api/feed', subscriber)).body).toContain(canary)
})

/** Returns where a person sees the post's text, and whether they see its picture. */
async function seenBy(person: TestPerson): Promise<Record<string, boolean>> {
  const places = [
    '/api/feed',
    `/api/posts/${post.id}`,
    `/api/businesses/${slug}/posts`,
    `/api/posts/${post.id}/comments`,
    '/api/search?q=subscribers',
    '/api/notifications',
  ]
  const seen: Record<string, boolean> = {}
  for (const url of places) seen[url] = (await t.request('GET', url, person)).body.includes(canary)
  const actor = { id: person.user.id, birthday: person.user.birthday, role: 'member', hasPlan: true } as Actor
  seen.media = await mayReadPostMedia(t.db, actor, [post.id], t.clock.now())
  return seen
}

test('unlocks the post everywhere with an active plan that includes exclusive posts, if the business sets no price', async () => {
  const everywhere = (isSeen: boolean) => (seen: Record<string, boolean>) => expect(new Set(Object.values(seen))).toEqual(new Set([isSeen]))
  everywhere(false)(await seenBy(pro))
  await setPrice(null)
  everywhere(true)(await seenBy(pro))
  const plan = t.db.updateTable('agreements').where('id', '=', proPlan)
  await plan.set({ plan_id: 'starter' }).execute()
  everywhere(false)(await seenBy(pro))
  await plan.set({ plan_id: 'vip', status: 'canceled' }).execute()
  everywhere(true)(await seenBy(pro))
  await plan.set({ entitled_until: t.clock.now() }).execute()
  everywhere(false)(await seenBy(pro))
  await setPrice(1500)
})

// Must run before the test of every call, which ends the follows and reads the notifications that this test needs.

test('leaks nothing to outsiders’ open pages', async () => {
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  const origin = t.app.listeningOrigin
  const heard: string[] = []
  const ends = new AbortController()
  const streams = [...outsiders.values()].flatMap((person) => (person ? [listen(origin + livePath, person, heard, ends.signal)] : []))
  await expect.poll(() => heard.join('').split('event: hello').length - 1).toBe(streams.length)
  await as(owner, 'POST', '/api/posts', { title: 'Another', content: canary, isExclusive: true, businessId, tags: [canary] })
  await t.runJobs()
  await expect.poll(() => heard.join('')).toContain('event: feed')
  ends.abort()
  await Promise.allSettled(streams)
  expect(heard.join('')).not.toContain(canary)
})

async function listen(url: string, person: TestPerson, heard: string[], signal: AbortSignal) {
  const response = await fetch(url, { headers: { cookie: person.cookie }, signal })
  const decoder = new TextDecoder()
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) heard.push(decoder.decode(chunk))
}

test('leaks nothing into emails', async () => {
  t.clock.advance({ hours: 2 })
  await t.runJobs()
  const outbox = path.join(t.dataDir, 'outbox')
  const mails = fs.readdirSync(outbox).map((file) => fs.readFileSync(path.join(outbox, file), 'utf8'))
  const toOutsiders = mails.filter((mail) => [...outsiders.values()].some((person) => person && mail.includes(person.email)))
  expect(toOutsiders.some((mail) => mail.includes('For subscribers'))).toBe(true)
  expect(toOutsiders.filter((mail) => mail.includes(canary))).toEqual([])
})

/** Candidate IDs for the parameters in an address. */
function idsIn(address: string): string[] {
  const ids: Record<string, string[]> = {
    businesses: [businessId],
    people: [owner.user.id, subscriber.user.id],
    posts: [post.id],
    comments: [commentId, replyId],
    communities: [unknownId],
    'community-posts': [post.id],
    ratings: [ratingId],
    media: [mediaId, draftMediaId],
    drafts: [draftId],
    events: [unknownId],
    favorites: [businessId],
    groups: [newId()],
    subscriptions: [businessId],
    notifications: [newId()],
    conversations: [newId()],
    messages: [newId()],
    moderation: [caseId],
    billing: [newId()],
    admin: [newId()],
    verifications: [newId()],
    claims: [newId()],
    corrections: [newId()],
    products: [newId()],
    invitations: ['none'],
    'sign-in': [newId()],
    user: [newId()],
    ...growingIds(),
  }
  const collection = address.split('/')[2] as string
  const known = ids[collection]
  if (!known) throw new Error(`Say here what the id in ${address} stands for.`)
  return known
}

const bodies = exclusiveBodies(() => ({
  businessId,
  ownerId: owner.user.id,
  postId: post.id,
  commentId,
  mediaId,
  draftMediaId,
  now: t.clock.now(),
}))

/** Query strings for lists and searches. */
const queries = ['', `?q=${canary}&search=${canary}&type=farm&limit=100`]

test('leaks nothing through any call', { timeout: 120_000 }, async () => {
  for (const [who, person] of outsiders) {
    for (const endpoint of endpoints) {
      const body = endpoint.body ? bodies[nameOf(endpoint)] : () => undefined
      if (!body) throw new Error(`Say in support/exclusive-calls.ts what an outsider would send to ${nameOf(endpoint)}.`)
      const addresses = endpoint.path.includes(':') ? idsIn(endpoint.path).map((id) => endpoint.path.replace(/:\w+/, id)) : [endpoint.path]
      for (const address of addresses) {
        for (const query of endpoint.method === 'GET' ? queries : ['']) {
          const response = await t.request(endpoint.method, address + query, person, body())
          const all = JSON.stringify(response.headers) + response.body
          expect(all.includes(canary), `${who}: ${endpoint.method} ${address}${query}`).toBe(false)
          expect(response.statusCode, `${who}: ${endpoint.method} ${address}${query}: ${response.body}`).toBeLessThan(500)
        }
      }
    }
  }
})

test('leaks nothing through pages or files, and has a reason for every route outside the contract', async () => {
  const declared = new Set(endpoints.map(nameOf))
  const others = registered.filter((route) => !route.startsWith('HEAD ') && !route.startsWith('OPTIONS ') && !declared.has(route))
  expect(others.filter((route) => !(route in elsewhere))).toEqual([])
  const addresses = [
    '/',
    `/post/${post.id}`,
    `/business/${slug}`,
    `/business/${slug}?tab=posts`,
    `/people/${owner.user.id}`,
    '/notifications',
  ]
  for (const id of [mediaId, draftMediaId]) {
    for (const size of ['small', 'medium', 'large']) addresses.push(`/media/${id}/${size}.webp`, `/media/${id}/${size}.avif`)
  }
  for (const [who, person] of outsiders) {
    for (const address of addresses) {
      const response = await t.request('GET', address, person)
      expect((JSON.stringify(response.headers) + response.body).includes(canary), `${who}: ${address}`).toBe(false)
      if (address.startsWith('/media/')) expect(response.statusCode, `${who}: ${address}`).toBe(404)
    }
  }
})

test('leaks nothing into logs', () => {
  expect(logged.length).toBeGreaterThan(0)
  expect(logged.filter((line) => line.includes(canary))).toEqual([])
})

/** Tables that contain the canary; responses in `idempotency_keys` only ever go to the author. */
const kept = ['posts', 'post_drafts', 'comments', 'media', 'idempotency_keys']

test('leaves no copy in another table', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(t.db)
  expect(rows.length).toBeGreaterThan(20)
  const holding: string[] = []
  for (const { name } of rows) {
    const found = await sql`select 1 from ${sql.table(name)} as row where row::text ilike ${`%${canary}%`} limit 1`.execute(t.db)
    if (found.rows.length > 0) holding.push(name)
  }
  expect(holding.filter((name) => !kept.includes(name))).toEqual([])
  expect(holding).toEqual(expect.arrayContaining(['posts', 'post_drafts', 'comments', 'media']))
})
