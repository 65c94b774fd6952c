import os from 'node:os'
import path from 'node:path'
import { quantile } from './latency.ts'
import { type Figures, measure, type Target } from './measure.ts'
import { startNodeBB, voteRate } from './nodebb.ts'
import { numberOf } from './options.ts'
import { benchFolder, freePort, startSungrove, waitUntilSettled } from './processes.ts'
import { save } from './report.ts'
import { prepareVisitor } from './sample.ts'

/**
 * `npm run bench:peers [-- --rounds 5] [--seconds 4]`: measures tasks that NodeBB and Sungrove have in common, alternating on one
 * machine. NodeBB has 40 people and 200 topics; Sungrove has the shipped directory and the demo content. A page has 20 entries in both.
 */
const rounds = numberOf('--rounds', 5)
const seconds = numberOf('--seconds', 4)
/** Connections that write, one for each post that `prepareVisitor` provides. */
const writers = 32

type Row = { task: string; nodebb: number; sungrove: number; ratio: number; minRatio: number | null }

const startedAt = new Date()
const { folder: scratch, removeFolder } = benchFolder('peers')
const stops: (() => Promise<void>)[] = []
const rows: Row[] = []
try {
  console.log('Setting up NodeBB…')
  const nodebb = await startNodeBB(scratch)
  stops.push(() => nodebb.stop())
  const sungrove = await startSungrove({
    ...{ NODE_ENV: 'production', PORT: String(await freePort()), HOST: '::', DATA_DIR: path.join(scratch, 'data') },
    ...{ LOG_LEVEL: 'warn', RATE_LIMIT_SCALE: '10000', DATABASE_URL: '' },
  })
  stops.push(() => sungrove.stop())
  const { cookie, sample } = await prepareVisitor(sungrove.origin)
  await waitUntilSettled(sungrove.pid)

  const ask = (target: Target, headers: Record<string, string>) => async () => rate(await measure(sungrove, target, headers, seconds))
  const askNodeBB = (address: string, headers: Record<string, string>) => async () =>
    rate(await measure(nodebb, { path: address }, headers, seconds))
  await compare('list of a member', 25, askNodeBB('/api/recent', nodebb.headers), ask({ path: '/api/feed' }, { cookie }))
  await compare('list that visitors share', 100, askNodeBB('/api/category/2', {}), ask({ path: '/api/businesses' }, {}))
  await compare('HTML of a page', 10, askNodeBB(nodebb.topic, {}), ask({ path: `/menu/${sample.shopSlug}` }, {}))
  const likes: Target = { toggled: sample.likeable.map((id) => `/api/posts/${id}/like`) }
  await compare('like and unlike', null, () => voteRate(nodebb, writers, seconds), ask(likes, { cookie }))
  console.log(`Written to ${path.relative(process.cwd(), save({ rounds, seconds, rows }, startedAt, 'peers'))}`)
  const missed = rows.filter(({ ratio, minRatio }) => minRatio !== null && ratio < minRatio)
  if (missed.length > 0) {
    console.error(`Below the goal: ${missed.map(({ task }) => task).join(', ')}`)
    process.exitCode = 1
  }
} finally {
  for (const stop of stops.reverse()) await stop()
  removeFolder()
}

/** Medians over the rounds, in which the two alternate. */
async function compare(
  task: string,
  minRatio: number | null,
  nodebb: () => Promise<number>,
  sungrove: () => Promise<number>,
): Promise<void> {
  const all: { nodebb: number; sungrove: number }[] = []
  for (let round = 0; round < rounds; round++) all.push({ nodebb: await nodebb(), sungrove: await sungrove() })
  const middle = (of: (round: { nodebb: number; sungrove: number }) => number) => quantile(all.map(of), 0.5)
  const row = {
    task,
    nodebb: middle((round) => round.nodebb),
    sungrove: middle((round) => round.sungrove),
    ratio: middle((round) => round.sungrove / round.nodebb),
    minRatio,
  }
  rows.push(row)
  console.log(
    `${task.padEnd(26)} NodeBB ${row.nodebb.toFixed(0).padStart(6)}  Sungrove ${row.sungrove.toFixed(0).padStart(6)} req/s  × ${row.ratio.toFixed(1)}${minRatio === null ? '' : ` (goal ${minRatio})`}  load ${os.loadavg()[0]?.toFixed(1)}`,
  )
}

function rate({ requestsPerSecond }: Figures): number {
  return requestsPerSecond
}
