import type pg from 'pg'
import { newId } from '#server/kernel/ids.ts'
import type { LiveBus } from '#server/kernel/live.ts'
import type { Logger } from '#server/log.ts'
import { createListeners, inPieces, toSignal } from './signals.ts'

/** A signal may become visible after later ones, because its transaction commits later. So each poll goes back this far. */
const overlapSeconds = 10
const retentionSeconds = 60
const tidyEveryMs = 30_000

/**
 * Signals by a table polled twice a second, for databases without LISTEN/NOTIFY and poolers that don't pass it on. Uses the
 * database's time, so clock differences between machines don't matter.
 */
export function createPollBus({ pool, log, intervalMs = 500 }: { pool: pg.Pool; log: Logger; intervalMs?: number }): LiveBus {
  const listeners = createListeners()
  const delivered = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let isStopped = true
  let isFirst = true
  let hasFailed = false
  let tidiedAt = 0

  async function look(): Promise<void> {
    try {
      const { rows } = await pool.query<{ id: string; signal: unknown; created_at: Date }>(
        `select id, signal, created_at from live_signals
         where created_at > now() - make_interval(secs => $1) order by created_at, id`,
        [overlapSeconds],
      )
      for (const { id, signal, created_at } of rows) {
        const isNew = !delivered.has(id)
        delivered.set(id, created_at.getTime())
        const parsed = isNew && !isFirst ? toSignal(signal) : null
        if (parsed) listeners.emit(parsed)
      }
      const present = new Set(rows.map(({ id }) => id))
      for (const id of delivered.keys()) if (!present.has(id)) delivered.delete(id)
      isFirst = false
      if (hasFailed) listeners.emit({ kind: 'gap' })
      hasFailed = false
      await tidy()
    } catch (error) {
      if (!hasFailed) log.warn({ err: error }, 'live signals could not be read')
      hasFailed = true
    }
    if (!isStopped) timer = setTimeout(next, intervalMs)
  }
  function next(): void {
    running = look()
  }

  async function tidy(): Promise<void> {
    if (Date.now() - tidiedAt < tidyEveryMs) return
    tidiedAt = Date.now()
    await pool.query('delete from live_signals where created_at < now() - make_interval(secs => $1)', [retentionSeconds])
  }

  return {
    onSignal: listeners.add,
    async publish(signal) {
      for (const piece of inPieces(signal)) {
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
