import { execFile } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { demoConsumer, demoPassword } from '#server/features/demo/index.ts'
import type { Flood, Flooded } from './flood.ts'
import { quantile } from './latency.ts'
import { freePort, startServer } from './processes.ts'
import { save } from './report.ts'
import { prepareVisitor } from './sample.ts'

/**
 * `npm run bench:overload [-- --seconds 10] [--times 10]`: how a server handles ten times its capacity. Measures first its capacity,
 * with as many connections as it serves at once; then requests at ten times that rate, regardless of pending responses, along
 * with sign-ins and a health probe; then how quickly it recovers. The client shares the machine's cores with the server, and
 * uses more of them the more it sends.
 */
const option = (name: string, usual: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? usual : Number(process.argv[at + 1])
}
const seconds = option('seconds', 10)
const times = option('times', 10)
const connections = 48

type Answer = { status: number; ms: number }

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-bench-'))
const startedAt = new Date()
const server = await startServer(
  'server/main.ts',
  [],
  {
    ...{ NODE_ENV: 'production', PORT: String(await freePort()), HOST: '::', DATA_DIR: dataDir },
    ...{ LOG_LEVEL: 'fatal', RATE_LIMIT_SCALE: '10000', DATABASE_URL: process.env.DATABASE_URL ?? '' },
  },
  (line) => /ready at (http:\S+)/.exec(line)?.[1] ?? null,
)
const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, scheduling: 'fifo' })
try {
  const { cookie, sample } = await prepareVisitor(server.origin)
  const mix = [
    '/api/feed',
    `/api/posts/${sample.postId}`,
    `/api/posts/${sample.postId}/comments`,
    `/api/businesses/${sample.shopSlug}/posts`,
    '/api/notifications',
    '/api/search?q=gree',
  ]
  let turn = 0
  const work = () => ask(mix[turn++ % mix.length] as string, { headers: { cookie } })
  const signIn = () => {
    const body = JSON.stringify({ email: demoConsumer, password: demoPassword })
    return ask('/api/login', { method: 'POST', headers: { 'content-type': 'application/json', 'content-length': body.length } }, body)
  }

  await closedLoop(work, 3)
  const alone = await closedLoop(work, seconds)
  const capacity = alone.filter(({ status }) => status === 200).length / seconds
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(msOf(alone), share).toFixed(0))
  console.log(`capacity: ${capacity.toFixed(0)}/s, p50 ${p50} ms, p99 ${p99} ms with ${connections} connections`)

  const beside = { signIns: [] as Promise<Answer>[], health: [] as Promise<Answer>[] }
  const besides = setInterval(() => {
    beside.signIns.push(signIn())
    beside.health.push(ask('/healthz', {}))
  }, 500)
  const port = Number(new URL(server.origin).port)
  const flood = await inOtherProcess({ port, paths: mix, cookie, perSecond: capacity * times, seconds, connections: 1_500 })
  clearInterval(besides)
  const recoveredMs = await untilQuick(work, 3 * quantile(msOf(alone), 0.5))
  const signIns = await Promise.all(beside.signIns)
  const health = await Promise.all(beside.health)

  const { '200': done = [], '503': refused = [], ...others } = flood.ms
  const figures = {
    seconds,
    capacityPerSecond: capacity,
    askedPerSecond: flood.sent / seconds,
    goodputPerSecond: done.length / seconds,
    goodputOfCapacity: done.length / seconds / capacity,
    answered: { p50Ms: quantile(done, 0.5), p99Ms: quantile(done, 0.99) },
    refused: { count: refused.length, withRetryAfter: flood.withRetryAfter, p50Ms: quantile(refused, 0.5), p99Ms: quantile(refused, 0.99) },
    late: flood.late,
    otherStatuses: Object.fromEntries(Object.entries(others).map(([status, { length }]) => [status, length])),
    signIns: { ...countsOf(signIns), p50Ms: quantile(msOf(signIns), 0.5), maxMs: Math.max(...msOf(signIns)) },
    health: { ...countsOf(health), p99Ms: quantile(msOf(health), 0.99) },
    recoveredMs,
  }
  console.log(JSON.stringify(figures, (_key, value) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value), 2))
  console.log(`Written to ${path.relative(process.cwd(), save(figures, startedAt, 'overload'))}`)
} finally {
  agent.destroy()
  await server.stop()
  fs.rmSync(dataDir, { recursive: true, force: true })
}

function msOf(answers: readonly Answer[]): number[] {
  return answers.map(({ ms }) => ms)
}

function countsOf(answers: readonly Answer[]) {
  return { asked: answers.length, done: answers.filter(({ status }) => status === 200).length }
}

/** Status 0 means no response within 15 seconds. */
async function ask(address: string, options: http.RequestOptions, body?: string): Promise<Answer> {
  const start = performance.now()
  try {
    const request = http.request(server.origin + address, { agent, ...options, signal: AbortSignal.timeout(15_000) }).end(body)
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
    answer.resume()
    await once(answer, 'end')
    return { status: answer.statusCode ?? 0, ms: performance.now() - start }
  } catch {
    return { status: 0, ms: performance.now() - start }
  }
}

async function closedLoop(work: () => Promise<Answer>, forSeconds: number): Promise<Answer[]> {
  const answers: Answer[] = []
  const end = performance.now() + forSeconds * 1000
  const connection = async () => {
    while (performance.now() < end) answers.push(await work())
  }
  await Promise.all(Array.from({ length: connections }, connection))
  return answers
}

async function inOtherProcess(flood: Flood): Promise<Flooded> {
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(import.meta.dirname, 'flood.ts'), JSON.stringify(flood)], {
    maxBuffer: 100_000_000,
  })
  return JSON.parse(stdout) as Flooded
}

/** Milliseconds until ten consecutive requests are as fast as before. */
async function untilQuick(work: () => Promise<Answer>, enoughMs: number): Promise<number> {
  const began = performance.now()
  for (let quick = 0; quick < 10; ) {
    const { status, ms } = await work()
    quick = status === 200 && ms <= enoughMs ? quick + 1 : 0
    if (performance.now() - began > 30_000) return Number.POSITIVE_INFINITY
  }
  return performance.now() - began
}
