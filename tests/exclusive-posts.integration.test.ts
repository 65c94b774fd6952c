import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../contracts/endpoint.ts'
import { endpoints } from '../contracts/index.ts'
import { livePath } from '../contracts/live.ts'
import type { Post } from '../contracts/posts.ts'
import { mayReadPostMedia } from '../server/features/posts/index.ts'
import type { Actor } from '../server/kernel/actor.ts'
import { newId } from '../server/kernel/ids.ts'
import { grantPlan } from './support/entitlements.ts'
import { elsewhere, exclusiveBodies, nothing } from './support/exclusive-calls.ts'
import { growingIds } from './support/growing-calls.ts'
import { fillSearch } from './support/search.ts'
import { startTestApp, type TestApp, type TestPerson } from './support/test-app.ts'

/**
 * What is written for subscribers alone is looked for in every place where it could turn up for somebody else. A new call or route
 * that is not on one of the lists (here and in support/exclusive-calls.ts) fails a test, so that nobody forgets to ask.
 */

/** Stands in the words, the place, the tags, the pictures' descriptions and the comments of the exclusive post. */
const canary = 'xylophagouscanary'

let t: TestApp
let owner: TestPerson
let subscriber: TestPerson
/** Followed before the post, with the plan Pro: see the business's price. */
let pro: TestPerson
let proPlan: string
let post: Post
let businessId: string
let slug: string
let commentId: string
let replyId: string
let ratingId: string
let mediaId: string
/** The same words, to go out to subscribers later. */
let draftId: string
let draftMediaId: string
/** Reported by a subscriber. */
let caseId: string
/** Everybody who may not read it, by what they are to it. */
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
  // A plan opens nothing of a business with a price of its own, and nothing after its end.
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
  // While it could still be read, it was liked and commented on by somebody whose subscription ended since.
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

/** A picture whose description gives it away; the file itself is not needed here. */
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

/** Mail for each notification, and every topic on. */
async function wantEverything(person: TestPerson) {
  const preferences = await as(person, 'GET', '/api/notification-preferences')
  const topics = preferences.topics.map(({ topic }: { topic: string }) => ({ topic, channels: { in_app: true, email: true, push: true } }))
  await as(person, 'PUT', '/api/notification-preferences', { ...preferences, topics, isEmailOn: true, emailRhythm: 'each' })
}

test('it can be read by those whom it is for', async () => {
  for (const person of [owner, subscriber]) {
    for (const url of ['/api/feed', `/api/posts/${post.id}`, `/api/businesses/${slug}/posts`, `/api/posts/${post.id}/comments`]) {
      if (person === owner || url !== '/api/feed') expect((await t.request('GET', url, person)).body, url).toContain(canary)
    }
  }
  expect((await t.request('GET', '/api/feed', subscriber)).body).toContain(canary)
})

/** Where the post's words come to those whom they are for; and whether its picture does. */
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

test('a plan with exclusive posts opens it everywhere while it runs, where the business asks no price', async () => {
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

// The calls further below would end what these two need: following, and unread notifications.

test('no open page is told a word of it', async () => {
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

test('no mail holds a word of it', async () => {
  t.clock.advance({ hours: 2 })
  await t.runJobs()
  const outbox = path.join(t.dataDir, 'outbox')
  const mails = fs.readdirSync(outbox).map((file) => fs.readFileSync(path.join(outbox, file), 'utf8'))
  const toOutsiders = mails.filter((mail) => [...outsiders.values()].some((person) => person && mail.includes(person.email)))
  expect(toOutsiders.some((mail) => mail.includes('For subscribers'))).toBe(true)
  expect(toOutsiders.filter((mail) => mail.includes(canary))).toEqual([])
})

/** What an id in an address stands for. */
function idsIn(address: string): string[] {
  const ids: Record<string, string[]> = {
    businesses: [businessId],
    people: [owner.user.id, subscriber.user.id],
    posts: [post.id],
    comments: [commentId, replyId],
    communities: [nothing],
    'community-posts': [post.id],
    ratings: [ratingId],
    media: [mediaId, draftMediaId],
    drafts: [draftId],
    events: [nothing],
    favorites: [businessId],
    subscriptions: [businessId],
    notifications: [newId()],
    conversations: [newId()],
    messages: [newId()],
    moderation: [caseId],
    billing: [newId()],
    admin: [newId()],
    verifications: [newId()],
    claims: [newId()],
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

/** What the query of a list or search can be made to look for. */
const queries = ['', `?q=${canary}&search=${canary}&type=farm&limit=100`]

test('no call answers a word of it to anybody else', { timeout: 120_000 }, async () => {
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

test('no page, file or stream shows a word of it to anybody else', async () => {
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

test('no log line holds a word of it', () => {
  expect(logged.length).toBeGreaterThan(0)
  expect(logged.filter((line) => line.includes(canary))).toEqual([])
})

/** The tables in which it is kept; of `idempotency_keys`, only the writer is ever answered. */
const kept = ['posts', 'post_drafts', 'comments', 'media', 'idempotency_keys']

test('no other table holds a copy of it', async () => {
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
