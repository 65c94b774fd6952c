import pg from 'pg'
import type { Member } from './cluster.ts'
import type { Person } from './writers.ts'

/** From `performance.now()`. */
type At = number

type Probed = { origin: string; person: Person; postId: string }

export type Watch = {
  /** When new connections to the name first reached a primary other than `old`, after `from`. Null if they haven't. */
  nameLedAway(old: Member, from: At): At | null
  /** When a new connection, outside the application, first committed a write on a primary other than `old`, after `from`. */
  committedAway(old: Member, from: At): At | null
  /** When each node confirmed a write, in order. */
  writes: readonly At[][]
  /** Number of responses to writes by status. */
  statuses: Map<number, number>
  readyz: Readiness
  /** Visitors' reads by status. */
  reads: Map<number, number>
  /** Waits for pending probes. A failed probe doesn't make it fail. */
  stop(): Promise<void>
}

type Readiness = { ready: number; notReady: number; databases: Record<string, number> }

const writeEveryMs = 100
const nameEveryMs = 100
const otherEveryMs = 200

/**
 * Probes each node and the primary's name at fixed intervals, however long earlier requests take. Otherwise, a hanging request would hide
 * when the others recover.
 */
export function startWatch({ url, nodes, read }: { url: string; nodes: readonly Probed[]; read: string }): Watch {
  const timers: NodeJS.Timeout[] = []
  const pending = new Set<Promise<unknown>>()
  const led: { at: At; address: string }[] = []
  const committed: typeof led = []
  const writes = nodes.map((): At[] => [])
  const statuses = new Map<number, number>()
  const count = (counts: Map<number, number>, status = 0) => void counts.set(status, (counts.get(status) ?? 0) + 1)
  const readyz: Readiness = { ready: 0, notReady: 0, databases: {} }
  const reads = new Map<number, number>()
  const every = (ms: number, ask: (turn: number) => Promise<void>) => {
    let turn = 0
    timers.push(
      setInterval(() => {
        const asked: Promise<unknown> = ask(turn++)
          .catch(() => {})
          .finally(() => pending.delete(asked))
        pending.add(asked)
      }, ms),
    )
  }

  every(nameEveryMs, async () => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000, query_timeout: 2000 })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query('select host(inet_server_addr()) as address, pg_is_in_recovery() as is_replica')
      const [{ address, is_replica: isReplica }] = rows as [{ address: string; is_replica: boolean }]
      if (isReplica) return
      led.push({ at: performance.now(), address })
      await client.query(`select pg_logical_emit_message(true, 'probe', '')`)
      committed.push({ at: performance.now(), address })
    } finally {
      client.connection.stream.destroy()
    }
  })
  for (const [i, { origin, person, postId }] of nodes.entries()) {
    every(writeEveryMs, async (turn) => {
      const answer = await fetch(`${origin}/api/posts/${postId}/save`, {
        method: turn % 2 === 0 ? 'PUT' : 'DELETE',
        headers: { cookie: person.cookie },
        signal: AbortSignal.timeout(30_000),
      }).catch(() => null)
      await answer?.arrayBuffer()
      count(statuses, answer?.status)
      if (answer?.status === 200) writes[i]?.push(performance.now())
    })
    every(otherEveryMs, async () => {
      const answer = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(10_000) })
      const { database = 'none' } = (await answer.json()) as { database?: string }
      readyz[answer.status === 200 ? 'ready' : 'notReady']++
      readyz.databases[database] = (readyz.databases[database] ?? 0) + 1
    })
    every(otherEveryMs, async () => {
      const answer = await fetch(origin + read, { signal: AbortSignal.timeout(10_000) }).catch(() => null)
      await answer?.arrayBuffer()
      count(reads, answer?.status)
    })
  }
  return {
    nameLedAway: firstAway(led),
    committedAway: firstAway(committed),
    writes,
    statuses,
    readyz,
    reads,
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(pending)
    },
  }
}

const firstAway =
  (probes: readonly { at: At; address: string }[]) =>
  (old: Member, from: At): At | null =>
    probes.reduce<At | null>(
      (first, { at, address }) => (at > from && address !== old.address && (first === null || at < first) ? at : first),
      null,
    )

/** The longest time without a write between two moments, and when it ended; infinite if no write followed. */
export function longestGap(writes: readonly At[], from: At, to: At): { ms: number; endedAt: At } {
  const sorted = writes.filter((at) => at <= to).toSorted((a, b) => a - b)
  let longest = { ms: 0, endedAt: from }
  let before = from
  for (const at of sorted) {
    if (at <= from) continue
    if (at - before > longest.ms) longest = { ms: at - before, endedAt: at }
    before = at
  }
  return to - before > longest.ms ? { ms: Number.POSITIVE_INFINITY, endedAt: Number.POSITIVE_INFINITY } : longest
}
