import http from 'node:http'
import { makeBrand } from '../contracts/brand.ts'
import { loadConfig } from '../server/config.ts'
import { openDatabase } from '../server/db/open-database.ts'
import { createSessionReader } from '../server/features/accounts/index.ts'
import { createSessionCookie } from '../server/features/accounts/session-token.ts'
import { systemClock } from '../server/kernel/clock.ts'
import type { SessionReader } from '../server/kernel/session.ts'
import { createLog } from '../server/log.ts'
import { keptSecret } from '../server/secrets.ts'

/**
 * The floor: Node's bare HTTP server answering a constant of the given size, at will after the check of the session. What a route
 * costs beyond this is ours. Run as a process of its own, like the server that it is compared with, and in its environment:
 * `node bench/floor.ts BYTES [session]`; prints its port.
 */
const [bytes, withSession] = process.argv.slice(2)
const body = 'x'.repeat(Number(bytes))
const sessions = withSession ? await openSessions() : null

const server = http.createServer(async (request, response) => {
  const isAllowed = sessions === null || (await sessions.read(request.headers.cookie)) !== null
  response.writeHead(isAllowed ? 200 : 401, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' ? address?.port : '')
})

/** The server's own check, on the database of the server that runs beside. */
async function openSessions(): Promise<SessionReader> {
  const config = loadConfig(process.env, keptSecret)
  const { pool } = await openDatabase(config, createLog(config), { as: 'command' })
  const brand = makeBrand({ name: config.brandName, supportEmail: config.supportEmail, year: systemClock.now().getUTCFullYear() })
  return createSessionReader({ pool, cookie: createSessionCookie(config, brand), clock: systemClock })
}
