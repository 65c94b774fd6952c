import { flushCompileCache } from 'node:module'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { buildApp } from '../../server/app/build-app.ts'
import { loadConfig } from '../../server/config.ts'
import { connect } from '../../server/db/connect.ts'

/**
 * The site in a process of its own, on the database that its environment names, until it is killed. Tells `ready` with its address. With
 * `jobs` it does those, too. Its web app is the one that was built, or that in the folder WEB_APP.
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
// It will be killed, and would leave the next one nothing of what it compiled.
flushCompileCache()
