import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { save } from '#bench/report.ts'
import { connect, type Database } from '#server/db/connect.ts'
import { canEnter, serverAccount } from '#server/db/embedded/binaries.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { startSmtpServer } from '#tests/support/smtp-server.ts'
import { createCaller } from './caller.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { until } from './daemons.ts'
import { type Failover, failOver, planFailovers, summarize } from './failovers.ts'
import { replicasAreUsed, startNode } from './nodes.ts'
import { checkPairs } from './pairs.ts'
import { checkPooler, type PoolerVerdict } from './pooler.ts'
import { canInstall, findPrograms, installPrograms, type Programs } from './programs.ts'
import { checkReadiness } from './readiness.ts'
import { drainJobs, hurryEmails, type Verdict, verify } from './verify.ts'
import { gatherCrowd, startWriting } from './writers.ts'

/**
 * `npm run test:cluster -- [--failovers 20] [--seed 1] [--pairs 10000]`: two nodes of the application on three PostgreSQL servers under
 * Patroni, with etcd, HAProxy and PgBouncer, all on this machine. Everyone writes while the primary is switched over, killed and frozen;
 * then this checks that nothing confirmed was lost, duplicated or torn, and how long no one could write.
 *
 * `--writers 8` and `--pause 120` (milliseconds between the writes of each) set the load. `--back 2000` is how many milliseconds the nodes
 * may take to write again once the new primary commits. `--port 4600` is the first of 14 ports.
 * `--pgbouncer PATH` uses another PgBouncer. `--keep` leaves the folder with all logs. `--faults FILE` writes the faults as a JSON list.
 * With `--if-present`, installs and saves nothing, and exits with 77 if a program is missing.
 */
const { values } = parseArgs({
  options: {
    failovers: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    pairs: { type: 'string', default: '10000' },
    writers: { type: 'string', default: '8' },
    pause: { type: 'string', default: '120' },
    back: { type: 'string', default: '2000' },
    port: { type: 'string', default: '4600' },
    pgbouncer: { type: 'string' },
    keep: { type: 'boolean', default: false },
    faults: { type: 'string' },
    'if-present': { type: 'boolean', default: false },
  },
})
const [failovers, seed, pairs, writers, pauseMs, maxBackMs, port] = [
  values.failovers,
  values.seed,
  values.pairs,
  values.writers,
  values.pause,
  values.back,
  values.port,
].map(Number) as [number, number, number, number, number, number, number]
const skippedCode = 77
/** From this number of failovers on, also checks nodes whose DATABASE_URL names a former primary, which takes another minute. */
const minForReadiness = 5
const pooledComments = 40
const cleanUps: (() => Promise<unknown> | unknown)[] = []

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void cleanUp().finally(() => process.exit(130)))
try {
  process.exitCode = await run()
} finally {
  await cleanUp()
}

async function cleanUp(): Promise<void> {
  for (let last = cleanUps.pop(); last; last = cleanUps.pop()) {
    try {
      await last()
    } catch (error) {
      console.error(error)
    }
  }
}

function prepare(): Programs | null {
  let found = findPrograms(values.pgbouncer)
  if (!found.programs && canInstall() && !values['if-present']) {
    console.log(`Installing what is missing: ${found.missing.join(', ')}. Services that come with it aren't started.`)
    installPrograms()
    found = findPrograms(values.pgbouncer)
  }
  for (const note of found.notes) console.log(note)
  if (!found.programs) {
    const how =
      'On Debian 12: apt-get install --no-install-recommends postgresql patroni etcd-server haproxy. As root, this command does it.'
    console.log(`Missing: ${found.missing.join(', ')}. ${how}`)
  }
  return found.programs
}

