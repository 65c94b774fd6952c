import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { loadConfig } from '#server/config.ts'
import { newId } from '#server/kernel/ids.ts'
import { createLog } from '#server/log.ts'
import { startRelay } from '#tests/support/relay.ts'
import { type ReplicatedCluster, startReplicatedCluster } from '#tests/support/replicated-cluster.ts'
import { openDatabase } from './open-database.ts'
import { createReads, type FreshnessRequirement, parsePosition, unknownPosition } from './replicas.ts'

let cluster: ReplicatedCluster
let node: ReturnType<ReplicatedCluster['openNode']>
const log: string[] = []
beforeAll(async () => {
  cluster = await startReplicatedCluster()
  node = cluster.openNode(log)
})
afterAll(async () => {
  await node?.drop()
  await cluster?.remove()
})

const used = () => node.reads.replicas().flatMap(({ name, isUsed }) => (isUsed ? [name] : []))
beforeEach(() => expect.poll(used).toEqual(['1', '2']))

const write = async () => {
  const id = newId()
  await node.db.insertInto('live_signals').values({ id, signal: '{}' }).execute()
  return { id, position: (await node.reads.position()) as bigint }
}

async function targetOf(wanted: FreshnessRequirement): Promise<string> {
  const before = new Map(node.reads.counts())
  await node.reads.read(wanted, (db) => sql`select 1`.execute(db))
  const changed = [...node.reads.counts()].filter(([name, count]) => count !== (before.get(name) ?? 0))
  return changed.map(([name]) => name).join(' then ')
}
const targetsOf = async (wanted: FreshnessRequirement) => {
  const targets = new Set<string>()
  for (let i = 0; i < 6; i++) targets.add(await targetOf(wanted))
  return [...targets].sort()
}

const pause = (replica: 0 | 1) => cluster.replicas[replica].administer('select pg_wal_replay_pause()')
const resume = (replica: 0 | 1) => cluster.replicas[replica].administer('select pg_wal_replay_resume()')

test('distributes reads among the replicas', async () => {
  expect(await targetsOf({})).toEqual(['1', '2'])
})

test('reads a write from a replica only after the replica has replayed it', async () => {
  await pause(0)
  try {
    const { id, position } = await write()
    const find = (wanted: FreshnessRequirement) =>
      node.reads.read(wanted, (db) => db.selectFrom('live_signals').select('id').where('id', '=', id).executeTakeFirst())
    for (let i = 0; i < 20; i++) {
      expect(await find({ position })).toEqual({ id })
      await sleep(20)
    }
    expect(await targetsOf({ position })).toEqual(['2'])
    // Proves that the paused replica lacks the row.
    expect([await find({}), await find({})]).toContain(undefined)
  } finally {
    await resume(0)
  }
})

test('reads from the primary if no replica is new enough', async () => {
  await Promise.all([pause(0), pause(1)])
  try {
    const { position } = await write()
    expect(await targetsOf({ position })).toEqual(['primary'])
    expect(await targetsOf({ position: unknownPosition })).toEqual(['primary'])
    expect(await targetsOf({})).toEqual(['1', '2'])
  } finally {
    await Promise.all([resume(0), resume(1)])
  }
})

test('reads only from replicas that include everything any node committed before a given time', async () => {
  await pause(0)
  try {
    await write()
    const since = performance.now()
    expect(await targetOf({ since })).toBe('primary')
    await expect.poll(() => targetsOf({ since })).toEqual(['2'])
  } finally {
    await resume(0)
  }
  const since = performance.now()
  await expect.poll(() => targetsOf({ since })).toEqual(['1', '2'])
})

test('measures the lag, and leaves out a replica that lags too much', async () => {
  await pause(1)
  try {
    await write()
    await expect.poll(() => node.reads.replicas()[1]?.lagMs ?? 0).toBeGreaterThan(600)
    expect(await targetsOf({ maxLagMs: 500 })).toEqual(['1'])
    expect(await targetsOf({})).toEqual(['1', '2'])
  } finally {
    await resume(1)
  }
  await expect.poll(() => targetsOf({ maxLagMs: 500 })).toEqual(['1', '2'])
})

