import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { latencies, quantile } from './latency.ts'
import { measured } from './load-dataset.ts'
import { freePort, type RunningServer, startServer } from './processes.ts'
import { save } from './report.ts'
import { nextCursor, signIn } from './sign-in.ts'

/**
 * `npm run bench:feed [-- --small 10000 --large 1000000 --rounds 5 --seconds 4 --keep FOLDER]`: the feed of a person who follows
 * equally many at both sizes. FOLDER keeps the databases for the next run; otherwise they are temporary.
 */
const option = (name: string) => process.argv[process.argv.indexOf(name) + 1]
const numberOf = (name: string, otherwise: number) => (process.argv.includes(name) ? Number(option(name)) : otherwise)

const maxRatio = 1.3
const sizes = { small: numberOf('--small', 10_000), large: numberOf('--large', 1_000_000) }
const rounds = numberOf('--rounds', 5)
const seconds = numberOf('--seconds', 4)
const kept = process.argv.includes('--keep') ? option('--keep') : undefined

type Side = { server: RunningServer; headers: { cookie: string }; pages: { first: string; second: string } }
type Figure = {
  page: 'first' | 'second'
  connections: number
  smallMs: number
  largeMs: number
  ratio: number
  smallP99Ms: number
  largeP99Ms: number
}

const startedAt = new Date()
const folder = kept ? path.resolve(kept) : fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-bench-feed-'))
fs.mkdirSync(folder, { recursive: true })
// PostgreSQL's account needs access; as root, the databases would otherwise go elsewhere and stay there.
fs.chmodSync(folder, 0o711)
const running: RunningServer[] = []
try {
  const small = await startSide(sizes.small)
  const large = await startSide(sizes.large)
  const figures: Figure[] = []
  for (const page of ['first', 'second'] as const)
    for (const connections of [1, 64]) {
      const figure = await compare(small, large, page, connections)
      figures.push(figure)
      const { smallMs, largeMs, ratio } = figure
      console.log(
        `${page} page, ${connections} at once: p50 ${smallMs.toFixed(2)} ms and ${largeMs.toFixed(2)} ms, ratio ${ratio.toFixed(3)}`,
      )
    }
  console.log(
    `Machine load: ${os
      .loadavg()
      .map((each) => each.toFixed(1))
      .join(', ')}`,
  )
  console.log(`Written to ${path.relative(process.cwd(), save({ sizes, rounds, seconds, maxRatio, figures }, startedAt, 'feed'))}`)
  const missed = figures.filter(({ page, ratio }) => page === 'first' && ratio > maxRatio)
  if (missed.length > 0) {
    console.error(`Above ${maxRatio}: ${missed.map(({ connections }) => `${connections} at once`).join(', ')}`)
    process.exitCode = 1
  }
} finally {
  for (const server of running) await server.stop()
  if (!kept) fs.rmSync(folder, { recursive: true, force: true })
}

/** Starts a server with a dataset of this size, loading it if necessary, and signs in as the measured person. */
async function startSide(posts: number): Promise<Side> {
  const dataDir = path.join(folder, String(posts))
  const env = { DATA_DIR: dataDir, DATABASE_URL: '', DEMO_DATA: 'off' }
  if (!fs.existsSync(dataDir)) {
    const { status } = spawnSync(process.execPath, [path.join(import.meta.dirname, 'scale.ts'), '--posts', String(posts)], {
      env: { ...process.env, ...env },
      stdio: 'inherit',
    })
    if (status !== 0) {
      fs.rmSync(dataDir, { recursive: true, force: true })
      throw new Error(`The dataset of ${posts} posts could not be loaded.`)
    }
  }
  const settings = { NODE_ENV: 'production', PORT: String(await freePort()), HOST: '::', LOG_LEVEL: 'warn', RATE_LIMIT_SCALE: '10000' }
  const server = await startServer('server/main.ts', [], { ...env, ...settings }, (line) => /ready at (http:\S+)/.exec(line)?.[1] ?? null)
  running.push(server)
  const headers = { cookie: await signIn(server.origin, measured.email, measured.password) }
  const first = `${server.origin}/api/feed`
  const cursor = nextCursor(await fetch(first, { headers }))
  if (cursor === null) throw new Error(`The feed of ${posts} posts has one page.`)
  return { server, headers, pages: { first, second: `${first}?cursor=${cursor}` } }
}

/** Takes the median of the rounds' medians, so that a disturbed round doesn't count. */
async function compare(small: Side, large: Side, page: Figure['page'], connections: number): Promise<Figure> {
  const asked = [small, large].map(({ headers, pages }) => ({ url: pages[page], headers }))
  // With one connection, requests alternate, so that both servers run under the same conditions. With many, clients would wait for
  // the slower server and leave the other idle, so each is measured on its own for half a round.
  const ask = async (): Promise<number[][]> => {
    if (connections === 1) return latencies(asked, { connections, seconds })
    const apart: number[][] = []
    for (const side of asked) apart.push(...(await latencies([side], { connections, seconds: seconds / 2 })))
    return apart
  }
  await ask()
  const all: number[][][] = []
  for (let round = 0; round < rounds; round++) all.push(await ask())
  const middle = (of: (times: number[][]) => number) => quantile(all.map(of), 0.5)
  const at = (side: 0 | 1, share: number) => middle((times) => quantile(times[side] as number[], share))
  return {
    page,
    connections,
    smallMs: at(0, 0.5),
    largeMs: at(1, 0.5),
    ratio: middle(([ofSmall = [], ofLarge = []]) => quantile(ofLarge, 0.5) / quantile(ofSmall, 0.5)),
    smallP99Ms: at(0, 0.99),
    largeP99Ms: at(1, 0.99),
  }
}
