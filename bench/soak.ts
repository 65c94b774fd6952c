import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Flood, FloodResult } from './flood.ts'
import { quantile } from './latency.ts'
import { createClient, inOtherProcess, loadedServer, measureCapacity, printed, readMix, requireLimits } from './load.ts'
import { numberOf } from './options.ts'
import { benchFolder, resourcesOf, startSungrove } from './processes.ts'
import { save } from './report.ts'
import { prepareVisitor } from './sample.ts'

/**
 * `npm run bench:soak [-- --seconds 1800] [--warm-up 300] [--share 0.5]`: checks whether a server at half its capacity uses more and more
 * resources. Members read calls and pages, and like and unlike posts, which queues jobs. Compares memory, open files and waiting jobs in
 * the tenth of the time after the warm-up with those in the last tenth, and fails if they grow by 5% or more.
 */
const seconds = numberOf('--seconds', 1_800)
const warmUpSeconds = numberOf('--warm-up', 300)
const share = numberOf('--share', 0.5)
const maxGrowth = 0.05
const maxFailedShare = 0.0001
/** Fewer waiting jobs than this don't count as a backlog. */
const fewJobs = 20
const likesPerSecond = 5
const sampleEveryMs = Math.min(10_000, (seconds * 1000) / 60)
const metricsToken = 'for-the-benchmark-only'

type Sample = {
  atSeconds: number
  nodeMegabytes: number
  nodeFiles: number
  databaseMegabytes: number
  databaseFiles: number
  jobs: number
}
type Measure = Exclude<keyof Sample, 'atSeconds'>

const { folder, removeFolder } = benchFolder('soak')
const startedAt = new Date()
const server = await startSungrove({ ...(await loadedServer(path.join(folder, 'data'))), DATABASE_URL: '', METRICS_TOKEN: metricsToken })
const client = createClient()
try {
  const { cookie, sample } = await prepareVisitor(server.origin)
  const paths = [...readMix(sample), '/', `/business/${sample.shopSlug}`]
  let turn = 0
  const read = () => client.ask(server.origin + paths[turn++ % paths.length], { headers: { cookie } })
  const capacity = await measureCapacity(read, 10)

  const began = performance.now()
  const flood: Flood = {
    ...{ port: Number(new URL(server.origin).port), paths, cookie },
    ...{ perSecond: capacity.perSecond * share, seconds: warmUpSeconds + seconds, connections: 200 },
  }
  const samples: Sample[] = []
  const likes = { asked: 0, done: 0 }
  const flooding = inOtherProcess<FloodResult>('flood.ts', flood)
  const writing = setInterval(() => void like(), 1000 / likesPerSecond)
  const takeSample = async () => {
    const { node, database } = resourcesOf(server.pid)
    samples.push({
      atSeconds: (performance.now() - began) / 1000,
      ...{ nodeMegabytes: node.megabytes, nodeFiles: node.files },
      ...{ databaseMegabytes: database.megabytes, databaseFiles: database.files },
      jobs: await waitingJobs(),
    })
  }
  const end = began + flood.seconds * 1000
  while (performance.now() < end) {
    await Promise.race([sleep(sampleEveryMs), flooding])
    if (performance.now() < end) await takeSample()
  }
  clearInterval(writing)
  const flooded = await flooding

  const tenth = seconds / 10
  const between = (from: number, to: number, what: Measure) =>
    quantile(
      samples.flatMap((each) => (each.atSeconds >= from && each.atSeconds <= to && !Number.isNaN(each[what]) ? [each[what]] : [])),
      0.5,
    )
  const measures: Measure[] = ['nodeMegabytes', 'nodeFiles', 'databaseMegabytes', 'databaseFiles', 'jobs']
  const growth = Object.fromEntries(
    measures.map((what) => {
      const first = between(warmUpSeconds, warmUpSeconds + tenth, what)
      const last = between(warmUpSeconds + seconds - tenth, warmUpSeconds + seconds, what)
      return [what, { first, last, growth: last / first - 1 }]
    }),
  ) as Record<Measure, { first: number; last: number; growth: number }>
  const { '200': done = [], ...others } = flooded.ms
  const failed = flooded.late + Object.values(others).reduce((sum, { length }) => sum + length, 0)
  const figures = {
    ...{ seconds, warmUpSeconds, share, capacityPerSecond: capacity.perSecond, askedPerSecond: flood.perSecond },
    ...{ requests: flooded.sent, failed, p50Ms: quantile(done, 0.5), p99Ms: quantile(done, 0.99), likes },
    ...{ growth, limits: { maxGrowth, maxFailedShare, fewJobs } },
  }
  console.log(printed(figures))
  console.log(`Written to ${path.relative(process.cwd(), save({ ...figures, samples }, startedAt, 'soak'))}`)
  const limit = `grows by less than ${maxGrowth * 100}%`
  requireLimits({
    [`memory of Node.js ${limit}`]: growth.nodeMegabytes.growth < maxGrowth,
    [`memory of PostgreSQL ${limit}`]: growth.databaseMegabytes.growth < maxGrowth,
    [`open files of Node.js: the number ${limit}`]: growth.nodeFiles.growth < maxGrowth,
    [`open files of PostgreSQL: the number ${limit}`]: growth.databaseFiles.growth < maxGrowth,
    'no backlog of jobs': growth.jobs.last <= Math.max(fewJobs, growth.jobs.first * (1 + maxGrowth)),
    'every request succeeds, except 1 in 10,000': failed <= flooded.sent * maxFailedShare,
    'every like is stored': likes.done === likes.asked,
  })

  async function like(): Promise<void> {
    const { likeable } = sample
    const number = likes.asked++
    const method = Math.floor(number / likeable.length) % 2 === 0 ? 'PUT' : 'DELETE'
    const { status } = await client.ask(`${server.origin}/api/posts/${likeable[number % likeable.length]}/like`, {
      method,
      headers: { cookie },
    })
    if (status >= 200 && status < 300) likes.done++
  }
} finally {
  client.close()
  await server.stop()
  removeFolder()
}

/**
 * Jobs of all kinds that are waiting or will be retried, as counted by the server's metrics; NaN if the database didn't count them in time.
 */
async function waitingJobs(): Promise<number> {
  const answer = await fetch(`${server.origin}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  const text = await answer.text()
  const isKnown = /^sungrove_jobs_known ([01])/m.exec(text)?.[1]
  if (isKnown === undefined) throw new Error(`The metrics don't say how many jobs are waiting: ${answer.status}`)
  if (isKnown === '0') return Number.NaN
  return [...text.matchAll(/^sungrove_jobs\{[^}]*state="(?:waiting|retrying)"[^}]*\} (\d+)/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  )
}