test('repeats a read on the primary if a replica refused it or found no row', async () => {
  const insert = (id: string) => node.reads.read({}, (db) => db.insertInto('live_signals').values({ id, signal: '{}' }).execute())
  const id = newId()
  await insert(id)
  expect(await node.db.selectFrom('live_signals').select('id').where('id', '=', id).execute()).toHaveLength(1)

  const missing = new Error('missing')
  let tries = 0
  const read = async () => {
    if (++tries === 1) throw missing
    return tries
  }
  expect(await node.reads.read({}, read, (error) => error === missing)).toBe(2)
  tries = 0
  await expect(node.reads.read({}, read)).rejects.toBe(missing)
})

test('drops a frozen replica within a second, finishes its reads elsewhere, and uses it again once it recovers', async () => {
  const [frozen] = cluster.replicas
  frozen.signal('SIGSTOP')
  try {
    const start = performance.now()
    const reads = Array.from({ length: 6 }, () => node.reads.read({}, (db) => sql`select 1`.execute(db)))
    await expect.poll(used, { interval: 10 }).toEqual(['2'])
    expect(performance.now() - start).toBeLessThan(1_000)
    expect(await Promise.all(reads)).toHaveLength(6)
    expect(performance.now() - start).toBeLessThan(3_000)
  } finally {
    frozen.signal('SIGCONT')
  }
  await expect.poll(used).toEqual(['1', '2'])
  expect(await targetsOf({})).toEqual(['1', '2'])
})

test('uses no replica whose timeline it isn’t allowed to read', async () => {
  await cluster.primary.administer('revoke pg_read_all_stats from sungrove')
  try {
    await expect.poll(used).toEqual([])
    expect(await targetsOf({})).toEqual(['primary'])
    expect(log).toContain("a replica isn't used: its role must be granted pg_read_all_stats")
  } finally {
    await cluster.primary.administer('grant pg_read_all_stats to sungrove')
  }
})

test('refuses a name that resolves to a different server than the one it checked', async () => {
  const [first, second] = cluster.replicas
  const name = await startRelay(first.url)
  const reads = createReads({
    urls: [name.urlFor(first.url)],
    primary: { url: cluster.primary.url, database: node },
    settings: { databasePoolSize: 1, statementTimeoutMs: 1_000, lockTimeoutMs: 1_000 },
    log: { info() {}, warn() {} } as never,
  })
  try {
    await expect.poll(() => reads.replicas()[0]?.isUsed).toBe(true)
    name.leadTo(second.url)
    await reads.read({}, (db) => sql`select 1`.execute(db))
    expect(reads.counts()).toEqual(
      new Map([
        ['1', 1],
        ['primary', 1],
      ]),
    )
  } finally {
    await reads.close()
    await name.close()
  }
})

test('uses replicas even if the primary is lost right after the start', async () => {
  const name = await startRelay(cluster.primary.url)
  const urls = {
    DATABASE_URL: name.urlFor(cluster.primary.url),
    DATABASE_REPLICA_URLS: cluster.replicas.map(({ url }) => url).join(','),
  }
  const started = await openDatabase(
    loadConfig(urls, () => 'a secret'),
    createLog({ logLevel: 'fatal' }),
    { as: 'server' },
  )
  try {
    await name.close()
    await expect.poll(() => started.reads.replicas().map(({ isUsed }) => isUsed)).toEqual([true, true])
  } finally {
    await started.close()
  }
})

test('parses PostgreSQL log positions', () => {
  expect(parsePosition('0/0')).toBe(0n)
  expect(parsePosition('16/B374D848')).toBe(0x16b374d848n)
  expect(parsePosition('FFFFFFFF/FFFFFFFF')).toBe(unknownPosition)
})
