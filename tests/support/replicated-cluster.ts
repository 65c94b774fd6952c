import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'
import { connect } from '#server/db/connect.ts'
import { createReads, type Reads } from '#server/db/replicas.ts'
import type { TestDatabase } from './database.ts'
import { type EmbeddedServer, startTemporaryServer } from './embedded-server.ts'
import { preparedDataDir } from './prepared-cluster.ts'
import { type Relay, startRelay } from './relay.ts'

type Server = EmbeddedServer & {
  /** Sends a signal to the postmaster and all of its processes, as when the machine fails or freezes. */
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void
}

export type ReplicatedCluster = {
  primary: Server
  replicas: readonly [Server, Server]
  /** A relay in place of the primary's name. */
  name: Relay
  openNode(log?: string[]): TestDatabase & { reads: Reads }
  /** Waits until the replicas have replayed everything that the primary has confirmed. */
  catchUp(): Promise<void>
  /** The second replica replays each commit only after this delay. */
  replayLate(ms: number): Promise<void>
  /** Makes the first replica the primary and the second one its replica. */
  failOver(): Promise<void>
  remove(): Promise<void>
}

const settings = { databasePoolSize: 8, statementTimeoutMs: 10_000, lockTimeoutMs: 5_000 }
const ofServers = { max_connections: '200' }

/**
 * A primary and two streaming replicas, all embedded servers. Each is a copy of the same stopped cluster, which serves as a base backup,
 * so `pg_basebackup` isn't needed.
 */
export async function startReplicatedCluster(): Promise<ReplicatedCluster> {
  const primary = await startServer(preparedDataDir())
  const started: Server[] = [primary]
  const remove = async () => {
    for (const server of started) server.signal('SIGCONT')
    await Promise.all(started.map((server) => server.remove()))
  }
  try {
    await primary.administer('grant pg_read_all_stats to sungrove')
    const replicas = await Promise.all([startReplicaOf(primary), startReplicaOf(primary)])
    started.push(...replicas)
    const name = await startRelay(primary.url)
    let current = primary
    return {
      primary,
      replicas,
      name,
      openNode(log = []) {
        const url = name.urlFor(primary.url)
        const say = (_fields: object, message: string) => void log.push(message)
        const database = connect(url, settings, { warn() {} })
        const urls = replicas.map((replica) => replica.url)
        const reads = createReads({ urls, primary: { url, database }, settings, log: { info: say, warn: say } as never })
        const drop = async () => {
          await reads.close()
          await database.close()
        }
        return { ...database, url, reads, drop }
      },
      async catchUp() {
        const position = await ask(current, 'select pg_current_wal_flush_lsn()::text')
        const followers = [...replicas].filter((replica) => replica !== current)
        for (const replica of followers)
          await expect.poll(() => ask(replica, `select pg_last_wal_replay_lsn() >= '${position}'`)).toBe(true)
      },
      async replayLate(ms) {
        await replicas[1].administer(`alter system set recovery_min_apply_delay = '${ms}ms'`)
        await replicas[1].administer('select pg_reload_conf()')
      },
      async failOver() {
        const [promoted, other] = replicas
        await promoted.administer('select pg_promote()')
        current = promoted
        name.leadTo(promoted.url)
        await other.administer(`alter system set primary_conninfo = '${connectionInfo(promoted).replaceAll("'", "''")}'`)
        await other.administer('select pg_reload_conf()')
      },
      async remove() {
        await name.close()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

async function ask(server: EmbeddedServer, question: string): Promise<unknown> {
  const client = new pg.Client(server.adminUrl)
  await client.connect()
  const { rows } = await client.query({ text: question, rowMode: 'array' }).finally(() => client.end())
  return rows[0]?.[0]
}

async function startReplicaOf(primary: Server): Promise<Server> {
  // Passwords are part of the copied cluster, so the primary's also works on a replica after a failover.
  const dataDir = preparedDataDir()
  fs.writeFileSync(path.join(dataDir, 'pg', 'standby.signal'), '')
  fs.appendFileSync(
    path.join(dataDir, 'pg', 'postgresql.auto.conf'),
    `\nprimary_conninfo = '${connectionInfo(primary).replaceAll("'", "''")}'\n`,
  )
  return startServer(dataDir)
}

async function startServer(dataDir: string): Promise<Server> {
  const server = await startTemporaryServer({ dataDir, settings: ofServers })
  const pid = Number(fs.readFileSync(path.join(dataDir, 'pg', 'postmaster.pid'), 'utf8').split('\n')[0])
  return {
    ...server,
    signal(signal) {
      for (const each of [pid, ...childrenOf(pid)]) {
        try {
          process.kill(each, signal)
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
        }
      }
    },
  }
}

function childrenOf(pid: number): number[] {
  return fs.readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = fs.readFileSync(`/proc/${name}/stat`, 'utf8')
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

/** In libpq's format. */
function connectionInfo(server: EmbeddedServer): string {
  const url = new URL(server.adminUrl)
  const host = url.searchParams.get('host') ?? url.hostname
  const port = url.searchParams.get('port') ?? url.port
  return `host='${host}' port=${port} user=${url.username} password=${decodeURIComponent(url.password)}`
}