async function run(): Promise<number> {
  const startedAt = new Date()
  const programs = prepare()
  if (!programs) return values['if-present'] ? skippedCode : 1
  const account = serverAccount()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-cluster-'))
  fs.chmodSync(folder, 0o711)
  cleanUps.push(() => {
    if (values.keep) console.log(`Logs and data are in ${folder}`)
    else fs.rmSync(folder, { recursive: true, force: true })
  })
  if (account && !canEnter(account, folder)) throw new Error(`${account.name} can't enter ${folder}. Set TMPDIR to a folder open to all.`)
  console.log(`${programs.versions.join(', ')}${account ? `, as ${account.name}` : ''}; seed ${seed}, in ${folder}`)

  const smtp = await startSmtpServer(port + 13)
  cleanUps.push(() => smtp.close())
  const ports = {
    ...{ etcd: port, etcdPeer: port + 1, postgres: port + 2, patroni: port + 3, primary: port + 4, replica: port + 5 },
    pgbouncer: port + 6,
  }
  const cluster = await startCluster({ programs, ports, folder, account })
  cleanUps.push(() => cluster.remove())
  const site = { folder, smtpUrl: smtp.url }
  const replicas = { DATABASE_REPLICA_URLS: cluster.replicaUrls.join(',') }
  const startNodes = async (env: Record<string, string>, second: Record<string, string> = {}) => {
    // The first node migrates the database.
    const first = await startNode('node-1', port + 8, site, { ...replicas, ...env })
    const nodes = [first, await startNode('node-2', port + 9, site, { ...replicas, ...env, ...second })] as const
    await replicasAreUsed(nodes, 2)
    return nodes
  }
  let nodes = await startNodes({ DATABASE_URL: cluster.url })
  cleanUps.push(() => Promise.all(nodes.map((node) => node.stop())))
  const database = connect(cluster.url, { databasePoolSize: 3, statementTimeoutMs: 60_000, lockTimeoutMs: 5_000 }, { warn() {} })
  cleanUps.push(() => database.close())

  const caller = createCaller(nodes.map(({ origin }) => origin))
  const shop = await addBusiness(database.db, { name: 'Cedar Hill' })
  const crowd = await gatherCrowd(caller, nodes[0].origin, { writers, buyers: 8 + 6 * failovers })
  await database.pool.query('update users set email_verified = true')
  const probed = await caller.accomplish<{ id: string }>({
    ...{ method: 'POST', path: '/api/posts', cookie: crowd.writers[0]?.cookie ?? '', key: newId() },
    body: { title: 'A post to save', content: 'The last row came down on Thursday.', postType: 'update', businessId: null },
  })
  const scene = { cluster, probes: crowd.readers, postId: probed.id, read: `/api/businesses/${shop.id}/ratings`, replicas: 2, maxBackMs }
  console.log(`Two nodes, ${writers} writers, ${crowd.buyers.length} buyers. Load average: ${loadNow()}`)

  const writing = startWriting(caller, crowd, { seed, pauseMs, orderPauseMs: 1000 })
  const hurry = setInterval(() => void hurryEmails(database).catch(() => {}), 2000)
  cleanUps.push(() => clearInterval(hurry))
  const faults: string[] = []
  /** A part that throws counts as a fault, and the other parts still run. */
  const attempt = async <Answer>(what: string, work: () => Promise<Answer>): Promise<Answer | null> => {
    try {
      return await work()
    } catch (error) {
      console.error(error)
      faults.push(`${what}: ${(error as Error).message}`)
      return null
    }
  }
  const events: Failover[] = []
  for (const [i, { kind, pauseMs: calmMs }] of planFailovers(failovers, seed).entries()) {
    await sleep(calmMs)
    const event = await attempt(`failover ${i + 1}, ${kind}`, () => failOver({ ...scene, nodes, url: cluster.url }, kind))
    if (!event) break
    events.push(event)
    faults.push(...event.faults.map((fault) => `failover ${i + 1}, ${kind}: ${fault}`))
    console.log(`${String(i + 1).padStart(2)} ${describe(event)}`)
  }
  caller.expireIn(120_000)
  await writing.stop()
  await attempt('jobs', () => drainJobs(database))
  clearInterval(hurry)
  const verdict = await verify(database, writing.ledger, crowd, smtp.received)
  faults.push(...caller.faults, ...faultsOf(verdict), ...(await compareReplicas(database, cluster)))
  const summary = summarize(events)
  console.log(JSON.stringify({ acknowledged: verdict.acknowledged, statuses: Object.fromEntries(caller.statuses), summary }, null, 2))

  const paired = await attempt('pairs', () => checkPairs(cluster, nodes, shop.id, pairs))
  faults.push(...(paired?.faults ?? []))
  if (failovers >= minForReadiness)
    faults.push(...((await attempt('/readyz', () => checkReadiness(cluster, site, [port + 10, port + 11]))) ?? []))

  let pooled: (PoolerVerdict & { switchover: Failover }) | null = null
  const { pgbouncer } = programs
  if (pgbouncer) {
    pooled = await attempt('behind PgBouncer', async () => {
      await Promise.all(nodes.map((node) => node.stop()))
      await cluster.startPgBouncer(pgbouncer)
      await cluster.administer('primary', `alter role sungrove set log_statement = 'all'`)
      nodes = await startNodes({ DATABASE_URL: cluster.poolerUrl, LIVE_BUS: 'poll', JOBS: 'off' }, { JOBS: 'on' })
      const checked = await checkPooler({ cluster, database, caller, crowd, postId: probed.id }, pooledComments)
      const switchover = await failOver({ ...scene, nodes, url: cluster.url }, 'switchover')
      faults.push(...checked.faults, ...switchover.faults.map((fault) => `behind PgBouncer: ${fault}`))
      console.log(`Behind PgBouncer: ${JSON.stringify(checked)}; ${describe(switchover)}`)
      return { ...checked, switchover }
    })
  }

  const report = {
    ...{ seed, failovers, writers, pauseMs, versions: programs.versions, load: { atStart: loadNow(), average: os.loadavg() } },
    ...{ summary, events, statuses: Object.fromEntries(caller.statuses), verdict, pairs: paired, pooled, faults },
  }
  if (!values['if-present']) console.log(`Written to ${path.relative(process.cwd(), save(report, startedAt, 'cluster'))}`)
  if (values.faults) fs.writeFileSync(values.faults, JSON.stringify(faults))
  for (const fault of faults.slice(0, 50)) console.log(`FAULT ${fault}`)
  const { acknowledged } = verdict
  const confirmed = Object.values(acknowledged).reduce((sum, count) => sum + count, 0)
  console.log(
    `${failovers} failovers, ${confirmed} writes confirmed: ${verdict.lost.length} lost, ${verdict.doubled.length} doubled, ` +
      `${verdict.torn.length} torn; ${paired?.stale} stale of ${paired?.reads} reads; ${faults.length} faults.`,
  )
  return faults.length === 0 ? 0 : 1
}

