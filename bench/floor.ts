import http from 'node:http'
import { makeBrand } from '#contracts/brand.ts'
import { loadConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { createSessionReader } from '#server/features/accounts/index.ts'
import { createSessionCookie, hashSessionToken } from '#server/features/accounts/session-token.ts'
import { systemClock } from '#server/kernel/context.ts'
import { createLog } from '#server/log.ts'
import { storedSecret } from '#server/secrets.ts'

/**
 * The floor: Node's bare HTTP server returning a constant of the given size, optionally after checking the session. `session` runs one
 * prepared query per request, as a typical server does. `shared-session` runs our own check, whose queries many requests share. Any cost
 * of a route beyond that is due to our own code. Run it as a separate process in the environment of the server it is compared to: `node
 * bench/floor.ts BYTES [session | shared-session]`; prints its port.
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

/** Uses the database of the server under test. */
async function openSessions(isShared: boolean): Promise<PlainReader> {
  const config = loadConfig(process.env, storedSecret)
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
