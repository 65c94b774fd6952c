import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { createJobQueue } from '#server/adapters/jobs/pg-boss.ts'
import { loadConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { newId } from '#server/kernel/ids.ts'
import { createLog } from '#server/log.ts'
import { quantile } from './latency.ts'
import { freePort, startServer } from './processes.ts'
import { save } from './report.ts'
import { signUp } from './sign-in.ts'

/**
 * `npm run bench:streams [-- --people 400 --streams 5 --jobs 10000]`: how soon a post reaches every open stream of its author's followers,
 * with an empty queue and with as many due jobs as `--jobs`, and what a stream costs in memory. The jobs are push messages and
 * emails to people who have neither a device nor an address, so that each reads the database and sends nothing.
 */
const option = (name: string, usual: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? usual : Number(process.argv[at + 1])
}
const people = option('people', 400)
const streamsEach = option('streams', 5)
const jobCount = option('jobs', 10_000)
const maxMs = 1000
const patienceMs = 60_000

type Stream = { request: http.ClientRequest; text: string }
type Arrival = { reached: number; p50Ms: number; p99Ms: number; lastMs: number }

const startedAt = new Date()
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-bench-streams-'))
// PostgreSQL's account needs access; as root, the database would otherwise go elsewhere and stay there.
fs.chmodSync(folder, 0o711)
const environment = {
  ...{ NODE_ENV: 'production', PORT: String(await freePort()), HOST: '::', DATA_DIR: path.join(folder, 'data') },
  ...{ LOG_LEVEL: 'fatal', RATE_LIMIT_SCALE: '10000', DEMO_DATA: 'off', DATABASE_URL: '', MAX_EVENT_LOOP_DELAY_MS: '0' },
}
const server = await startServer('server/main.ts', [], environment, (line) => /ready at (http:\S+)/.exec(line)?.[1] ?? null)
const agent = new http.Agent({ maxSockets: Number.POSITIVE_INFINITY })
const streams: Stream[] = []
try {
  const author = await signUp(server.origin)
  const authorId = ((await (await call(author, 'GET', '/api/auth/user')).json()) as { id: string }).id
  const followers: string[] = []
  // Passwords are slow to hash, and more at once wouldn't be faster.
  await inLanes(4, people, async (i) => {
    const cookie = await signUp(server.origin, `follower.${i}`)
    await call(cookie, 'PUT', `/api/people/${authorId}/follow`)
    followers.push(cookie)
  })
  console.log(`${people} people follow the author.`)

  const before = residentMegabytes()
  for (const cookie of followers) {
    streams.push(...(await Promise.all(Array.from({ length: streamsEach }, () => openStream(cookie)))))
  }
  const megabytes = residentMegabytes() - before
  console.log(`${streams.length} streams are open: ${((megabytes * 1024) / streams.length).toFixed(1)} KB each.`)

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
  const figures = { people, streams: streams.length, jobs: jobCount, maxMs, megabytes, alone, beside, waitingBefore, waitingAfter, drained }
  console.log(`Written to ${path.relative(process.cwd(), save(figures, startedAt, 'streams'))}`)
  if (beside.reached < streams.length || beside.lastMs > maxMs || waitingAfter === 0) process.exitCode = 1
} finally {
  for (const { request } of streams) request.destroy()
  await server.stop()
  fs.rmSync(folder, { recursive: true, force: true })
}

async function call(cookie: string, method: string, address: string, body?: object): Promise<Response> {
  const headers = { cookie, ...(body ? { 'content-type': 'application/json' } : {}) }
  const answer = await fetch(server.origin + address, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${await answer.text()}`)
  return answer
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

/** Publishes a post and waits until every stream has said so. */
async function reachAll(name: string, author: string): Promise<Arrival> {
  for (const stream of streams) stream.text = ''
  const began = performance.now()
  const answer = await call(author, 'POST', '/api/posts', {
    ...{ title: `A post ${name}`, content: 'The last row came down on Thursday.', postType: 'update', businessId: null },
  })
  const { id } = (await answer.json()) as { id: string }
  const arrivals: number[] = []
  const missing = new Set(streams)
  while (missing.size > 0 && performance.now() - began < patienceMs) {
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

/** Queues half as many pushes as jobs, and half as many emails, in a process beside the server, like another node. */
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
  // All become due at once: queued one by one, they would be done as fast as they come.
  await sql`update pgboss.job set start_after = now() where ${isOurs}`.execute(database.db)
  const began = performance.now()
  const waiting = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from pgboss.job where ${isOurs}`.execute(database.db)
    return rows[0]?.count ?? 0
  }
  return {
    waiting,
    /** Waits until all are done. @returns seconds since they became due */
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

/** Runs `work` for 0 to `count` - 1, this many at a time. */
async function inLanes(lanes: number, count: number, work: (i: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

/** The resident memory of the server's process. */
function residentMegabytes(): number {
  const status = fs.readFileSync(`/proc/${server.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}
