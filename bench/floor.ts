import http from 'node:http'
import { makeBrand } from '../contracts/brand.ts'
import { loadConfig } from '../server/config.ts'
import { openDatabase } from '../server/db/open-database.ts'
import { createSessionReader } from '../server/features/accounts/index.ts'
import { createSessionCookie, hashSessionToken } from '../server/features/accounts/session-token.ts'
import { systemClock } from '../server/kernel/clock.ts'
import { createLog } from '../server/log.ts'
import { keptSecret } from '../server/secrets.ts'

/**
 * The floor: Node's bare HTTP server answering a constant of the given size, at will after the check of the session: with `session`
 * by one prepared query a request, as any server would, with `shared-session` by our own check, whose queries serve many requests at
 * once. What a route costs beyond this is ours. Run as a process of its own, like the server that it is compared with, and in its
 * environment: `node bench/floor.ts BYTES [session | shared-session]`; prints its port.
 */
const [bytes, check] = process.argv.slice(2)
const body = 'x'.repeat(Number(bytes))
const sessions = check ? await openSessions(check === 'shared-session') : null

const server = http.createServer(async (request, response) => {
  const isAllowed = sessions === null || (await sessions.read(request.headers.cookie)) !== null
  response.writeHead(isAllowed ? 200 : 401, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' ? address?.port : '')
})

/** On the database of the server that runs beside. */
async function openSessions(isShared: boolean): Promise<PlainReader> {
  const config = loadConfig(process.env, keptSecret)
  const { pool } = await openDatabase(config, createLog(config), { as: 'command' })
  const brand = makeBrand({ name: config.brandName, supportEmail: config.supportEmail, year: systemClock.now().getUTCFullYear() })
  const cookie = createSessionCookie(config, brand)
  if (isShared) return createSessionReader({ pool, cookie, clock: systemClock, config: { isOnThisMachine: true } })
  return {
    async read(header) {
      const token = cookie.read(header)
      if (token === null) return null
      const { rows } = await pool.query(readSession, [hashSessionToken(token)])
      return rows[0] ?? null
    },
  }
}

type PlainReader = { read(cookieHeader: string | undefined): Promise<object | null> }

const readSession = `
  select s.id, u.id as user_id, u.role, u.user_type, u.birthday
  from sessions s join users u on u.id = s.user_id
  where s.token = $1 and s.expires_at > now()`
