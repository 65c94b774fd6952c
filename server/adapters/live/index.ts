import pg from 'pg'
import type { Config } from '#server/config.ts'
import { newId } from '#server/kernel/ids.ts'
import type { LiveBus, LiveSignal } from '#server/kernel/live.ts'
import type { Logger } from '#server/log.ts'

export function createLiveBus(config: Pick<Config, 'liveBus'>, database: { pool: pg.Pool; url: string }, log: Logger): LiveBus {
  return config.liveBus === 'poll' ? createPollBus({ pool: database.pool, log }) : createNotifyBus({ ...database, log })
}

const channel = 'sungrove_live'
const firstWaitMs = 200
const maxWaitMs = 10_000
/** How often the connection is checked, because a connection that a firewall dropped raises no error. */
const checkMs = 30_000

/** Sends signals through LISTEN/NOTIFY. Listening uses its own connection, which is reopened if it breaks. */
function createNotifyBus({ pool, url, log }: { pool: pg.Pool; url: string; log: Logger }): LiveBus {
  const listeners = createListeners()
  let client: pg.Client | null = null
  let retry: NodeJS.Timeout | undefined
  let check: NodeJS.Timeout | undefined
  let isStopped = true
  let waitMs = firstWaitMs

  async function listen(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: url,
      application_name: 'sungrove live',
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      query_timeout: 10_000,
    })
    fresh.on('error', () => handleLostConnection(fresh))
    fresh.on('end', () => handleLostConnection(fresh))
    fresh.on('notification', ({ payload }) => handleNotification(payload))
    client = fresh
    await fresh.connect()
    await fresh.query(`listen ${channel}`)
    waitMs = firstWaitMs
  }

  function handleNotification(payload: string | undefined): void {
    try {
      const signal = parseSignal(JSON.parse(payload ?? ''))
      if (signal) listeners.emit(signal)
    } catch (error) {
      log.warn({ err: error }, 'a live signal could not be read')
    }
  }

  function handleLostConnection(lostClient: pg.Client): void {
    if (isStopped || client !== lostClient) return
    client = null
    lostClient.end().catch(() => {})
    log.warn({ waitMs }, 'the connection for live signals was lost')
    retry = setTimeout(() => void listenAgain(), waitMs)
    waitMs = Math.min(waitMs * 2, maxWaitMs)
  }

  async function listenAgain(): Promise<void> {
    try {
      await listen()
      if (!isStopped) listeners.emit({ kind: 'gap' })
    } catch {
      if (client) handleLostConnection(client)
    }
  }

  return {
    onSignal: listeners.add,
    async publish(signal) {
      for (const piece of splitSignal(signal)) await pool.query('select pg_notify($1, $2)', [channel, JSON.stringify(piece)])
    },
    async start() {
      isStopped = false
      await listen().catch(() => {
        if (client) handleLostConnection(client)
      })
      check = setInterval(() => {
        const asked = client
        asked?.query('select 1').catch(() => handleLostConnection(asked))
      }, checkMs)
      check.unref()
    },
    async stop() {
      isStopped = true
      clearTimeout(retry)
      clearInterval(check)
      await client?.end().catch(() => {})
      client = null
    },
  }
}

/** Each poll goes back this far, because a signal whose transaction commits late becomes visible after newer ones. */
const overlapSeconds = 10
const retentionSeconds = 60
const tidyEveryMs = 30_000

/**
 * Sends signals through a table that is polled twice a second, for databases without LISTEN/NOTIFY and poolers that don't support it. Uses
 * the database's time, so clock differences between machines don't matter.
 */
function createPollBus({ pool, log, intervalMs = 500 }: { pool: pg.Pool; log: Logger; intervalMs?: number }): LiveBus {
  const listeners = createListeners()
  const delivered = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let isStopped = true
  let isFirst = true
  let hasFailed = false
  let tidiedAt = 0

  async function poll(): Promise<void> {
    try {
      const { rows } = await pool.query<{ id: string; signal: unknown; created_at: Date }>(
        `select id, signal, created_at from live_signals
         where created_at > now() - make_interval(secs => $1) order by created_at, id`,
        [overlapSeconds],
      )
      for (const { id, signal, created_at } of rows) {
        const isNew = !delivered.has(id)
        delivered.set(id, created_at.getTime())
        const parsed = isNew && !isFirst ? parseSignal(signal) : null
        if (parsed) listeners.emit(parsed)
      }
      const present = new Set(rows.map(({ id }) => id))
      for (const id of delivered.keys()) if (!present.has(id)) delivered.delete(id)
      isFirst = false
      if (hasFailed) listeners.emit({ kind: 'gap' })
      hasFailed = false
      await deleteOldSignals()
    } catch (error) {
      if (!hasFailed) log.warn({ err: error }, 'live signals could not be read')
      hasFailed = true
    }
    if (!isStopped) timer = setTimeout(next, intervalMs)
  }
  function next(): void {
    running = poll()
  }

  async function deleteOldSignals(): Promise<void> {
    if (Date.now() - tidiedAt < tidyEveryMs) return
    tidiedAt = Date.now()
    await pool.query('delete from live_signals where created_at < now() - make_interval(secs => $1)', [retentionSeconds])
  }

  return {
    onSignal: listeners.add,
    async publish(signal) {
      for (const piece of splitSignal(signal)) {
        await pool.query('insert into live_signals (id, signal) values ($1, $2)', [newId(), JSON.stringify(piece)])
      }
    },
    async start() {
      isStopped = false
      next()
      await running
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}

/** PostgreSQL's NOTIFY payload must be below 8,000 bytes. An ID with quotes and a comma takes 39 bytes. */
const maxIds = 180

/** Each piece fits into one NOTIFY. */
export function* splitSignal(signal: LiveSignal): Generator<LiveSignal> {
  if (!('userIds' in signal)) return yield signal
  for (let from = 0; from < signal.userIds.length; from += maxIds) {
    yield { ...signal, userIds: signal.userIds.slice(from, from + maxIds) }
  }
}

/** Null for an unknown signal, such as one from a newer version during an update. */
export function parseSignal(value: unknown): LiveSignal | null {
  const { kind, userIds, postId, conversationId, messageId, who } = (value ?? {}) as Record<string, unknown>
  if (kind === 'post') return typeof postId === 'string' ? { kind, postId } : null
  if (!Array.isArray(userIds)) return null
  const people = userIds.filter((id) => typeof id === 'string')
  if (kind === 'notifications' || kind === 'sessions') return { kind, userIds: people }
  if (typeof conversationId !== 'string') return null
  if (kind === 'messages' || kind === 'changedMessages') return { kind, userIds: people, conversationId }
  if (kind === 'deletedMessage') return typeof messageId === 'string' ? { kind, userIds: people, conversationId, messageId } : null
  return kind === 'typing' && typeof who === 'string' ? { kind, userIds: people, conversationId, who } : null
}

type Listeners = { add(listener: (signal: LiveSignal) => void): void; emit(signal: LiveSignal): void }

export function createListeners(): Listeners {
  const listeners: ((signal: LiveSignal) => void)[] = []
  return {
    add: (listener) => void listeners.push(listener),
    emit(signal) {
      for (const listener of listeners) listener(signal)
    },
  }
}
