import { spawn, spawnSync } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { loadConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { createLog } from '#server/log.ts'
import type { BalancedFlood, BalancedFloodResult } from './balanced-flood.ts'
import { quantile } from './latency.ts'
import { createClient, loadedServer, measureCapacity, printed, readMix, requireLimits } from './load.ts'
import { numberOf } from './options.ts'
import { benchFolder, type RunningServer, startSungrove, waitUntilSettled } from './processes.ts'
import { save } from './report.ts'
import { prepareVisitor } from './sample.ts'

/**
 * `npm run bench:rolling [-- --requests 10000] [--share 0.7]`: runs two nodes on one database behind a client that balances like the
 * proxies of `deploy/`, at 70% of a single node's capacity, because each serves all of the load while the other restarts. Measures without
 * restarts first, then while each node in turn is stopped and started again. Nodes, database and client share the machine's cores.
 */
const minRequests = numberOf('--requests', 10_000)
const share = numberOf('--share', 0.7)
const capacitySeconds = 10
const maxRatio = 2
/** The proxies of `deploy/` use a node again ten seconds after it refused a connection. */
const betweenRestartsMs = 11_000

const startedAt = new Date()
const { folder, removeFolder } = benchFolder('rolling')
const dataDir = path.join(folder, 'data')
const log = createLog({ logLevel: 'fatal' })
const database = await openDatabase(
  loadConfig({ DATA_DIR: dataDir, DATABASE_URL: process.env.DATABASE_URL ?? '', NODE_ENV: 'production' }, () => 'bench'),
  log,
  { as: 'command' },
)
const nodes: (RunningServer | null)[] = [null, null]
const client = createClient()
try {
  // Like the unit in `deploy/systemd`, so that a restart needs less CPU time.
  const compiled = { NODE_COMPILE_CACHE: path.join(folder, 'compiled') }
  const settings = await Promise.all(nodes.map(async () => ({ ...(await loadedServer(dataDir)), ...compiled, DATABASE_URL: database.url })))
  const start = async (which: number, priority = 0) => {
    nodes[which] = await startSungrove(settings[which] as Record<string, string>, { priority })
  }
  loadDemo(settings[0] as Record<string, string>)
  // The first node loads the directory.
  await start(0)
  await sql`analyze`.execute(database.db)
  await start(1)
  const [first, second] = nodes as [RunningServer, RunningServer]
  const { cookie, sample } = await prepareVisitor(first.origin)
  await waitUntilSettled(first.pid)
  await waitUntilSettled(second.pid)
  const paths = readMix(sample)
  let turn = 0
  const capacity = await measureCapacity(
    () => client.ask(first.origin + paths[turn++ % paths.length], { headers: { cookie } }),
    capacitySeconds,
  )
  const ports = [first, second].map(({ origin }) => Number(new URL(origin).port))
  const flood: BalancedFlood = { ports, paths, cookie, perSecond: capacity.perSecond * share }
  const minMs = (minRequests / flood.perSecond) * 1000

  // Lets both nodes compile their code.
  await balanced(flood, () => sleep(5_000))
  const undisturbed = await balanced(flood, () => sleep(minMs))
  const restarts: { stopMs: number; startMs: number }[] = []
  const rolling = await balanced(flood, async () => {
    const began = performance.now()
    await sleep(3_000)
    for (const which of nodes.keys()) {
      const stopping = performance.now()
      await nodes[which]?.stop()
      nodes[which] = null
      const starting = performance.now()
      await start(which, os.constants.priority.PRIORITY_LOW)
      restarts.push({ stopMs: starting - stopping, startMs: performance.now() - starting })
      await sleep(betweenRestartsMs)
    }
    await sleep(Math.max(0, minMs - (performance.now() - began)))
  })
  const figures = {
    share,
    capacityOfOneNodePerSecond: capacity.perSecond,
    askedPerSecond: flood.perSecond,
    restarts,
    undisturbed: summary(undisturbed),
    rolling: summary(rolling),
    p99Ratio: quantile(rolling.ms, 0.99) / quantile(undisturbed.ms, 0.99),
    limits: { failed: 0, minRequests, maxRatio },
  }
  console.log(printed(figures))
  console.log(`Written to ${path.relative(process.cwd(), save(figures, startedAt, 'rolling'))}`)
  requireLimits({
    [`0 of ${figures.rolling.requests} requests failed`]: figures.rolling.failed === 0 && figures.undisturbed.failed === 0,
    [`at least ${minRequests} requests`]: figures.rolling.requests >= minRequests,
    [`p99 at most ${maxRatio} times that without restarts`]: figures.p99Ratio <= maxRatio,
  })
} finally {
  client.close()
  for (const node of nodes) await node?.stop()
  await database.close()
  removeFolder()
}

/** Only a new embedded database loads the demo content automatically. */
function loadDemo(env: Record<string, string>): void {
  const script = path.resolve(import.meta.dirname, '../server/commands/load-demo.ts')
  const { status } = spawnSync(process.execPath, [script], { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error('The demo content could not be loaded.')
}

/** Runs `work` under load from another process. */
async function balanced(flood: BalancedFlood, work: () => Promise<unknown>): Promise<BalancedFloodResult> {
  const script = path.join(import.meta.dirname, 'balanced-flood.ts')
  const child = spawn(process.execPath, [script, JSON.stringify(flood)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const result = json(child.stdout) as Promise<BalancedFloodResult>
  try {
    await Promise.race([work(), result])
  } finally {
    child.stdin.end()
  }
  return result
}

function summary({ ms, failed, retries, usedNodes }: BalancedFloodResult) {
  const failures = Object.values(failed).reduce((sum, count) => sum + count, 0)
  const times = { p50Ms: quantile(ms, 0.5), p99Ms: quantile(ms, 0.99), maxMs: quantile(ms, 1) }
  return { requests: ms.length + failures, failed: failures, reasons: failed, retries, usedNodes, ...times }
}
