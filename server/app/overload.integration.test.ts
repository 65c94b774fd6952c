import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts'

let test: TestApp

beforeAll(async () => {
  test = await startTestApp({ env: { MAX_EVENT_LOOP_DELAY_MS: '100', LOG_LEVEL: 'silent' } })
})
afterAll(() => test?.close())

/** Keeps the event loop from everything else, until the guard has seen a second of it. */
async function fallBehind(): Promise<void> {
  for (let times = 0; times < 4; times++) {
    const until = performance.now() + 300
    while (performance.now() < until);
    await sleep(1)
  }
}
const get = (path: string) => test.request('GET', path, null)

it('who is too far behind refuses work with a time to come back, but neither its health nor the parts of a page that has come', async () => {
  await fallBehind()
  const refused = await get('/api/businesses')
  expect(refused.statusCode).toBe(503)
  expect(refused.headers['retry-after']).toBe('5')
  expect(refused.json()).toMatchObject({ code: 'unavailable' })
  expect((await get('/')).statusCode).toBe(503)
  for (const path of ['/healthz', '/readyz', '/assets/app-abc123.js']) expect((await get(path)).statusCode, path).toBe(200)

  await expect.poll(async () => (await get('/api/businesses')).statusCode, { timeout: 10_000, interval: 200 }).toBe(200)
})
