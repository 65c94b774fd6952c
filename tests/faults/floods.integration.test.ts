import fs from 'node:fs'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type SeparateServer, startSeparateServer } from '#tests/support/separate-server.ts'

let server: SeparateServer
let cookie: string

beforeAll(async () => {
  server = await startSeparateServer({ LOG_LEVEL: 'fatal' })
  const send = (path: string, body: object, headers = {}) =>
    fetch(server.url() + path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
  const name = { firstName: 'Flo', lastName: 'Od' }
  const account = { email: 'flood@example.com', password: 'seven green terraces at dawn', birthday: '1990-04-01', accountType: 'consumer' }
  const registered = await send('/api/register', { ...account, ...name })
  cookie = registered.headers.getSetCookie()[0]?.split(';')[0] as string
  expect((await send('/api/user/profile', { ...name, location: 'Denver, CO' }, { cookie })).status).toBe(200)
})
afterAll(() => server?.remove())

const importHunt = async (body: Buffer<ArrayBuffer>) => {
  const answer = await fetch(`${server.url()}/api/hunt-imports`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json', cookie }, body },
  })
  await answer.arrayBuffer()
  return answer.status
}

/** Response times of the simplest request during the work, in milliseconds, shortest first. */
async function waitsDuring(work: Promise<unknown>): Promise<number[]> {
  const agent = new http.Agent({ keepAlive: true })
  const waits: number[] = []
  let isOver = false
  void work.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const began = performance.now()
    await new Promise<void>((resolve, reject) => {
      http.get(`${server.url()}/healthz`, { agent }, (answer) => answer.resume().once('end', resolve)).once('error', reject)
    })
    waits.push(performance.now() - began)
    await sleep(5)
  }
  agent.destroy()
  return waits.sort((a, b) => a - b)
}

it('serves other requests while it refuses 30 MB bodies, and frees its memory', async () => {
  const deep = Buffer.from('['.repeat(15e6) + ']'.repeat(15e6))
  const flat = Buffer.from(`[${'[],'.repeat(1e7 - 1)}[]]`)
  const wrong = Buffer.from(`{"plants":[${'{},'.repeat(1e7 - 1)}{}]}`)
  const rss = () => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${server.pid()}/status`, 'utf8'))?.[1]) / 1024
  const before = rss()
  for (const body of [deep, flat, wrong]) {
    const both = Promise.all([importHunt(body), importHunt(body)])
    const waits = await waitsDuring(both)
    expect(await both).toEqual([400, 400])
    // A busy machine delays some requests. Parsing a body of this size on the main thread would delay all of them by seconds.
    expect(waits[Math.floor(waits.length * 0.9)]).toBeLessThan(200)
    expect(waits.length).toBeGreaterThan(20)
  }
  await expect.poll(() => rss() - before, { timeout: 15_000, interval: 500 }).toBeLessThan(300)
}, 120_000)
