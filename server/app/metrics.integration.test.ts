import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { projectRoot } from '#server/config.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

const token = 'a-token-for-the-tests'
let test: TestApp
let ann: TestPerson

beforeAll(async () => {
  test = await startTestApp({ env: { METRICS_TOKEN: token } })
  ann = await test.signUp({ firstName: 'Annabel', lastName: 'Ashworth' })
})
afterAll(() => test.close())

const scrape = async (authorization: string | null = `Bearer ${token}`) =>
  test.app.inject({ url: '/metrics', headers: authorization === null ? {} : { authorization } })

const figure = (text: string, line: string) =>
  Number(
    text
      .split('\n')
      .find((each) => each.startsWith(`${line} `))
      ?.split(' ')[1],
  )

it('requires the token', async () => {
  for (const wrong of [null, '', 'Bearer', 'Bearer a-token-for-the-test', `Basic ${token}`]) {
    const answer = await scrape(wrong)
    expect({ status: answer.statusCode, body: answer.body }, String(wrong)).toEqual({ status: 401, body: '' })
  }
  const answer = await scrape()
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(answer.headers['cache-control']).toBe('no-store')
  const without = await startTestApp()
  expect((await without.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })).statusCode).toBe(404)
  await without.close()
})

it('counts by route and exposes no personal data', async () => {
  for (const word of ['secretword', 'otherword']) await test.request('GET', `/api/businesses/${word}?q=${word}`, ann)
  await test.request('GET', '/no/such/page/secretword', ann)
  await test.request('GET', '/api/auth/user', ann)
  const { body } = await scrape()
  expect(figure(body, 'sungrove_http_request_seconds_count{method="GET",route="/api/auth/user",status="2xx"}')).toBe(1)
  expect(body).not.toMatch(new RegExp(`secretword|otherword|Annabel|Ashworth|${ann.email}|${ann.user.id}`))
  const series = body.split('\n').filter((line) => line.includes('http_request_seconds_count'))
  expect(series.filter((line) => line.includes('/api/businesses/:')).length).toBe(1)
  expect(figure(body, 'sungrove_http_requests_in_flight')).toBe(1)
  // Prometheus sets these labels itself and would rename ours.
  expect(body).not.toMatch(/[{,](?:job|instance)="/)
})

it('labels queue metrics with the name that the alerts group by', async () => {
  await test.ctx.jobs.enqueue('media.process', { mediaId: ann.user.id })
  const { now } = performance
  const later = now.call(performance) + 10_000
  performance.now = () => later
  const { body } = await scrape()
  performance.now = now
  expect(body).toMatch(/^sungrove_jobs\{name="media\.process",state="waiting"\} \d+$/m)
  const rules = fs.readFileSync(path.join(projectRoot, 'deploy/prometheus-rules.yml'), 'utf8')
  expect([...rules.matchAll(/max by \((\w+)\)/g)].map(([, label]) => label)).toEqual(['name', 'name'])
})

it('reports the pool, the queue, the event loop, and the release', async () => {
  await test.ctx.jobs.enqueue('media.process', { mediaId: ann.user.id })
  const { body } = await scrape()
  expect(figure(body, 'sungrove_database_connections{state="idle"}')).toBeGreaterThan(0)
  expect(figure(body, 'sungrove_database_waiting')).toBe(0)
  expect(body).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m)
  expect(body).toMatch(/^sungrove_build_info\{version="[^"]+",node="v\d+[^"]*"\} 1$/m)
  expect(figure(body, 'sungrove_jobs_known')).toBe(1)
  // Jobs are counted at most every five seconds, so the figure may be older than this test.
  expect(body).toContain('# TYPE sungrove_jobs gauge')
})

it('has every metric that the alerts and the docs mention', async () => {
  const { body } = await scrape()
  const known = new Set([...body.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
  const documented = ['deploy/prometheus-rules.yml', 'docs/operations.md'].flatMap((file) => {
    const text = fs.readFileSync(path.join(projectRoot, file), 'utf8')
    return [...text.matchAll(/\b(?:sungrove|nodejs|process)_[a-z0-9_]+[a-z0-9]\b/g)].map(([name]) =>
      name.replace(/_(count|bucket|sum)$/, ''),
    )
  })
  expect(documented.length).toBeGreaterThan(15)
  expect(documented.filter((name) => !known.has(name))).toEqual([])
})

it('responds without the queue’s metrics while the database is down', async () => {
  const { queues } = test.ctx.jobs.desk
  let asked = 0
  test.ctx.jobs.desk.queues = async () => {
    asked++
    throw new Error('away')
  }
  // Advances until the cached count has expired.
  const later = performance.now() + 20_000
  const { now } = performance
  performance.now = () => later
  const answer = await scrape()
  performance.now = now
  test.ctx.jobs.desk.queues = queues
  expect(asked).toBe(1)
  expect(answer.statusCode).toBe(200)
  expect(figure(answer.body, 'sungrove_jobs_known')).toBe(0)
})

it('serves only health and metrics from a jobs-only process', async () => {
  const worker = await startTestApp({ env: { JOBS: 'only', METRICS_TOKEN: token } })
  const status = async (url: string) => (await worker.app.inject({ url, headers: { authorization: `Bearer ${token}` } })).statusCode
  expect(await Promise.all(['/healthz', '/readyz', '/metrics', '/', '/api/auth/user', '/robots.txt'].map(status))).toEqual([
    200, 200, 200, 404, 404, 404,
  ])
  await worker.ctx.jobs.enqueue('media.sweep', {})
  await worker.runJobs()
  await worker.close()
})
