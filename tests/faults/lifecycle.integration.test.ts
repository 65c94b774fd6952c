import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { connect } from '#server/db/connect.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { startTemporaryServer } from '#tests/support/embedded-server.ts'
import { preparedDataDir } from '#tests/support/prepared-cluster.ts'
import { processesLike } from '#tests/support/processes.ts'
import { freePort, type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'
import { loadSmallRegister } from '#tests/support/small-register.ts'

let dataDir: string
let server: ServerProcess | undefined
beforeAll(async () => {
  const cluster = await startTemporaryServer({ dataDir: preparedDataDir() })
  dataDir = cluster.dataDir
  const { db, close } = connect(cluster.url, { databasePoolSize: 1, statementTimeoutMs: 5_000, lockTimeoutMs: 5_000 }, { warn() {} })
  await loadSmallRegister(db)
  await addBusiness(db)
  await close()
  await cluster.stop()
})
afterEach(async () => {
  server?.child.kill('SIGKILL')
  await server?.ended
  await expect.poll(postmasters, { timeout: 10_000 }).toEqual([])
})
afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }))

const postmasters = () => processesLike(`postgres -D ${dataDir}/pg `)

type Answer = { status: number; connection: string | undefined } | { error: string }

function get(url: string, agent: http.Agent): Promise<Answer> {
  return new Promise((resolve) => {
    const request = http.get(url, { agent }, (response) => {
      response.resume()
      response.once('end', () => resolve({ status: response.statusCode ?? 0, connection: response.headers.connection }))
      response.once('error', (error: NodeJS.ErrnoException) => resolve({ error: error.code ?? error.message }))
    })
    request.once('error', (error: NodeJS.ErrnoException) => resolve({ error: error.code ?? error.message }))
  })
}

/** A write whose body is incomplete; `finish` sends the rest. */
function slowPost(url: string): { answer: Promise<Answer>; finish(): void } {
  const body = JSON.stringify({ email: 'no-one@sungrove.example', password: 'a wrong password' })
  const request = http.request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': body.length, origin: 'http://localhost' },
  })
  request.write(body.slice(0, 10))
  const answer = new Promise<Answer>((resolve) => {
    request.once('response', (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0, connection: response.headers.connection })
    })
    request.once('error', (error: NodeJS.ErrnoException) => resolve({ error: error.code ?? error.message }))
  })
  return { answer, finish: () => void request.end(body.slice(10)) }
}

/** Allows for startup while other tests keep the machine busy. */
const timeout = 90_000

test('finishes its requests under load and stops within ten seconds', { timeout }, async () => {
  // Disables load shedding, which isn't tested here.
  const env = { RATE_LIMIT_SCALE: '10000', MAX_EVENT_LOOP_DELAY_MS: '0', PUBLIC_URL: 'http://localhost' }
  server = await startServerProcess(dataDir, env)
  const { url, child, ended } = server
  // Like a load balancer, reuses its connections and sends requests until the server is no longer ready.
  const agent = new http.Agent({ keepAlive: true, maxSockets: 6 })
  const answers: Answer[] = []
  let isReady = true
  const client = async () => {
    while (isReady) answers.push(await get(`${url}/api/businesses`, agent))
  }
  const clients = Promise.all(Array.from({ length: 6 }, client))
  await expect.poll(() => answers.length, { timeout: 10_000 }).toBeGreaterThan(50)
  const slow = slowPost(`${url}/api/login`)
  await sleep(100)

  const askedAt = Date.now()
  child.kill('SIGTERM')
  await expect.poll(() => get(`${url}/readyz`, new http.Agent())).toMatchObject({ status: 503 })
  expect(await get(`${url}/api/businesses`, new http.Agent())).toEqual({ status: 200, connection: 'close' })
  isReady = false
  await clients
  await expect.poll(() => get(`${url}/healthz`, new http.Agent()), { timeout: 5000 }).toEqual({ error: 'ECONNREFUSED' })
  slow.finish()
  expect(await slow.answer).toMatchObject({ status: 401 })

  expect(await ended).toBe(0)
  expect(Date.now() - askedAt).toBeLessThan(10_000)
  expect(answers.filter((answer) => 'error' in answer || answer.status !== 200)).toEqual([])
  expect(postmasters()).toEqual([])
})

test('stops immediately on a second signal, despite open requests', { timeout }, async () => {
  server = await startServerProcess(dataDir, { PUBLIC_URL: 'http://localhost' })
  const first = slowPost(`${server.url}/api/login`)
  await sleep(100)
  // The server has accepted the open request by the time it responds to a later one.
  expect(await get(`${server.url}/healthz`, new http.Agent())).toMatchObject({ status: 200 })
  const askedAt = Date.now()
  server.child.kill('SIGTERM')
  await sleep(1500)
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(1)
  expect(Date.now() - askedAt).toBeLessThan(3000)
  expect(await first.answer).toHaveProperty('error')
  await expect.poll(postmasters, { timeout: 5000 }).toEqual([])
})

test('reports immediately and in one line that its port is in use', async () => {
  const occupant = net.createServer().listen(0)
  await once(occupant, 'listening')
  const { port } = occupant.address() as net.AddressInfo
  const starting = startServerProcess(dataDir, { PORT: String(port) })
  await expect(starting).rejects.toThrow(
    new RegExp(`^The server ended before it was ready:\nPort ${port} is in use\\. Stop the program that uses it[^\n]*\n$`),
  )
  occupant.close()
})

test('isn’t ready until a database that died during startup is back', { timeout }, async () => {
  const port = String(await freePort())
  const starting = startServerProcess(dataDir, { PORT: port })
  const status = async (path: string) => {
    const answer = await get(`http://127.0.0.1:${port}${path}`, new http.Agent())
    return 'status' in answer ? answer.status : answer.error
  }
  await expect.poll(() => status('/healthz'), { timeout: 60_000, interval: 5 }).toBe(200)
  const [postmaster] = postmasters()
  expect(await status('/readyz')).toBe(503)
  process.kill(Number(postmaster), 'SIGKILL')
  expect(await status('/readyz')).toBe(503)
  server = await starting
  await expect.poll(() => status('/readyz')).toBe(200)
  expect(await status('/api/businesses')).toBe(200)
})

test('exits with one line if the database is unreachable at startup', async () => {
  const starting = startServerProcess(dataDir, { DATABASE_URL: 'postgres://no-one@127.0.0.1:1/nowhere' })
  await expect(starting).rejects.toThrow(/ready:\nThe database can't be reached \(connect ECONNREFUSED [^\n]*\)\. Check DATABASE_URL\.\n$/)
})

test('names every invalid setting', async () => {
  const starting = startServerProcess(dataDir, { PORT: 'http', LOG_LEVEL: 'loud' })
  await expect(starting).rejects.toThrow(/PORT is "http", but it must be .*\nLOG_LEVEL is "loud"/)
})
