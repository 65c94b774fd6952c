import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '#server/log.ts'
import { type ConnectionSettings, connect, type Database, type Db, isDatabaseUnavailable } from './connect.ts'
import { sqlState } from './transaction.ts'

export type WalPosition = bigint

/** No replica reaches this position, so reads that require it run on the primary. */
export const unknownPosition: WalPosition = 2n ** 64n - 1n

/** What a replica must have replayed to serve a read. */
export type FreshnessRequirement = {
  /** The viewer's own writes. */
  position?: WalPosition | undefined
  /** Everything committed before this time of `performance.now()`. */
  since?: number | undefined
  maxLagMs?: number | undefined
}

type ReplicaStatus = { name: string; isUsed: boolean; lagMs: number | null }

/** Decides where each read runs. Queries that bypass it run on the primary. */
export type Reads = {
  /**
   * Runs a read on a replica that is new enough, or on the primary if none is. Repeats it on the primary if the replica is lost or cancels
   * it, or if `isMissing` reports that the replica's lag may have caused the error. `run` must only read, and must start its first query in
   * the same turn.
   */
  read<Answer>(wanted: FreshnessRequirement, run: (db: Db) => Promise<Answer>, isMissing?: (error: unknown) => boolean): Promise<Answer>
  /** A position at or after all commits so far. Null if there are no replicas. */
  position(): Promise<WalPosition | null>
  /** Whether all replicas that serve reads have replayed the log up to `position`. */
  haveAll(position: WalPosition): boolean
  replicas(): ReplicaStatus[]
  counts(): ReadonlyMap<string, number>
  close(): Promise<void>
}

/** A replica with more lag isn't used. */
const maxLagMs = 10_000
const checkEveryMs = 100
/** A replica that doesn't respond to a check in time isn't used, so a lost one is out within a second. */
const checkTimeoutMs = 500
const retryEveryMs = 250
/** Observations closer together than this are merged. */
const mergedMs = 50

export function primaryOnly(db: Db): Reads {
  return {
    read: (_wanted, run) => run(db),
    position: async () => null,
    haveAll: () => true,
    replicas: () => [],
    counts: () => new Map(),
    close: async () => {},
  }
}

/** Everything that the primary had confirmed by `at` was at or before `position`. */
type Observation = { at: number; position: WalPosition; timeline: number }

const observe = `
  select pg_current_wal_flush_lsn()::text as position,
    ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int as timeline`

const check = `
  select pg_is_in_recovery() as is_replica, pg_last_wal_replay_lsn()::text as position, pg_postmaster_start_time()::text as started_at,
    pg_has_role(current_user, 'pg_read_all_stats', 'usage') as may_see_timeline,
    (select received_tli from pg_stat_wal_receiver) as timeline`

type CheckRow = {
  is_replica: boolean
  position: string | null
  started_at: string
  may_see_timeline: boolean
  timeline: number | null
}

type Replica = {
  name: string
  database: Database
  isAlive: boolean
  /** Why the replica isn't alive. Logged once per change. */
  fault: string | null
  replayed: WalPosition
  /** Null until the replica's WAL receiver reports it. */
  timeline: number | null
  /** The replica has replayed everything that was confirmed before this time. */
  newestAt: number
}

const unknownState = { replayed: 0n, timeline: null, newestAt: Number.NEGATIVE_INFINITY }

type Options = {
  urls: readonly string[]
  primary: { url: string; database: Pick<Database, 'db' | 'pool'> }
  settings: ConnectionSettings
  log: Pick<Logger, 'info' | 'warn'>
}

