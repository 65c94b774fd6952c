import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { processesLike } from '../support/processes.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'

let server: ServerProcess | undefined
afterEach(() => server?.remove())

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

/** A write whose body is still on its way; `finish` sends the rest. */
function slowPost(url: string): { answer: Promise<Answer>; finish(): void } {
  const body = JSON.stringify({ email: 'nobody@sungrove.example', password: 'a wrong password' })
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

test('asked to stop under load, it answers what it was asked and ends within ten seconds', async () => {
  server = await startServerProcess({ RATE_LIMIT_SCALE: '10000', PUBLIC_URL: 'http://localhost' })
  const { url, child, ended, dataDir } = server
  const agent = new http.Agent({ keepAlive: true, maxSockets: 6 })
  const answers: Answer[] = []
  let isClosed = false
  const client = async () => {
    while (!isClosed) {
      const answer = await get(`${url}/api/businesses`, agent)
      // A port that nobody listens on has failed nobody.
      if ('error' in answer && answer.error === 'ECONNREFUSED') isClosed = true
      else answers.push(answer)
      await sleep(5)
    }
  }
  const clients = Promise.all(Array.from({ length: 6 }, client))
  await expect.poll(() => answers.length, { timeout: 10_000 }).toBeGreaterThan(50)
  const slow = slowPost(`${url}/api/login`)
  await sleep(100)

  const askedAt = Date.now()
  child.kill('SIGTERM')
  await expect.poll(() => get(`${url}/readyz`, new http.Agent())).toMatchObject({ status: 503 })
  expect(await get(`${url}/api/businesses`, new http.Agent())).toEqual({ status: 200, connection: 'close' })
  await clients
  slow.finish()
  expect(await slow.answer).toMatchObject({ status: 401 })

  expect(await ended).toBe(0)
  expect(Date.now() - askedAt).toBeLessThan(10_000)
  expect(answers.filter((answer) => 'error' in answer || answer.status !== 200)).toEqual([])
  expect(processesLike(`postgres -D ${dataDir}/pg `)).toEqual([])
})

test('a second signal ends it at once, whatever is still being answered', async () => {
  server = await startServerProcess()
  const first = slowPost(`${server.url}/api/login`)
  await sleep(100)
  const askedAt = Date.now()
  server.child.kill('SIGTERM')
  await sleep(1500)
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(1)
  expect(Date.now() - askedAt).toBeLessThan(3000)
  expect(await first.answer).toHaveProperty('error')
  await expect.poll(() => processesLike(`postgres -D ${server?.dataDir}/pg `), { timeout: 5000 }).toEqual([])
})

test('a port in use is told in one line', async () => {
  server = await startServerProcess()
  const second = startServerProcess({ PORT: String(server.port) })
  await expect(second).rejects.toThrow(
    new RegExp(`^The server ended before it was ready:\nPort ${server.port} is in use\\. Stop what runs there`),
  )
})

test('wrong configuration is told by name, all of it', async () => {
  const starting = startServerProcess({ PORT: 'http', LOG_LEVEL: 'loud' })
  await expect(starting).rejects.toThrow(/PORT is "http", but it must be .*\nLOG_LEVEL is "loud"/)
})
