import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { loadConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { createLog } from '#server/log.ts'
import { storedSecret } from '#server/secrets.ts'
import { frameLine } from './frames.ts'
import { huntCalls, huntScreens } from './hunt-calls.ts'
import { measureScreens } from './hunt-screens.ts'
import { quantile } from './latency.ts'
import { grower, loadHunt } from './load-hunt.ts'
import { option } from './options.ts'
import { benchFolder, freePort, ownProcessorTime, processorTime, type RunningServer, startSungrove } from './processes.ts'
import { rankingFigures } from './ranking.ts'
import { save } from './report.ts'
import { signIn } from './sign-in.ts'

/**
 * `npm run bench:hunt [-- --calls 40 --only growth --data FOLDER --hunts 100000 --filled 10000]`: times the calls that pages make for a
 * hunt with 200 phenotypes, one after another, among a million logs and a million observations of other hunts. With `--data`, the
 * database is kept and reused.
 * With `--browser`, also scrolls the matrix and moves a weight in Chromium (`CHROMIUM=/usr/bin/chromium` for the system's).
 */
const calls = Number(option('--calls') ?? 40)
const only = option('--only')
const hunts = Number(option('--hunts') ?? 100_000)
const filled = Number(option('--filled') ?? 10_000)
/** Limit for all responses of a screen. */
const maxMs = 300
const maxRankingMs = 50

const startedAt = new Date()
const agent = new http.Agent({ keepAlive: true })
const kept = option('--data')
const { folder, removeFolder } = benchFolder('hunt', kept)
const env = { DATA_DIR: folder, DATABASE_URL: '', DEMO_DATA: 'off' }
// Statements that load the data exceed the usual timeout.
Object.assign(process.env, env, { STATEMENT_TIMEOUT_MS: '600000' })
let server: RunningServer | undefined
try {
  if (fs.readdirSync(folder).length === 0) await loadHunt(folder, { hunts, filled })
  const settings = { NODE_ENV: 'production', PORT: String(await freePort()), HOST: '::', LOG_LEVEL: 'warn', RATE_LIMIT_SCALE: '10000' }
  server = await startSungrove({ ...env, ...settings, STATEMENT_TIMEOUT_MS: '30000' })
  const { origin, pid } = server
  const headers = { cookie: await signIn(origin, grower.email, grower.password), 'accept-encoding': 'br, gzip' }
  const { huntId, ...seen } = await whatIsMeasured()
  const isWanted = ({ name }: { name: string }) => only === undefined || name.includes(only)

  console.log(`${origin}; machine load ${loads()}\n`)
  console.log(line(['call', 'bytes', 'sent', 'p50 ms', 'p95 ms', 'CPU app', 'CPU with db']))
  const figures = []
  for (const { name, url } of huntCalls(huntId, seen).filter(isWanted)) {
    const { bytes } = await ask(`${origin}${url}`, { ...headers, 'accept-encoding': 'identity' })
    const { bytes: sentBytes } = await ask(`${origin}${url}`, headers)
    for (let n = 0; n < Math.max(3, calls / 4); n++) await ask(`${origin}${url}`, headers)
    const before = { app: ownProcessorTime(pid), all: processorTime(pid) ?? Number.NaN }
    const times = []
    for (let n = 0; n < calls; n++) times.push((await ask(`${origin}${url}`, headers)).ms)
    const each = (from: number, to: number) => (to - from) / 1000 / calls
    const figure = {
      ...{ name, bytes, sentBytes, p50Ms: quantile(times, 0.5), p95Ms: quantile(times, 0.95) },
      appCpuMs: each(before.app, ownProcessorTime(pid)),
      cpuMs: each(before.all, processorTime(pid) ?? Number.NaN),
    }
    figures.push(figure)
    const { p50Ms, p95Ms, appCpuMs, cpuMs } = figure
    console.log(line([name, String(bytes), String(sentBytes), ...[p50Ms, p95Ms, appCpuMs, cpuMs].map((ms) => ms.toFixed(1))]))
  }

  console.log(`\nAll calls of a screen at once, until the last response arrives; load ${loads()}`)
  const screens = []
  for (const { name, urls } of huntScreens(huntId).filter(isWanted)) {
    const times = []
    for (let n = 0; n < calls; n++) {
      const start = performance.now()
      await Promise.all(urls.map((url) => ask(`${origin}${url}`, headers)))
      times.push(performance.now() - start)
    }
    screens.push({ name, p50Ms: quantile(times, 0.5), p95Ms: quantile(times, 0.95) })
    console.log(line([name, '', '', quantile(times, 0.5).toFixed(1), quantile(times, 0.95).toFixed(1)]))
  }

  console.log('\nRanking 200 phenotypes by 40 traits, CPU time in ms')
  const ranking = only === undefined ? rankingFigures() : []
  for (const { what, medianMs, slowestMs } of ranking) {
    console.log(`${what.padEnd(32)} median ${medianMs.toFixed(1).padStart(6)}  slowest ${slowestMs.toFixed(1).padStart(6)}`)
  }
  const inBrowser = process.argv.includes('--browser')
    ? await measureScreens(origin, headers.cookie, huntId, process.env.CHROMIUM || undefined)
    : null
  if (inBrowser) {
    console.log(`\nIn the browser, without a GPU: the main thread's CPU time in ms; load ${loads()}`)
    for (const scroll of inBrowser.scrolls) {
      const { perSecond, frames, late } = scroll.drawn
      console.log(`${frameLine(scroll)}; presented ${perSecond.toFixed(1)} a second by wall-clock time, ${late} of ${frames} late`)
    }
    const { scriptMs, drawingMs, p50ShownMs, p50PaintedMs } = inBrowser.weight
    const clock = `by wall-clock time shown after ${p50ShownMs.toFixed(0)}, painted after ${p50PaintedMs.toFixed(0)}`
    console.log(`${'a weight moved'.padEnd(36)} scripts ${scriptMs.toFixed(1)}, drawing ${drawingMs.toFixed(1)}; ${clock}`)
  }
  if (only === undefined) {
    const content = { hunts, filled, calls, maxMs, maxRankingMs, figures, screens, ranking, inBrowser, load: os.loadavg() }
    console.log(`\nLoad ${loads()}. Written to ${path.relative(process.cwd(), save(content, startedAt, 'hunt'))}`)
  }
  const slow = [
    ...screens.filter(({ p50Ms }) => p50Ms > maxMs).map(({ name }) => name),
    ...ranking.filter(({ what, medianMs }) => !what.startsWith('prepareRanking') && medianMs > maxRankingMs).map(({ what }) => what),
  ]
  if (slow.length > 0) {
    console.error(`Above the limit: ${slow.join('; ')}`)
    process.exitCode = 1
  }
} finally {
  agent.destroy()
  await server?.stop()
  removeFolder()
}

function line([name = '', ...cells]: string[]): string {
  return name.padEnd(26) + cells.map((cell) => cell.padStart(12)).join('')
}

function loads(): string {
  return os
    .loadavg()
    .map((each) => each.toFixed(1))
    .join(', ')
}

/** One request over a keep-alive connection, like a browser's; counts the bytes without decompressing them. */
async function ask(url: string, headers: Record<string, string>): Promise<{ ms: number; bytes: number }> {
  const start = performance.now()
  const [answer] = (await once(http.get(url, { agent, headers }), 'response')) as [http.IncomingMessage]
  let bytes = 0
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  await once(answer, 'end')
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}`)
  return { ms: performance.now() - start, bytes }
}

async function whatIsMeasured() {
  const database = await openDatabase(loadConfig(process.env, storedSecret), createLog({ logLevel: 'warn' }), { as: 'command' })
  try {
    const hunt = await database.db.selectFrom('hunts').select('id').where('hunt_name', '=', 'Measured hunt').executeTakeFirstOrThrow()
    const of = (table: 'runs' | 'genotypes') => database.db.selectFrom(table).select('id').where('hunt_id', '=', hunt.id).orderBy('id')
    const run = await of('runs').executeTakeFirstOrThrow()
    const genotype = await of('genotypes').executeTakeFirstOrThrow()
    const plant = await database.db.selectFrom('plants').select('code').where('genotype_id', '=', genotype.id).executeTakeFirstOrThrow()
    return { huntId: hunt.id, runId: run.id, genotypeId: genotype.id, plantCode: plant.code }
  } finally {
    await database.close()
  }
}
