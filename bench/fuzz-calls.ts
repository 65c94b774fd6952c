import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '#server/db/connect.ts'
import { migrate } from '#server/db/migrate.ts'
import { startTemporaryServer } from '#tests/support/embedded-server.ts'
import { fuzzCalls, type Send } from '#tests/support/fuzz-calls.ts'
import { startServerProcess } from '#tests/support/server-process.ts'

/**
 * `npm run fuzz:calls -- 20000 [seed]`: sends nearly valid requests to a complete server. Fails if one causes an internal error or
 * takes longer than two seconds on its own, or if the server's memory grows by 50 MB after the first two thousand.
 */
const count = Number(process.argv[2] ?? 20_000)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const maxGrowthMb = 50
const warmUp = Math.min(2_000, count / 2)

const cluster = await startTemporaryServer({})
const memoryFile = path.join(cluster.dataDir, 'memory.json')
const preload = `file://${path.join(import.meta.dirname, 'collect-preload.ts')}`
await migrate(cluster.url)
const database = connect(cluster.url, { databasePoolSize: 2, statementTimeoutMs: 10_000, lockTimeoutMs: 5_000 }, { warn() {} })
const server = await startServerProcess(cluster.dataDir, {
  ...{ DATABASE_URL: cluster.url, NODE_ENV: 'production', RATE_LIMIT_SCALE: '10000', LOG_LEVEL: 'fatal' },
  ...{ NODE_OPTIONS: `--import=${encodeURI(preload)}`, MEMORY_FILE: memoryFile },
})

/** In megabytes, after garbage collection. */
async function memory(): Promise<{ used: number; rss: number }> {
  fs.rmSync(memoryFile, { force: true })
  await sleep(1_000)
  server.child.kill('SIGUSR2')
  while (!fs.existsSync(memoryFile)) await sleep(50)
  await sleep(50)
  const { heapUsed, external, rss } = JSON.parse(fs.readFileSync(memoryFile, 'utf8')) as Record<string, number>
  const mb = (bytes = 0) => Math.round(bytes / 2 ** 20)
  return { used: mb((heapUsed ?? 0) + (external ?? 0)), rss: mb(rss) }
}

const send: Send = async ({ method, url, headers, body }) => {
  const answer = await fetch(server.url + url, { method, headers, body: body ? new Uint8Array(body) : null, redirect: 'manual' })
  return { status: answer.status, body: await answer.text(), setCookies: answer.headers.getSetCookie() }
}

console.log(`${count} calls, seed ${seed}`)
let before = await memory()
try {
  const { faults, answered, ...figures } = await fuzzCalls({ db: database.db, send }, count, seed, {
    atOnce: 4,
    async onProgress(done) {
      if (done === warmUp) before = await memory()
      if (done % 2_000 === 0) console.log(`${done} …`)
    },
  })
  const after = await memory()
  const grewByMb = after.used - before.used
  console.log({
    ...figures,
    answered: answered.length,
    slowestMs: Math.round(figures.slowestMs),
    memoryMb: { before, after },
    grewByMb,
    faults: faults.length,
  })
  for (const fault of faults.slice(0, 20)) console.error(fault)
  process.exitCode = faults.length > 0 || grewByMb > maxGrowthMb ? 1 : 0
} finally {
  server.child.kill('SIGTERM')
  await server.ended
  await database.close()
  await cluster.remove()
}
