import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type App, buildApp } from '#server/app/build-app.ts'
import { loadConfig } from '#server/config.ts'
import { connect } from '#server/db/connect.ts'
import type { Api } from '#server/kernel/route.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import * as social from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { createHub, registerLive } from './index.ts'

type Received = { event: string; data: { unread?: number; postId?: string; postType?: string } }
type Stream = { status: number; headers: http.IncomingHttpHeaders; received: Received[]; text: string; isOpen: boolean; close(): void }

let test: TestApp
const processes: { app: App; origin: string; close(): Promise<void> }[] = []
const streams: Stream[] = []

async function startProcess(env: Record<string, string> = {}) {
  const { config } = test.ctx
  const url = config.databaseUrl as string
  const database = connect(url, { databasePoolSize: 5, statementTimeoutMs: 10_000, lockTimeoutMs: 5_000 }, { warn() {} })
  const app = await buildApp({
    database: { ...database, url },
    config: loadConfig({
      NODE_ENV: 'test',
      DATABASE_URL: url,
      DATA_DIR: config.dataDir,
      SESSION_SECRET: config.sessionSecret,
      RATE_LIMIT_SCALE: '1000',
      MAX_EVENT_LOOP_DELAY_MS: '0',
      LOG_LEVEL: 'silent',
      ...env,
    }),
    log: pino({ level: 'silent' }),
  })
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  const origin = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`
  const started = {
    app,
    origin,
    async close() {
      await app.app.close()
      await database.close()
    },
  }
  processes.push(started)
  return started
}

function open(origin: string, as: TestPerson | null): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'text/event-stream', 'accept-encoding': 'br, gzip', ...(as ? { cookie: as.cookie } : {}) }
    const request = http.get(`${origin}/api/live`, { headers, agent: false }, (response) => {
      const stream: Stream = {
        status: response.statusCode ?? 0,
        headers: response.headers,
        received: [],
        text: '',
        isOpen: true,
        close: () => request.destroy(),
      }
      streams.push(stream)
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        stream.text += chunk
        stream.received = [...stream.text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, event = '', data = '']) => ({
          event,
          data: JSON.parse(data),
        }))
      })
      response.on('close', () => {
        stream.isOpen = false
      })
      response.on('error', () => {})
      resolve(stream)
    })
    request.on('error', reject)
  })
}

async function farmWithFollower() {
  const owner = await test.signUp()
  const follower = await test.signUp()
  const { id } = await addBusiness(test.db, { type: 'farm' })
  await social.joinBusiness(test.db, owner.user.id, id)
  await social.followBusiness(test.db, follower.user.id, id)
  const publish = async (through: App, details: object = {}) => {
    const postId = await social.addPost(test.db, { author_id: owner.user.id, business_id: id, ...details })
    await test.db.transaction().execute((tx) => through.ctx.events.publish(tx, 'post.published', { postId }))
    return postId
  }
  return { owner, follower, id, publish }
}

beforeAll(async () => {
  test = await startTestApp()
})
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close()
  await Promise.all(processes.splice(0).map((each) => each.close()))
})
afterAll(() => test?.close())

const soon = { timeout: 5000, interval: 10 }
async function openAndWait(origin: string, as: TestPerson): Promise<Stream> {
  const stream = await open(origin, as)
  await expect.poll(() => stream.received[0]?.event, soon).toBe('hello')
  return stream
}
const eventsOf = (stream: Stream) => stream.received.map(({ event }) => event)

describe('an open page', () => {
  it('gets the current state immediately, uncompressed and unbuffered', async () => {
    const { origin } = await startProcess()
    const person = await test.signUp()
    const stream = await open(origin, person)
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    expect(stream.headers['content-encoding']).toBeUndefined()
    await expect.poll(() => stream.received, soon).toEqual([{ event: 'hello', data: { unread: 0, unreadMessages: 0 } }])
    expect(stream.text).toMatch(/^retry: 2000\n\n/)
  })

  it('requires a session, and is closed once the person has opened five newer ones', async () => {
    const { origin } = await startProcess()
    expect((await open(origin, null)).status).toBe(401)
    const person = await test.signUp()
    const opened: Stream[] = []
    for (let i = 0; i < 6; i++) opened.push(await open(origin, person))
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    // The oldest page is closed, because it may belong to a phone that disconnected silently. If not, it reconnects, but not immediately.
    await expect.poll(() => opened.map(({ isOpen }) => isOpen), soon).toEqual([false, true, true, true, true, true])
    expect(opened[0]?.text).toMatch(/retry: 60000\n\n$/)
    opened[1]?.close()
    await expect.poll(() => opened[1]?.isOpen, soon).toBe(false)
  })

  it('is updated when notifications are read in another tab', async () => {
    const { origin, app } = await startProcess()
    const { follower, publish } = await farmWithFollower()
    await app.startJobs()
    const stream = await openAndWait(origin, follower)
    await publish(app)
    await expect.poll(() => stream.received, soon).toContainEqual({ event: 'notifications', data: { unread: 1 } })
    await fetch(`${origin}/api/notifications/mark-all-read`, { method: 'POST', headers: { cookie: follower.cookie } })
    await expect.poll(() => stream.received.at(-1), soon).toEqual({ event: 'notifications', data: { unread: 0 } })
  })

  it('doesn’t keep the server from stopping', async () => {
    const server = await startProcess()
    const stream = await open(server.origin, await test.signUp())
    const startedAt = performance.now()
    await server.close()
    expect(performance.now() - startedAt).toBeLessThan(3000)
    expect(stream.isOpen).toBe(false)
  })
})

describe.each(['listen', 'poll'])('two processes (LIVE_BUS=%s)', (LIVE_BUS) => {
  it('update a follower’s badge through one process within a second of a post through the other', { timeout: 60_000 }, async () => {
    const [first, second] = [await startProcess({ LIVE_BUS }), await startProcess({ LIVE_BUS })]
    await first.app.startJobs()
    const { follower, owner, publish } = await farmWithFollower()
    const stranger = await test.signUp()
    const young = await test.signUp({ birthday: `${new Date().getUTCFullYear() - 20}-01-01` })
    const stream = await openAndWait(second.origin, follower)
    const others = [
      await openAndWait(second.origin, stranger),
      await openAndWait(second.origin, owner),
      await openAndWait(second.origin, young),
    ]
    await publish(first.app)
    await expect.poll(() => stream.received, soon).toContainEqual({ event: 'notifications', data: { unread: 1 } })
    const times: number[] = []
    for (let round = 2; round <= 6; round++) {
      const startedAt = performance.now()
      const postId = await publish(first.app, { post_type: 'educational' })
      await expect.poll(() => stream.received, soon).toContainEqual({ event: 'notifications', data: { unread: round } })
      times.push(performance.now() - startedAt)
      await expect.poll(() => stream.received, soon).toContainEqual({ event: 'feed', data: { postId, postType: 'educational' } })
    }
    process.stdout.write(`badge on the other process (${LIVE_BUS}): ${times.map((ms) => Math.round(ms)).join(', ')} ms\n`)
    expect(times.toSorted((a, b) => a - b)[2]).toBeLessThan(1000)
    for (const other of others) expect(eventsOf(other)).toEqual(['hello'])
  })
})

it('notifies fifty open pages of a post within a second, despite ten thousand due jobs', { timeout: 90_000 }, async () => {
  const { app, origin } = await startProcess()
  const { id, publish } = await farmWithFollower()
  const followers = await Promise.all(Array.from({ length: 10 }, () => test.signUp()))
  for (const { user } of followers) await social.followBusiness(test.db, user.id, id)
  const pages = await Promise.all(followers.flatMap((each) => Array.from({ length: 5 }, () => openAndWait(origin, each))))
  await app.startJobs()
  // These subscriptions don't exist, so each job's call to the provider fails.
  await sql`
    insert into pgboss.job (name, policy, data, retry_limit, retry_delay, expire_seconds, heartbeat_seconds)
    select name, policy, ${JSON.stringify({ provider: 'test', subscriptionId: 'none' })}::jsonb, 0, 0, 60, 20
    from pgboss.queue, generate_series(1, 10000) where name = 'billing.sync'`.execute(test.db)
  const due = async () =>
    (await sql<{ count: number }>`select count(*)::int as count from pgboss.job where state = 'created'`.execute(test.db)).rows[0]?.count
  await expect.poll(due).toBeLessThan(9_990)
  const startedAt = performance.now()
  const postId = await publish(app)
  await expect.poll(() => pages.every(({ received }) => received.some(({ data }) => data.postId === postId)), soon).toBe(true)
  expect(performance.now() - startedAt).toBeLessThan(1000)
  expect(await due()).toBeGreaterThan(1_000)
  await app.app.close()
  await sql`delete from pgboss.job where name = 'billing.sync'`.execute(test.db)
})

it('sends no LISTEN with LIVE_BUS=poll and runs a job within two seconds', { timeout: 60_000 }, async () => {
  const asked = vi.spyOn(pg.Client.prototype, 'query')
  try {
    const { app } = await startProcess({ LIVE_BUS: 'poll' })
    await app.startJobs()
    const { publish, follower } = await farmWithFollower()
    const startedAt = performance.now()
    await publish(app)
    const unread = () => test.db.selectFrom('notifications').select('id').where('user_id', '=', follower.user.id).execute()
    await expect.poll(async () => (await unread()).length, soon).toBe(1)
    expect(performance.now() - startedAt).toBeLessThan(2000)
    const texts = asked.mock.calls.map(([query]) => String((query as { text?: string }).text ?? query))
    expect(texts.length).toBeGreaterThan(20)
    expect(texts.filter((text) => /^\s*(un)?listen\b|pg_notify\(|^\s*notify\b/im.test(text))).toEqual([])
  } finally {
    asked.mockRestore()
  }
})

it('misses nothing after dropped connections', { timeout: 60_000 }, async () => {
  const [first, second] = [await startProcess(), await startProcess()]
  await first.app.startJobs()
  const { follower, publish } = await farmWithFollower()
  const stream = await openAndWait(second.origin, follower)
  await publish(first.app)
  await expect.poll(() => stream.received.filter(({ event }) => event === 'notifications').at(-1)?.data.unread, soon).toBe(1)

  // While the page is disconnected, it misses two notifications. The next connection's initial state and the list include them.
  stream.close()
  const missed = [await publish(first.app), await publish(first.app)]
  await expect.poll(async () => (await unreadOf(second.origin, follower)).count, soon).toBe(3)
  const again = await openAndWait(second.origin, follower)
  await expect.poll(() => again.received[0], soon).toEqual({ event: 'hello', data: { unread: 3, unreadMessages: 0 } })
  const list = (await (await fetch(`${second.origin}/api/notifications`, { headers: { cookie: follower.cookie } })).json()) as {
    actionUrl: string
  }[]
  expect(list.map(({ actionUrl }) => actionUrl)).toEqual(expect.arrayContaining(missed.map((id) => `/post/${id}`)))

  // The process loses its database connection. Once it listens again, every page gets the state again.
  const before = again.received.length
  await test.db.executeQuery(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sungrove live' and datname = current_database()`.compile(
      test.db,
    ),
  )
  await publish(first.app)
  await expect
    .poll(
      () =>
        again.received
          .slice(before)
          .filter(({ event }) => event === 'hello')
          .at(-1)?.data.unread,
      soon,
    )
    .toBeGreaterThanOrEqual(3)
  await expect.poll(() => again.received.filter(({ event }) => event !== 'feed').at(-1)?.data.unread, soon).toBe(4)
})

