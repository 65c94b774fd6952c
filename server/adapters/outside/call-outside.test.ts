import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OutsideRefused } from '#server/kernel/context.ts'
import { hostileTargets } from '#tests/support/hostile-targets.ts'
import { createOutside, isPublicAddress } from './call-outside.ts'

/** Counts connections to its port from this machine, at any address. */
let canary: net.Server
let canaryPort: number
let connections = 0
/** Stands in for the public web. */
let site: http.Server
let sitePort: number
const seen: http.IncomingMessage[] = []

const portOf = (server: net.Server) => (server.address() as AddressInfo).port

beforeAll(async () => {
  canary = net.createServer((socket) => {
    connections++
    socket.destroy()
  })
  site = http.createServer((request, response) => {
    seen.push(request)
    const to = new URL(request.url ?? '/', 'http://x').searchParams.get('to')
    // Sends raw UTF-8, which HTTP reads as Latin-1.
    if (to !== null) return response.writeHead(307, { location: Buffer.from(to).toString('latin1') }).end()
    return response.end('Hello')
  })
  await new Promise<void>((resolve) => canary.listen(0, '::', resolve))
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  canaryPort = portOf(canary)
  sitePort = portOf(site)
})
afterAll(() => {
  canary.close()
  site.closeAllConnections()
  site.close()
})

const request = { maxBytes: 1000, timeLimitMs: 5000, maxRedirects: 3 }

/** Allows this test's port, so only the address can be the reason for a refusal. */
const isPublic = (address: string, port: number) => isPublicAddress(address) || port === sitePort

function answering(answers: string[][] = []) {
  let lookUps = 0
  return async (name: string) => (name === 'site.example' ? ['127.0.0.1'] : (answers[Math.min(lookUps++, answers.length - 1)] ?? []))
}

it('detects a call to any address of this machine, which the next tests rely on', async () => {
  for (const host of ['127.0.0.1', '[::1]', 'localhost']) {
    const before = connections
    await createOutside({ permit: () => true })
      .call({ ...request, url: `https://${host}:${canaryPort}/` })
      .catch(() => {})
    expect(connections, host).toBe(before + 1)
  }
})

it('refuses more than 1,000 hostile addresses, whether entered or reached by a redirect', { timeout: 60_000 }, async () => {
  const targets = hostileTargets(canaryPort)
  expect(new Set(targets.map(({ url, answers }) => JSON.stringify([url, answers]))).size).toBeGreaterThan(1000)
  const before = connections
  for (const { url, answers } of targets) {
    const { call } = createOutside({ resolve: answering(answers), permit: isPublic })
    await expect(call({ ...request, url }), url).rejects.toThrow(OutsideRefused)
    if (url === '') continue
    const through = `http://site.example:${sitePort}/?to=${encodeURIComponent(url)}`
    await expect(call({ ...request, url: through, isHttpAllowed: true }), `redirect to ${url}`).rejects.toThrow(OutsideRefused)
  }
  expect(connections).toBe(before)
})

it('connects to the address that it checked, even if the name later resolves elsewhere', async () => {
  const before = connections
  for (const later of ['10.0.0.1', '::1', '169.254.169.254']) {
    let lookUps = 0
    const resolve = async () => (lookUps++ === 0 ? ['127.0.0.1'] : [later])
    const permit = (address: string, port: number) => isPublicAddress(address) || (address === '127.0.0.1' && port === sitePort)
    const { call } = createOutside({ resolve, permit })
    expect((await call({ ...request, url: `http://rebound.example:${sitePort}/`, isHttpAllowed: true })).body.toString()).toBe('Hello')
    expect(lookUps).toBe(1)
    // After a redirect, the name is resolved and checked again.
    const url = `http://rebound.example:${sitePort}/?to=${encodeURIComponent(`https://rebound.example:${canaryPort}/`)}`
    lookUps = 0
    await expect(call({ ...request, url, isHttpAllowed: true })).rejects.toThrow(OutsideRefused)
  }
  expect(connections).toBe(before)
})

it('refuses the names of this machine as the system resolves them', async () => {
  for (const name of ['localhost', 'localhost.', 'LocalHost']) {
    await expect(createOutside().call({ ...request, url: `https://${name}/` })).rejects.toThrow(OutsideRefused)
  }
})

it.each([21, 22, 25, 3306, 5432, 6379, 9200, 11_211, 65_535])('refuses port %i of a public address', async (port) => {
  const { call } = createOutside({ resolve: async () => ['93.184.216.34'] })
  await expect(call({ ...request, url: `https://site.example:${port}/` })).rejects.toThrow(OutsideRefused)
})

it('refuses plain http unless the caller allows it', async () => {
  const { call } = createOutside({ resolve: answering(), permit: isPublic })
  await expect(call({ ...request, url: `http://site.example:${sitePort}/` })).rejects.toThrow('must start with https')
})

it('reaches exactly the private addresses that the operator allows', async () => {
  const { call } = createOutside({ alsoAllowed: [`127.0.0.1:${sitePort}`] })
  expect((await call({ ...request, url: `http://127.0.0.1:${sitePort}/` })).status).toBe(200)
  const before = connections
  for (const host of [`127.0.0.1:${canaryPort}`, `[::1]:${canaryPort}`, `127.0.0.2:${sitePort}`]) {
    await expect(call({ ...request, url: `http://${host}/` }), host).rejects.toThrow(OutsideRefused)
  }
  expect(connections).toBe(before)
})

it('sends no secret to another origin after a redirect', async () => {
  const { call } = createOutside({ resolve: async () => ['127.0.0.1'], permit: isPublic })
  const headersOf = async (to: string, secretHeader?: string) => {
    const url = `http://site.example:${sitePort}/?to=${encodeURIComponent(to)}`
    const headers = { [secretHeader ?? 'Authorization']: 'secret', accept: 'text/csv' }
    await call({ ...request, url, isHttpAllowed: true, headers, secretHeader })
    return Object.entries(seen.at(-1)?.headers ?? {}).filter(([, value]) => value === 'secret' || value === 'text/csv')
  }
  expect(await headersOf('/menu.csv')).toEqual([
    ['authorization', 'secret'],
    ['accept', 'text/csv'],
  ])
  expect(await headersOf(`http://other.example:${sitePort}/menu.csv`)).toEqual([['accept', 'text/csv']])
  expect(await headersOf(`http://other.example:${sitePort}/menu.csv`, 'X-Key')).toEqual([['accept', 'text/csv']])
})

it('times out on a name server that never responds', async () => {
  const { call } = createOutside({ resolve: () => new Promise(() => {}) })
  const error = await call({ ...request, url: 'https://site.example/', timeLimitMs: 100 }).catch((each: unknown) => each)
  expect([error instanceof Error, error instanceof OutsideRefused]).toEqual([true, false])
})
