import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { measure, type Target } from './measure.ts'
import { option } from './options.ts'
import { benchFolder, freePort, type RunningServer, startServer, startSungrove, waitUntilSettled } from './processes.ts'
import { type Row, ratioOf, save, table } from './report.ts'
import { benchRoutes } from './routes.ts'
import { prepareVisitor } from './sample.ts'
import type { Counted } from './statements-preload.ts'

/** Size of one response, for the bare server to match. */
async function answerSize(origin: string, target: Target, headers: Record<string, string>): Promise<number> {
  const [path, method] = 'path' in target ? [target.path, 'GET'] : [target.toggled[0], 'DELETE']
  const answer = await fetch(`${origin}${path}`, { method, headers })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.arrayBuffer()).byteLength
}

/** The minimum of several tries, because background work also runs statements. */
async function countStatements(server: RunningServer, target: Target, headers: Record<string, string>): Promise<Counted> {
  const calls = 'path' in target ? [['GET', target.path]] : ['PUT', 'DELETE'].map((method) => [method, target.toggled[0]])
  const signal = async (): Promise<Counted> => {
    process.kill(server.pid, 'SIGUSR2')
    while (!fs.existsSync(statementsFile)) await sleep(20)
    const written = JSON.parse(fs.readFileSync(statementsFile, 'utf8')) as Counted
    fs.rmSync(statementsFile)
    return written
  }
  let lowest: Counted = { statements: Infinity, planned: Infinity }
  for (let round = 0; round < 5; round++) {
    for (const [method, path] of calls) {
      await signal()
      await (await fetch(`${server.origin}${path}`, { method: method as string, headers })).arrayBuffer()
      const counted = await signal()
      lowest = { statements: Math.min(lowest.statements, counted.statements), planned: Math.min(lowest.planned, counted.planned) }
    }
  }
  return lowest
}

/**
 * `npm run bench [-- --seconds 5] [--only name,name]`: measures requests per second, latencies and CPU time of the main calls, each
 * compared to a bare server that returns as many bytes, and counts the statements of a request. The client shares the machine's cores with
 * the server.
 */
const seconds = process.argv.includes('--seconds') ? Number(option('--seconds')) : 5
const only = process.argv.includes('--only') ? option('--only')?.split(',') : undefined

const startedAt = new Date()
const { folder: dataDir, removeFolder } = benchFolder('run')
const statementsFile = path.join(dataDir, 'statements.json')
console.log('Starting the server on a fresh database with the shipped directory and the demo content…')
const environment = {
  NODE_ENV: 'production',
  PORT: String(await freePort()),
  HOST: '::',
  DATA_DIR: dataDir,
  LOG_LEVEL: 'warn',
  RATE_LIMIT_SCALE: '10000',
  DATABASE_URL: process.env.DATABASE_URL ?? '',
  STATEMENTS_FILE: statementsFile,
}
const server = await startSungrove(environment, { preload: 'bench/statements-preload.ts' })
const rows: Row[] = []
try {
  const { cookie, memberCookie, sample } = await prepareVisitor(server.origin)
  await waitUntilSettled(server.pid)
  for (const route of benchRoutes.filter((each) => only === undefined || only.some((part) => each.name.includes(part)))) {
    const target = route.target(sample)
    const headers = { cookie: route.asMember ? memberCookie : cookie }
    const bytes = await answerSize(server.origin, target, headers)
    const bare = await startServer(
      'bench/floor.ts',
      [String(bytes), ...(route.floor ? [route.floor] : [])],
      environment,
      (line) => `http://127.0.0.1:${line}`,
    )
    const floor = await measure(bare, { path: '/' }, headers, seconds)
    await bare.stop()
    const measured = await measure(server, target, headers, seconds)
    const { statements, planned } = await countStatements(server, target, headers)
    rows.push({ route: route.name, bytes, floor, measured, target: route.minRatio, statements, planned })
    console.log(`${route.name}: ${measured.requestsPerSecond.toFixed(0)} req/s`)
  }
} finally {
  await server.stop()
  removeFolder()
}
console.log(
  `\n${table(rows)}\n\nWritten to ${path.relative(process.cwd(), save({ rows: rows.map((row) => ({ ...row, ratio: ratioOf(row) })) }, startedAt))}`,
)
const missed = rows.filter((row) => row.target !== null && ratioOf(row) < row.target)
if (missed.length > 0) {
  console.error(`Below target: ${missed.map((row) => row.route).join(', ')}`)
  process.exitCode = 1
}