const unreadOf = async (origin: string, as: TestPerson) =>
  (await (await fetch(`${origin}/api/notifications/unread-count`, { headers: { cookie: as.cookie } })).json()) as { count: number }

it('closes the pages of people who signed out or were banned', async () => {
  const [gone, barred, here] = [await test.signUp(), await test.signUp(), await test.signUp()]
  const closed: string[] = []
  const hub = createHub({ ...test.ctx, unreadCount: async () => 0, unreadMessages: async () => 0 })
  for (const { user, cookie } of [gone, barred, here]) {
    hub.add({ userId: user.id, cookie, send() {}, beat() {}, close: () => void closed.push(user.id) })
  }
  await hub.checkSessions()
  expect(closed).toEqual([])
  await test.db.deleteFrom('sessions').where('user_id', '=', gone.user.id).execute()
  await test.db.updateTable('users').set({ banned_at: test.clock.now() }).where('id', '=', barred.user.id).execute()
  await hub.checkSessions()
  expect(closed).toEqual([gone.user.id, barred.user.id])
  expect(hub.size()).toBe(1)
  hub.close()
  expect(closed).toEqual([gone.user.id, barred.user.id, here.user.id])
  expect(hub.refusal()).toBe('closing')
})

it('immediately closes the pages of a session that was ended elsewhere', async () => {
  const [gone, here] = [await test.signUp(), await test.signUp()]
  const closed: string[] = []
  const sent: string[] = []
  const hub = createHub({ ...test.ctx, unreadCount: async () => 0, unreadMessages: async () => 0 })
  for (const { user, cookie } of [gone, here]) {
    hub.add({ userId: user.id, cookie, send: (event) => void sent.push(event), beat() {}, close: () => void closed.push(user.id) })
  }
  await test.db.deleteFrom('sessions').where('user_id', 'in', [gone.user.id, here.user.id]).execute()
  hub.hear({ kind: 'sessions', userIds: [gone.user.id] })
  await expect.poll(() => closed, soon).toEqual([gone.user.id])
  expect(sent).toContain('ended')
  hub.close()
})

