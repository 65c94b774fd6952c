import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { createLog } from '#server/log.ts'
import { createTracing, statementName } from './index.ts'

type SentSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: object }[]
}

const closings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0)) await close()
})

async function startCollector({ ms = 0 } = {}) {
  const bodies: string[] = []
  const headers: http.IncomingHttpHeaders[] = []
  const server = http.createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    bodies.push(body)
    headers.push(request.headers)
    await sleep(ms)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise((resolve) => server.close(resolve))
  const spans = () =>
    bodies.flatMap(
      (body) =>
        (JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] }).resourceSpans[0]?.scopeSpans[0]?.spans ?? [],
    )
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`, bodies, headers, spans, close }
}

const tracingTo = (url: string, share = 1) =>
  createTracing({ url, headers: { 'api-key': 'abc' }, serviceName: 'grove', share, everyMs: 20 })

it('puts a request’s queries, calls, and logs in one trace and a job in another', async () => {
  const collector = await startCollector()
  closings.push(collector.close)
  const tracing = tracingTo(collector.url)
  const lines: string[] = []
  const log = createLog({ logLevel: 'info' }, { write: (line) => void lines.push(line) }, tracing.logFields)
  const app = Fastify()
  tracing.addTo(app)
  app.post('/things/:id', async () => {
    log.info('within')
    await new Promise((resolve) => setImmediate(resolve))
    tracing.onQuery('select * from posts where id = $1', 3, false)
    await tracing.outside('mail', async () => {})
    return {}
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  // The body arrives in several chunks, outside the request's async context.
  const body = JSON.stringify({ word: 'secretword '.repeat(20_000) })
  await fetch(`http://127.0.0.1:${port}/things/secretword?q=secretword`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  })
  await tracing.job('media.process', async () => log.info('at work'))
  log.info('outside of all')
  await expect.poll(() => collector.spans().length).toBe(4)
  await app.close()
  await tracing.stop()

  const byName = new Map(collector.spans().map((span) => [span.name, span]))
  const request = byName.get('POST /things/:id')
  expect(request).toMatchObject({
    kind: 2,
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
  })
  expect(request?.parentSpanId).toBeUndefined()
  expect(request?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: '200' } })
  for (const name of ['select posts', 'call mail']) {
    expect(byName.get(name)).toMatchObject({ kind: 3, traceId: request?.traceId, parentSpanId: request?.spanId })
  }
  const job = byName.get('job media.process')
  expect(job?.traceId).not.toBe(request?.traceId)
  expect(lines.map((line) => JSON.parse(line).traceId)).toEqual([request?.traceId, job?.traceId, undefined])
  expect(collector.headers[0]?.['api-key']).toBe('abc')
  expect(collector.bodies.join()).not.toContain('secretword')
})

it('reports a missing collector only once, and jobs still run', async () => {
  const tracing = tracingTo('http://127.0.0.1:9/v1/traces')
  const logged: unknown[] = []
  tracing.reportTo((error) => void logged.push(error))
  for (let count = 0; count < 10_000; count++) await tracing.job('x', async () => {})
  await expect.poll(() => logged.length).toBe(1)
  await tracing.job('x', async () => {})
  await tracing.stop()
  expect(logged.length).toBe(1)
})

it('sends pending spans before the process ends, even if others are queued ahead', async () => {
  const collector = await startCollector({ ms: 100 })
  closings.push(collector.close)
  const tracing = tracingTo(collector.url)
  await tracing.job('first', async () => {})
  await expect.poll(() => collector.bodies.length).toBe(1)
  for (let count = 0; count < 600; count++) await tracing.job('later', async () => {})
  await tracing.stop()
  expect(collector.spans().length).toBe(601)
})

it('traces neither a job nor its queries if the sampled share is 0', async () => {
  const collector = await startCollector()
  closings.push(collector.close)
  const tracing = tracingTo(collector.url, 0)
  await tracing.job('x', async () => tracing.onQuery('select 1', 1, false))
  await tracing.stop()
  expect(collector.bodies).toEqual([])
})

it('names a statement by its verb and table', () => {
  expect(statementName('select "id" from "posts" where title = $1')).toBe('select posts')
  expect(statementName('  insert into "post_likes" values ($1)')).toBe('insert post_likes')
  expect(statementName('update users set x = $1')).toBe('update users')
  expect(statementName('with ranked as (select 1 from comments) select * from ranked')).toBe('with comments')
  expect(statementName(`select 'a private word'`)).toBe('select')
  expect(statementName('begin')).toBe('begin')
})
