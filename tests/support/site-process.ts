import { flushCompileCache } from 'node:module'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { buildApp } from '#server/app/build-app.ts'
import { loadConfig } from '#server/config.ts'
import { connect } from '#server/db/connect.ts'

/**
 * Serves the site on the database of DATABASE_URL until it is killed, with the built web app or the one in the folder WEB_APP. Prints
 * `ready` with its address. With the argument `jobs`, it also runs jobs.
 */

const config = loadConfig(process.env)
const url = config.databaseUrl as string
const database = connect(url, { databasePoolSize: 5, statementTimeoutMs: 10_000, lockTimeoutMs: 5_000 }, { warn() {} })
const { app, startJobs } = await buildApp({
  database: { ...database, url },
  config,
  log: pino({ level: 'silent' }),
  ...(process.env.WEB_APP ? { distDir: process.env.WEB_APP } : {}),
})
await app.listen({ port: 0, host: '127.0.0.1' })
if (process.argv[2] === 'jobs') await startJobs()
const { port } = app.server.address() as AddressInfo
process.stdout.write(`${JSON.stringify({ event: 'ready', origin: `http://127.0.0.1:${port}` })}\n`)
// This process will be killed, which would lose the compile cache for the next process.
flushCompileCache()
