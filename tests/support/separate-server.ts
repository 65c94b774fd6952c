import fs from 'node:fs'
import path from 'node:path'
import { createJobQueue } from '#server/adapters/jobs/pg-boss.ts'
import { connect, type Database } from '#server/db/connect.ts'
import { migrate } from '#server/db/migrate.ts'
import { createLog } from '#server/log.ts'
import { startTemporaryServer } from './embedded-server.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { loadSmallRegister } from './small-register.ts'

export type SeparateServer = {
  /** The port changes with each start, unless `env` sets it. */
  url(): string
  pid(): number
  database: Database
  dataDir: string
  kill(): void
  restart(): Promise<void>
  /** Runs a scheduled job now, through the server's own queue; resolves when it is done. */
  runJob(name: string): Promise<void>
  /** Sets how far its clock is ahead of the machine's. */
  setAhead(ms: number): void
  remove(): Promise<void>
}

const preload = path.join(import.meta.dirname, 'clock-preload.ts')
const silent = { warn() {} }

/**
 * The whole server as a separate process, on its own durable database, with a small register. The clock is adjusted without
 * changes to its code: see clock-preload.ts.
 */
export async function startSeparateServer(
  env: Record<string, string> = {},
  licenses: Parameters<typeof loadSmallRegister>[1] = [],
  prepared: { dataDir?: string } = {},
): Promise<SeparateServer> {
  const cluster = await startTemporaryServer(prepared)
  const settings = { databasePoolSize: 3, statementTimeoutMs: 10_000, lockTimeoutMs: 5_000 }
  let server: ServerProcess | undefined
  const database = connect(cluster.url, settings, silent)
  const remove = async () => {
    server?.child.kill('SIGKILL')
    await server?.ended
    await database.close()
    await cluster.remove()
  }
  const clockFile = path.join(cluster.dataDir, 'clock-ahead')
  const start = async () => {
    server = await startServerProcess(cluster.dataDir, {
      DATABASE_URL: cluster.url,
      NODE_ENV: 'test',
      RATE_LIMIT_SCALE: '10000',
      MAX_EVENT_LOOP_DELAY_MS: '0',
      NODE_OPTIONS: `--import=${encodeURI(`file://${preload}`)}`,
      CLOCK_FILE: clockFile,
      ...env,
    })
  }
  try {
    await migrate(cluster.url)
    await loadSmallRegister(database.db, licenses)
    await start()
  } catch (error) {
    await remove()
    throw error
  }
  return {
    url: () => server?.url ?? '',
    pid: () => server?.child.pid ?? 0,
    database,
    dataDir: cluster.dataDir,
    kill: () => void server?.child.kill('SIGKILL'),
    async restart() {
      await server?.ended
      await start()
    },
    async runJob(name) {
      const queue = createJobQueue({ connectionString: cluster.url, log: createLog({ logLevel: 'silent' }) })
      await queue.enqueue(name as never, {} as never)
      await queue.stop()
      for (const giveUpAt = Date.now() + 15_000; Date.now() < giveUpAt; await new Promise((resolve) => setTimeout(resolve, 20))) {
        const { rows } = await database.pool.query('select count(*)::int as count from pgboss.job where name = $1', [name])
        if (rows[0].count === 0) return
      }
      throw new Error(`${name} didn't finish in time.`)
    },
    setAhead(ms) {
      fs.writeFileSync(clockFile, String(ms))
    },
    remove,
  }
}
