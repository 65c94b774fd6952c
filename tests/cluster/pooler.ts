import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '#bench/latency.ts'
import type { Database } from '#server/db/connect.ts'
import { newId } from '#server/kernel/ids.ts'
import type { Caller } from './caller.ts'
import type { Cluster } from './cluster.ts'
import { until } from './daemons.ts'
import type { Crowd } from './writers.ts'

export type PoolerVerdict = {
  /** From the response to a comment until the other node has run the job for its notification. */
  jobs: { count: number; medianMs: number; maxMs: number }
  /** Statements that PostgreSQL logged, and how many were LISTEN, which a pooler in transaction mode doesn't support. */
  statements: number
  listens: number
  faults: string[]
}

const maxJobMs = 1000

/**
 * Nodes behind PgBouncer in transaction mode with LIVE_BUS=poll. The first node runs no jobs, so each job waits until the second finds it.
 * Meanwhile, PostgreSQL logs every statement.
 */
export async function checkPooler(
  { cluster, database, caller, crowd, postId }: { cluster: Cluster; database: Database; caller: Caller; crowd: Crowd; postId: string },
  count: number,
): Promise<PoolerVerdict> {
  const faults: string[] = []
  const times: number[] = []
  const [author, ...others] = crowd.writers
  for (let i = 0; i < count; i++) {
    const writer = others[i % others.length]
    if (!writer || !author) break
    const answer = await caller.ask(0, {
      ...{ method: 'POST', path: `/api/posts/${postId}/comments`, cookie: writer.cookie, key: newId() },
      body: { content: `Ours took a week longer. ${i}` },
    })
    const doneAt = performance.now()
    if (answer.status !== 201) {
      faults.push(`A comment was refused: ${answer.status} ${JSON.stringify(answer.body)}`)
      continue
    }
    const { id } = answer.body as { id: string }
    const isThere = async () => {
      const { rows } = await database.pool.query('select from notifications where user_id = $1 and comment_id = $2', [author.id, id])
      return rows.length > 0
    }
    await until('the notification', isThere, { withinMs: 40_000, everyMs: 5 })
    times.push(performance.now() - doneAt)
    await sleep(300 * Math.random())
  }
  const jobs = { count: times.length, medianMs: quantile(times, 0.5), maxMs: Math.max(...times) }
  if (!(jobs.maxMs <= maxJobMs)) faults.push(`A job took ${jobs.maxMs.toFixed(0)} ms.`)

  const statements = cluster.members.flatMap(({ name }) => loggedStatements(path.join(cluster.folder, 'logs', `${name}.log`)))
  if (statements.length === 0) faults.push('PostgreSQL logged no statement.')
  const listens = statements.filter((text) => /^\s*(?:un)?listen\b/i.test(text))
  if (listens.length > 0) faults.push(`${listens.length} statements LISTEN.`)
  return { jobs, statements: statements.length, listens: listens.length, faults }
}

/** PostgreSQL writes to Patroni's log. */
const loggedStatements = (logFile: string): string[] =>
  fs
    .readFileSync(logFile, 'utf8')
    .split('\n')
    .flatMap((line) => /LOG: {2}(?:statement|execute [^:]+): (.*)/.exec(line)?.[1] ?? [])
