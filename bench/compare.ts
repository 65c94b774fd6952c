import fs from 'node:fs'
import path from 'node:path'
import { quantile } from './latency.ts'
import { type Figures, measure } from './measure.ts'
import { option } from './options.ts'
import { benchFolder, freePort, type RunningServer, startSungrove, waitUntilSettled } from './processes.ts'
import { save } from './report.ts'
import { benchRoutes, type Sample } from './routes.ts'

/**
 * `npm run bench:compare -- --with FOLDER [--rounds 7] [--seconds 2] [--only name,name]`: compares the main calls of this checkout and
 * another one, such as a worktree of an earlier commit with its own `npm ci`. Both servers run at the same time and take turns, round by
 * round, so other work on the machine slows both equally. The CPU time of a request is least affected. Prints the medians of the rounds,
 * and the median, lowest and highest of their ratios.
 */
const other = path.resolve(option('--with') ?? '')
if (!fs.existsSync(path.join(other, 'bench/sample.ts'))) {
  console.error('Name the folder of another checkout: npm run bench:compare -- --with FOLDER')
  process.exit(1)
}
const rounds = Number(option('--rounds') ?? 7)
const seconds = Number(option('--seconds') ?? 2)
const only = option('--only')?.split(',')

type Visitor = { cookie: string; memberCookie?: string; sample: Sample }
type Comparison = { before: number; now: number; ratio: number; lowest: number; highest: number }
type Side = { server: RunningServer; visitor: Visitor }

const startedAt = new Date()
const { folder: scratch, removeFolder } = benchFolder('compare')
const sides: Side[] = []
const rows: { route: string; requestsPerSecond: Comparison; cpuMicroseconds: Comparison }[] = []
try {
  for (const folder of [other, path.resolve(import.meta.dirname, '..')]) sides.push(await start(folder))
  const [before, now] = sides as [Side, Side]
  for (const route of benchRoutes.filter((each) => only === undefined || only.some((part) => each.name.includes(part)))) {
    const figures: { before: Figures; now: Figures }[] = []
    for (let round = 0; round < rounds; round++) {
      const call = ({ server, visitor }: Side) => {
        const headers = { cookie: route.asMember ? (visitor.memberCookie ?? visitor.cookie) : visitor.cookie }
        return measure(server, route.target(visitor.sample), headers, seconds)
      }
      // The order alternates, so neither side always follows the other's garbage collection.
      if (round % 2 === 0) {
        const first = await call(before)
        figures.push({ before: first, now: await call(now) })
      } else {
        const first = await call(now)
        figures.push({ before: await call(before), now: first })
      }
    }
    const row = {
      route: route.name,
      requestsPerSecond: compareRounds(figures.map((figure) => [figure.before.requestsPerSecond, figure.now.requestsPerSecond])),
      cpuMicroseconds: compareRounds(
        figures.map((figure) => [figure.before.cpuMicrosecondsPerRequest ?? 0, figure.now.cpuMicrosecondsPerRequest ?? 0]),
      ),
    }
    rows.push(row)
    console.log(`${row.route.padEnd(42)} ${text(row.requestsPerSecond)} req/s   ${text(row.cpuMicroseconds)} CPU µs a request`)
  }
  console.log(`Written to ${path.relative(process.cwd(), save({ rows }, startedAt, 'compare'))}`)
} finally {
  for (const { server } of sides) await server.stop()
  removeFolder()
}

function compareRounds(rounds: [before: number, now: number][]): Comparison {
  const ratios = rounds.map(([before, now]) => now / before)
  return {
    before: quantile(
      rounds.map(([before]) => before),
      0.5,
    ),
    now: quantile(
      rounds.map(([, now]) => now),
      0.5,
    ),
    ratio: quantile(ratios, 0.5),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
  }
}

function text({ before, now, ratio, lowest, highest }: Comparison): string {
  const figures = `${before.toFixed(0).padStart(6)} → ${now.toFixed(0).padStart(6)}`
  return `${figures}  × ${ratio.toFixed(2)} (${lowest.toFixed(2)}–${highest.toFixed(2)})`
}

async function start(folder: string): Promise<Side> {
  const environment = {
    ...{ NODE_ENV: 'production', PORT: String(await freePort()), HOST: '::', DATA_DIR: path.join(scratch, String(sides.length)) },
    ...{ LOG_LEVEL: 'warn', RATE_LIMIT_SCALE: '10000', DATABASE_URL: '' },
  }
  const server = await startSungrove(environment, { checkout: folder })
  const { prepareVisitor } = (await import(path.join(folder, 'bench/sample.ts'))) as { prepareVisitor(origin: string): Promise<Visitor> }
  const visitor = await prepareVisitor(server.origin)
  await waitUntilSettled(server.pid)
  return { server, visitor }
}