function describe({ kind, from, to, outageMs, nameMs, backMs, bareMs, readyz, refusedReads, faults }: Failover): string {
  const states = Object.entries(readyz.databases).map(([state, count]) => `${count} ${state}`)
  return (
    `${kind} ${from} → ${to}: no writes for ${outageMs} ms; name after ${nameMs} ms, a commit ${bareMs} ms later, the nodes after ${backMs}; ` +
    `/readyz ${readyz.ready} ready (${states.join(', ')}); ${refusedReads} reads refused; load ${loadNow()}` +
    `${faults.length > 0 ? `; ${faults.length} FAULTS` : ''}`
  )
}

function loadNow(): string {
  return (os.loadavg()[0] ?? 0).toFixed(1)
}

function faultsOf({ lost, doubled, torn, notifications, emails }: Verdict): string[] {
  const lists = {
    ...{ lost, doubled, torn, 'notification missing': notifications.missing, 'notification wrong': notifications.wrong },
    ...{ 'email missing': emails.missing, 'email sent twice': emails.doubled },
  }
  const empty = emails.notifications === 0 || emails.receipts === 0 ? ['no email was sent, so the check says nothing'] : []
  return [...Object.entries(lists).flatMap(([what, each]) => each.map((one) => `${what}: ${one}`)), ...empty]
}

/** Compares the replicas' row counts, read through HAProxy, with the primary's. */
async function compareReplicas(database: Database, cluster: Cluster): Promise<string[]> {
  const replica = connect(cluster.readOnlyUrl, { databasePoolSize: 2, statementTimeoutMs: 10_000, lockTimeoutMs: 5_000 }, { warn() {} })
  const question = `select (select count(*) from posts) as posts, (select count(*) from comments) as comments,
    (select count(*) from messages) as messages, (select count(*) from payments) as payments`
  const count = async ({ pool }: Database) => JSON.stringify((await pool.query(question)).rows)
  const isSame = async () => {
    const [ours, first, second] = [await count(database), await count(replica), await count(replica)]
    return ours === first && ours === second
  }
  const found = await until('the replicas have the same rows', isSame, { withinMs: 15_000 }).then(
    () => [],
    (error: Error) => [error.message],
  )
  await replica.close()
  return found
}
