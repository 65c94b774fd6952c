import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { quantile } from './latency.ts'
import { type Figures, measure } from './measure.ts'
import { freePort, type RunningServer, startServer, waitUntilSettled } from './processes.ts'
import { save } from './report.ts'
import { benchRoutes, type Sample } from './routes.ts'

/**
 * `npm run bench:compare -- --with FOLDER [--rounds 7] [--seconds 2] [--only name,name]`: the main calls of this checkout and of another one,
 * such as a worktree of an earlier commit with its own `npm ci`. Both servers run at the same time and take turns, a round at a time, so that
 * whatever else the machine does slows both alike. The CPU time of a request
 * depends least on that. Prints the rounds' medians, and of their ratios also the lowest and highest.
 */
const option = (name: string) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined)
const other = path.resolve(option('--with') ?? '')
if (!fs.existsSync(path.join(other, 'bench/sample.ts'))) {
  console.error('Name the folder of another checkout: npm run bench:compare -- --with FOLDER')
  process.exit(1)
}
const rounds = Number(option('--rounds') ?? 7)
const seconds = Number(option('--seconds') ?? 2)
const only = option('--only')?.split(',')

type Visitor = { cookie: string; memberCookie?: string; sample: Sample }
/** Medians of the rounds, and of their ratios with the lowest and the highest. */
type Compared = { before: number; now: number; ratio: number; lowest: number; highest: number }
type Side = { server: RunningServer; visitor: Visitor }

const startedAt = new Date()
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-bench-'))
// PostgreSQL's account needs access; as root, the database would otherwise go elsewhere and stay there.
fs.chmodSync(scratch, 0o711)
const sides: Side[] = []
const rows: { route: string; requestsPerSecond: Compared; cpuMicroseconds: Compared }[] = []
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
      // The order changes each round, so that neither side always follows the other's garbage collection.
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
      requestsPerSecond: compared(figures.map((figure) => [figure.before.requestsPerSecond, figure.now.requestsPerSecond])),
      cpuMicroseconds: compared(
        figures.map((figure) => [figure.before.cpuMicrosecondsPerRequest ?? 0, figure.now.cpuMicrosecondsPerRequest ?? 0]),
      ),
    }
    rows.push(row)
    console.log(`${row.route.padEnd(42)} ${text(row.requestsPerSecond)} req/s   ${text(row.cpuMicroseconds)} CPU µs a request`)
  }
  console.log(`Written to ${path.relative(process.cwd(), save({ rows }, startedAt, 'compare'))}`)
} finally {
  for (const { server } of sides) await server.stop()
  fs.rmSync(scratch, { recursive: true, force: true })
}

function compared(rounds: [before: number, now: number][]): Compared {
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

function text({ before, now, ratio, lowest, highest }: Compared): string {
  const figures = `${before.toFixed(0).padStart(6)} → ${now.toFixed(0).padStart(6)}`
  return `${figures}  × ${ratio.toFixed(2)} (${lowest.toFixed(2)}–${highest.toFixed(2)})`
}

async function start(folder: string): Promise<Side> {
  const environment = {
    ...{ NODE_ENV: 'production', PORT: String(await freePort()), HOST: '::', DATA_DIR: path.join(scratch, String(sides.length)) },
    ...{ LOG_LEVEL: 'warn', RATE_LIMIT_SCALE: '10000', DATABASE_URL: '' },
  }
  const server = await startServer(
    path.join(folder, 'server/main.ts'),
    [],
    environment,
    (line) => /ready at (http:\S+)/.exec(line)?.[1] ?? null,
  )
  const { prepareVisitor } = (await import(path.join(folder, 'bench/sample.ts'))) as { prepareVisitor(origin: string): Promise<Visitor> }
  const visitor = await prepareVisitor(server.origin)
  await waitUntilSettled(server.pid)
  return { server, visitor }
}
