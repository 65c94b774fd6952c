import { once } from 'node:events'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { createJobQueue } from '#server/adapters/jobs/pg-boss.ts'
import { loadConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { newId } from '#server/kernel/ids.ts'
import { createLog } from '#server/log.ts'
import { inLanes } from './in-lanes.ts'
import { quantile } from './latency.ts'
import { requireLimits } from './load.ts'
import { numberOf } from './options.ts'
import { benchFolder, freePort, residentMegabytes, startSungrove, waitUntilSettled } from './processes.ts'
import { save } from './report.ts'
import { signUp } from './sign-in.ts'

/**
 * `npm run bench:streams [-- --people 400 --streams 5 --jobs 10000 --all 10000]`: measures the memory per open stream while `--all` are
 * open, and how soon a post reaches all of its author's followers, with an empty queue and with `--jobs` jobs due. The jobs are push
 * messages and emails to people who have neither a device nor an address, so each reads the database and sends nothing. Fails if a limit
 * isn't met.
 */
const people = numberOf('--people', 400)
const streamsEach = numberOf('--streams', 5)
const jobCount = numberOf('--jobs', 10_000)
const allStreams = Math.max(numberOf('--all', 10_000), people * streamsEach)
const maxMs = 1000
/** The limit for 10,000 streams, on top of an idle server's memory. */
const maxMegabytes = 300
const timeoutMs = 60_000
const settleMs = 5_000
const idleMs = 30_000

type Stream = { request: http.ClientRequest; text: string }
type Arrival = { reached: number; p50Ms: number; p99Ms: number; lastMs: number }

const startedAt = new Date()
const { folder, removeFolder } = benchFolder('streams')
const environment = {
  ...{ NODE_ENV: 'production', PORT: String(await freePort()), HOST: '::', DATA_DIR: path.join(folder, 'data') },
  ...{ LOG_LEVEL: 'fatal', RATE_LIMIT_SCALE: '10000', DEMO_DATA: 'off', DATABASE_URL: '', MAX_EVENT_LOOP_DELAY_MS: '0' },
}
const start = () => startSungrove(environment)
let server = await start()
const agent = new http.Agent({ maxSockets: Number.POSITIVE_INFINITY })
const streams: Stream[] = []
try {
  const author = await signUp(server.origin)
  const authorId = ((await (await call(author, 'GET', '/api/auth/user')).json()) as { id: string }).id
  const followers: string[] = []
  // Passwords are slow to hash, and more parallel requests wouldn't be faster.
  await inLanes(4, people, async (i) => {
    const cookie = await signUp(server.origin, `follower.${i}`)
    await call(cookie, 'PUT', `/api/people/${authorId}/follow`)
    followers.push(cookie)
  })
  const others: string[] = []
  await inLanes(4, Math.ceil(allStreams / streamsEach) - people, async (i) => {
    others.push(await signUp(server.origin, `other.${i}`))
  })
  console.log(`${people} people follow the author, and ${others.length} don't.`)

  // Hashing passwords leaves a process larger than an idle one.
  await server.stop()
  server = await start()
  await waitUntilSettled(server.pid)
  // Startup leaves garbage that V8 releases only after a while without work.
  await sleep(idleMs)
  const idleMegabytes = residentMegabytes(server.pid)
  await openStreams(followers)
  const ofFollowers = streams.length
  await openStreams(others)
  await sleep(settleMs)
  const megabytes = residentMegabytes(server.pid) - idleMegabytes
  const memory = { streams: streams.length, idleMegabytes, megabytes, kilobytesEach: (megabytes * 1024) / streams.length }
  console.log(
    `${memory.streams} streams are open: ${megabytes.toFixed(0)} MB above ${idleMegabytes.toFixed(0)} MB, ${memory.kilobytesEach.toFixed(1)} KB each.`,
  )
  for (const { request } of streams.splice(ofFollowers)) request.destroy()
  await sleep(settleMs)

  const reach = (name: string) => reachAll(name, author)
  await reach('warm-up')
  const alone = await reach('alone')
  const queue = await fillQueue()
  const waitingBefore = await queue.waiting()
  const beside = await reach('beside a backlog')
  const waitingAfter = await queue.waiting()
  const drained = await queue.drain()
  console.log(
    `${waitingBefore} jobs were due before that post and ${waitingAfter} after it; all were done ${drained.toFixed(1)} s after they became due.`,
  )
  await queue.close()
  const limits = { maxMs, maxMegabytes }
  const figures = { people, streams: streams.length, jobs: jobCount, limits, memory, alone, beside, waitingBefore, waitingAfter, drained }
  console.log(`Written to ${path.relative(process.cwd(), save(figures, startedAt, 'streams'))}`)
  requireLimits({
    [`less than ${maxMegabytes} MB above idle for 10,000 streams, in proportion`]: memory.kilobytesEach < (maxMegabytes * 1024) / 10_000,
    [`the post reaches all ${streams.length} streams of followers within ${maxMs} ms`]:
      beside.reached === streams.length && beside.lastMs <= maxMs,
    'jobs were still waiting then': waitingAfter > 0,
  })
} finally {
  for (const { request } of streams) request.destroy()
  await server.stop()
  removeFolder()
}

async function call(cookie: string, method: string, address: string, body?: object): Promise<Response> {
  const headers = { cookie, ...(body ? { 'content-type': 'application/json' } : {}) }
  const answer = await fetch(server.origin + address, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${await answer.text()}`)
  return answer
}

async function openStreams(cookies: readonly string[]): Promise<void> {
  for (const cookie of cookies) streams.push(...(await Promise.all(Array.from({ length: streamsEach }, () => openStream(cookie)))))
}

async function openStream(cookie: string): Promise<Stream> {
  const request = http.get(`${server.origin}/api/live`, { agent, headers: { cookie, accept: 'text/event-stream' } })
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
  if (answer.statusCode !== 200) throw new Error(`A stream was refused: ${answer.statusCode}`)
  const stream: Stream = { request, text: '' }
  request.on('error', () => {})
  answer.setEncoding('utf8').on('data', (text: string) => {
    stream.text += text
  })
  return stream
}

/** Publishes a post and waits until every stream has announced it. */
async function reachAll(name: string, author: string): Promise<Arrival> {
  for (const stream of streams) stream.text = ''
  const began = performance.now()
  const answer = await call(author, 'POST', '/api/posts', {
    ...{ title: `A post ${name}`, content: 'The last row came down on Thursday.', postType: 'update', businessId: null },
  })
  const { id } = (await answer.json()) as { id: string }
  const arrivals: number[] = []
  const missing = new Set(streams)
  while (missing.size > 0 && performance.now() - began < timeoutMs) {
    for (const stream of missing) {
      if (!stream.text.includes(id)) continue
      arrivals.push(performance.now() - began)
      missing.delete(stream)
    }
    await sleep(2)
  }
  const at = (share: number) => (arrivals.length > 0 ? quantile(arrivals, share) : Number.POSITIVE_INFINITY)
  const arrival = { reached: arrivals.length, p50Ms: at(0.5), p99Ms: at(0.99), lastMs: at(1) }
  const [p50, p99, last] = [arrival.p50Ms, arrival.p99Ms, arrival.lastMs].map((ms) => ms.toFixed(0))
  console.log(`${name}: ${arrival.reached} of ${streams.length} streams, p50 ${p50} ms, p99 ${p99} ms, last ${last} ms`)
  return arrival
}

/** Queues pushes for half of the jobs and emails for the other half, outside the server's process, as another node would. */
async function fillQueue() {
  const log = createLog({ logLevel: 'fatal' })
  const database = await openDatabase(
    loadConfig({ ...environment, PORT: '' }, () => 'bench'),
    log,
    { as: 'command' },
  )
  const queue = createJobQueue({ connectionString: database.url, log })
  const userId = newId()
  const options = { startAfterSeconds: 3600 }
  await inLanes(16, jobCount, (i) =>
    i % 2 === 0
      ? queue.enqueue('notifications.push', { userId, subscriptionId: newId(), count: 1 }, options)
      : queue.enqueue('notifications.mail', { userId, ids: [newId()], more: 0 }, options),
  )
  const isOurs = sql`name in ('notifications.push', 'notifications.mail') and data ->> 'userId' = ${userId}`
  // All become due together: jobs queued as due would run as fast as they are queued.
  await sql`update pgboss.job set start_after = now() where ${isOurs}`.execute(database.db)
  const began = performance.now()
  const waiting = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from pgboss.job where ${isOurs}`.execute(database.db)
    return rows[0]?.count ?? 0
  }
  return {
    waiting,
    /** @returns seconds from when the jobs became due until all are done */
    async drain() {
      while ((await waiting()) > 0) await sleep(100)
      return (performance.now() - began) / 1000
    },
    async close() {
      await queue.stop()
      await database.close()
    },
  }
}
