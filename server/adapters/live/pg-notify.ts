import pg from 'pg'
import type { LiveBus } from '#server/kernel/live.ts'
import type { Logger } from '#server/log.ts'
import { createListeners, inPieces, toSignal } from './signals.ts'

const channel = 'sungrove_live'
const firstWaitMs = 200
const maxWaitMs = 10_000
/** A connection dropped by a firewall gives no error, so it is checked. */
const checkMs = 30_000

/** Signals by LISTEN/NOTIFY. Listening uses a dedicated connection, which is reopened if it is lost. */
export function createNotifyBus({ pool, url, log }: { pool: pg.Pool; url: string; log: Logger }): LiveBus {
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
    fresh.on('error', () => lost(fresh))
    fresh.on('end', () => lost(fresh))
    fresh.on('notification', ({ payload }) => hear(payload))
    client = fresh
    await fresh.connect()
    await fresh.query(`listen ${channel}`)
    waitMs = firstWaitMs
  }

  function hear(payload: string | undefined): void {
    try {
      const signal = toSignal(JSON.parse(payload ?? ''))
      if (signal) listeners.emit(signal)
    } catch (error) {
      log.warn({ err: error }, 'a live signal could not be read')
    }
  }

  function lost(lostClient: pg.Client): void {
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
      if (client) lost(client)
    }
  }

  return {
    onSignal: listeners.add,
    async publish(signal) {
      for (const piece of inPieces(signal)) await pool.query('select pg_notify($1, $2)', [channel, JSON.stringify(piece)])
    },
    async start() {
      isStopped = false
      await listen().catch(() => {
        if (client) lost(client)
      })
      check = setInterval(() => {
        const asked = client
        asked?.query('select 1').catch(() => lost(asked))
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