/** Watches the primary and its replicas, each over its own connection, which no slow query can block. */
export function createReads({ urls, primary, settings, log }: Options): Reads {
  const closing = new AbortController()
  const counts = new Map<string, number>()
  let observed: Observation[] = []
  let isPrimaryReached = false
  let next = 0

  function add(observation: Observation): void {
    const latest = observed.at(-1)
    if (latest && observation.at <= latest.at) return
    // Positions on another timeline can't be compared with those of replicas that follow this one.
    if (latest && observation.timeline !== latest.timeline) observed = []
    if (observation.at - (observed.at(-2)?.at ?? Number.NEGATIVE_INFINITY) < mergedMs) observed.pop()
    observed.push(observation)
    while ((observed[0] as Observation).at < observation.at - 2 * maxLagMs) observed.shift()
    for (const replica of replicas) compare(replica)
  }

  function compare(replica: Replica): void {
    if (!follows(replica)) return
    const reached = observed.findLast(({ position }) => position <= replica.replayed)
    if (reached) replica.newestAt = Math.max(replica.newestAt, reached.at)
  }

  /**
   * A replica of an earlier primary may have writes that were lost. During a failover, a replica may follow the new primary before the
   * primary's address points to it.
   */
  function follows({ timeline }: Replica): boolean {
    const latest = observed.at(-1)
    if (!latest || timeline === null) return false
    return timeline === latest.timeline || (timeline > latest.timeline && !isPrimaryReached)
  }

  // Without a primary, nothing is newer than the last observation, so replicas still serve reads.
  const lagOf = ({ newestAt }: Replica) => (observed.at(-1)?.at ?? Number.POSITIVE_INFINITY) - newestAt

  const isUsable = (
    replica: Replica,
    { position = 0n, since = Number.NEGATIVE_INFINITY, maxLagMs: limit = maxLagMs }: FreshnessRequirement,
  ) => replica.isAlive && follows(replica) && lagOf(replica) <= limit && replica.replayed >= position && replica.newestAt >= since

  function pick(wanted: FreshnessRequirement): Replica | undefined {
    next = (next + 1) % replicas.length
    for (let i = 0; i < replicas.length; i++) {
      const replica = replicas[(next + i) % replicas.length] as Replica
      if (isUsable(replica, wanted)) return replica
    }
    return undefined
  }

  function judge(replica: Replica, fault: string | null): void {
    replica.isAlive = fault === null
    if (fault !== null && replica.fault !== fault) log.warn({ replica: replica.name }, `a replica isn't used: ${fault}`)
    if (fault === null && replica.fault !== null) log.info({ replica: replica.name }, 'a replica is in use again')
    replica.fault = fault
  }

  const replicas = urls.map((url, index) => openReplica(url, String(index + 1)))

  function openReplica(url: string, name: string): Replica {
    const sockets = new Set<pg.Client>()
    let startedAt: string | undefined
    // A name that resolves to several servers would send reads to one and checks to another.
    const isChecked = async (client: pg.ClientBase) => {
      const { rows } = await client.query('select pg_postmaster_start_time()::text as started_at')
      if (rows[0]?.started_at !== startedAt) throw new Error('Connection terminated: it reaches a different server than the checks do.')
    }
    const database = connect(url, { ...settings, replica: { isChecked } }, log)
    database.pool.on('connect', (client) => void sockets.add(client as pg.Client))
    database.pool.on('remove', (client) => void sockets.delete(client as pg.Client))
    const replica: Replica = { name, database, isAlive: false, fault: null, ...unknownState }
    void watch<CheckRow>(url, check, closing.signal, {
      answered(row) {
        // After a restart, a replica may be an earlier copy, or follow another primary.
        if (startedAt !== row.started_at) Object.assign(replica, unknownState)
        startedAt = row.started_at
        if (!row.is_replica || row.position === null) return judge(replica, 'it is no longer a replica')
        if (!row.may_see_timeline) return judge(replica, 'its role must be granted pg_read_all_stats')
        // A replica that has lost its primary reports no timeline, but remains on its last one.
        replica.timeline = row.timeline ?? replica.timeline
        replica.replayed = parsePosition(row.position)
        compare(replica)
        judge(replica, null)
      },
      lost(error) {
        judge(replica, error.message)
        // Frees reads that wait for a frozen server.
        for (const client of sockets) client.connection.stream.destroy()
      },
    })
    return replica
  }

  const toObservation = (at: number, row: { position: string; timeline: number }): Observation => ({
    at,
    position: parsePosition(row.position),
    timeline: row.timeline,
  })
  void watch<{ position: string; timeline: number }>(primary.url, observe, closing.signal, {
    answered(row, at) {
      isPrimaryReached = true
      add(toObservation(at, row))
    },
    lost() {
      isPrimaryReached = false
    },
  })

  const count = (name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1)
  const readPrimary = <Answer>(run: (db: Db) => Promise<Answer>) => {
    count('primary')
    return run(primary.database.db)
  }

  return {
    async read(wanted, run, isMissing = () => false) {
      const replica = pick(wanted)
      if (!replica) return readPrimary(run)
      count(replica.name)
      try {
        return await run(replica.database.db)
      } catch (error) {
        if (!isReplicaError(error) && !isMissing(error)) throw error
        return readPrimary(run)
      }
    },
    async position() {
      const at = performance.now()
      try {
        // If the primary freezes right after the commit, the writer shouldn't wait for it.
        const question = { text: observe, query_timeout: checkTimeoutMs }
        const { rows } = await primary.database.pool.query<{ position: string; timeline: number }>(question)
        const observation = toObservation(at, rows[0] as { position: string; timeline: number })
        add(observation)
        return observation.position
      } catch {
        return unknownPosition
      }
    },
    haveAll: (position) => replicas.every((replica) => replica.replayed >= position || !isUsable(replica, {})),
    replicas: () =>
      replicas.map((replica) => {
        const lagMs = lagOf(replica)
        return { name: replica.name, isUsed: isUsable(replica, {}), lagMs: Number.isFinite(lagMs) ? lagMs : null }
      }),
    counts: () => counts,
    async close() {
      closing.abort()
      await Promise.all(replicas.map(({ database }) => database.close()))
    },
  }
}

/** 40001 and 40P01: replaying the primary's changes canceled the read. 25006: the read tried to write. */
const isReplicaError = (error: unknown) => isDatabaseUnavailable(error) || ['40001', '40P01', '25006'].includes(sqlState(error) ?? '')

/** "16/B374D848" */
export function parsePosition(text: string): WalPosition {
  const [high = '', low = ''] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

type Watcher<Row> = { answered(row: Row, askedAt: number): void; lost(error: Error): void }

/** Repeats a query on a server until the signal aborts. */
async function watch<Row>(url: string, question: string, signal: AbortSignal, { answered, lost }: Watcher<Row>): Promise<void> {
  let client: pg.Client | undefined
  while (!signal.aborted) {
    const askedAt = performance.now()
    try {
      client ??= await openClient(url)
      const { rows } = await client.query(question)
      answered(rows[0] as Row, askedAt)
    } catch (error) {
      client?.connection.stream.destroy()
      client = undefined
      if (!signal.aborted) lost(error as Error)
    }
    await sleep(client ? checkEveryMs : retryEveryMs, undefined, { signal }).catch(() => {})
  }
  client?.connection.stream.destroy()
}

async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'sungrove positions',
    connectionTimeoutMillis: checkTimeoutMs,
    query_timeout: checkTimeoutMs,
  })
  // The next query reports a lost connection.
  client.on('error', () => {})
  await client.connect()
  return client
}