it('forgets a page that disconnected while its session was being read', async () => {
  const [gone, here] = [await test.signUp(), await test.signUp()]
  const reading = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const counted: string[] = []
  const { sessions, live } = test.ctx
  const read: typeof sessions.read = async (cookie, ...rest) => {
    if (cookie === gone.cookie) {
      reading.resolve()
      await released.promise
    }
    return sessions.read(cookie, ...rest)
  }
  const app = Fastify()
  const left = Promise.withResolvers<void>()
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.cookie === gone.cookie) reply.raw.on('close', left.resolve)
  })
  const ctx = { ...test.ctx, sessions: { ...sessions, read }, live: { ...live, onSignal() {} } }
  registerLive({ app, ctx } as unknown as Api, {
    unreadCount: async (userId) => counted.push(userId),
    unreadMessages: async () => 0,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const request = http.get(`${origin}/api/live`, { headers: { cookie: gone.cookie }, agent: false }).on('error', () => {})
  await reading.promise
  request.destroy()
  await left.promise
  released.resolve()
  await openAndWait(origin, here)
  // The counts are read only for pages that are open.
  expect(counted).toEqual([here.user.id])
  await app.close()
})

it('sends a page the current state first, despite concurrent events', async () => {
  const { follower, owner, id } = await farmWithFollower()
  const postId = await social.addPost(test.db, { author_id: owner.user.id, business_id: id })
  const received: string[] = []
  let count = () => {}
  const unreadCount = () => new Promise<number>((resolve) => (count = () => resolve(3)))
  const hub = createHub({ ...test.ctx, unreadCount, unreadMessages: async () => 0 })
  hub.add({ userId: follower.user.id, cookie: undefined, send: (event) => void received.push(event), beat() {}, close() {} })
  hub.hear({ kind: 'post', postId })
  await sleep(500)
  expect(received).toEqual([])
  count()
  await expect.poll(() => received, soon).toEqual(['hello', 'feed'])
  hub.close()
})
