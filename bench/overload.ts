import path from 'node:path'
import { demoConsumer, demoPassword } from '#server/features/demo/index.ts'
import type { Flood, FloodResult } from './flood.ts'
import { quantile } from './latency.ts'
import { type Answer, createClient, inOtherProcess, loadedServer, measureCapacity, msOf, printed, readMix, requireLimits } from './load.ts'
import { numberOf } from './options.ts'
import { benchFolder, startSungrove } from './processes.ts'
import { save } from './report.ts'
import { prepareVisitor } from './sample.ts'

/**
 * `npm run bench:overload [-- --seconds 10] [--times 10]`: measures how a server handles ten times its capacity. First measures the
 * capacity, then sends requests at ten times that rate, regardless of pending responses, along with sign-ins and a health probe, and
 * finally measures how quickly the server recovers. The client shares the machine's cores with the server, and uses more of them the more
 * it sends. Fails if a limit isn't met.
 */
const seconds = numberOf('--seconds', 10)
const times = numberOf('--times', 10)

const minGoodput = 0.9
const maxRefusalMs = 200
const maxRecoveryMs = 3_000

const { folder: dataDir, removeFolder } = benchFolder('overload')
const startedAt = new Date()
const server = await startSungrove(await loadedServer(dataDir))
const client = createClient()
try {
  const { cookie, sample } = await prepareVisitor(server.origin)
  const mix = readMix(sample)
  let turn = 0
  const work = () => client.ask(server.origin + mix[turn++ % mix.length], { headers: { cookie } })
  const signIn = () => {
    const body = JSON.stringify({ email: demoConsumer, password: demoPassword })
    const headers = { 'content-type': 'application/json', 'content-length': body.length }
    return client.ask(`${server.origin}/api/login`, { method: 'POST', headers }, body)
  }

  const alone = await measureCapacity(work, seconds)

  const beside = { signIns: [] as Promise<Answer>[], health: [] as Promise<Answer>[] }
  const besides = setInterval(() => {
    beside.signIns.push(signIn())
    beside.health.push(client.ask(`${server.origin}/healthz`, {}))
  }, 500)
  const port = Number(new URL(server.origin).port)
  const flood: Flood = { port, paths: mix, cookie, perSecond: alone.perSecond * times, seconds, connections: 1_500 }
  const flooded = await inOtherProcess<FloodResult>('flood.ts', flood)
  clearInterval(besides)
  const recoveredMs = flooded.tailMs + (await waitUntilFast(work, 3 * alone.p50Ms))
  const signIns = await Promise.all(beside.signIns)
  const health = await Promise.all(beside.health)

  const { '200': done = [], '503': refused = [], ...others } = flooded.ms
  const figures = {
    seconds,
    capacityPerSecond: alone.perSecond,
    askedPerSecond: flooded.sent / seconds,
    goodputPerSecond: done.length / seconds,
    goodputOfCapacity: done.length / seconds / alone.perSecond,
    answered: { p50Ms: quantile(done, 0.5), p99Ms: quantile(done, 0.99) },
    refused: {
      count: refused.length,
      withRetryAfter: flooded.withRetryAfter,
      p50Ms: quantile(refused, 0.5),
      p99Ms: quantile(refused, 0.99),
    },
    late: flooded.late,
    otherStatuses: Object.fromEntries(Object.entries(others).map(([status, { length }]) => [status, length])),
    signIns: { ...countsOf(signIns), p50Ms: quantile(msOf(signIns), 0.5), maxMs: Math.max(...msOf(signIns)) },
    health: { ...countsOf(health), p99Ms: quantile(msOf(health), 0.99) },
    recoveredMs,
    limits: { minGoodput, maxRefusalMs, maxRecoveryMs },
  }
  console.log(printed(figures))
  console.log(`Written to ${path.relative(process.cwd(), save(figures, startedAt, 'overload'))}`)
  requireLimits({
    [`goodput of at least ${minGoodput} of the capacity`]: figures.goodputOfCapacity >= minGoodput,
    [`99 of 100 refusals within ${maxRefusalMs} ms`]: figures.refused.p99Ms <= maxRefusalMs,
    'Retry-After on every refusal': flooded.withRetryAfter === refused.length,
    'no other response, and none missing': Object.keys(others).length === 0 && flooded.late === 0,
    'every sign-in succeeds': figures.signIns.done === signIns.length,
    [`recovered within ${maxRecoveryMs / 1000} s`]: recoveredMs <= maxRecoveryMs,
  })
} finally {
  client.close()
  await server.stop()
  removeFolder()
}

function countsOf(answers: readonly Answer[]) {
  return { asked: answers.length, done: answers.filter(({ status }) => status === 200).length }
}

/** Milliseconds until ten consecutive requests take at most `enoughMs` each. Infinite if that takes more than 30 seconds. */
async function waitUntilFast(work: () => Promise<Answer>, enoughMs: number): Promise<number> {
  const began = performance.now()
  for (let quick = 0; quick < 10; ) {
    const { status, ms } = await work()
    quick = status === 200 && ms <= enoughMs ? quick + 1 : 0
    if (performance.now() - began > 30_000) return Number.POSITIVE_INFINITY
  }
  return performance.now() - began
}
