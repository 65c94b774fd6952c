import { afterAll, beforeAll, expect, it } from 'vitest'
import { fuzzCalls } from './support/fuzz-calls.ts'
import { startTestApp, type TestApp } from './support/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp({ env: { LOG_LEVEL: 'silent' } })
})
afterAll(() => t?.close())

/** `npm run fuzz:calls -- 20000` runs longer, on a separate server whose memory it watches. */
it('responds to nearly valid calls quickly and without a server error', async () => {
  const result = await fuzzCalls(
    {
      db: t.db,
      async send({ method, url, headers, body }) {
        const answer = await t.app.inject({ method, url, headers, ...(body ? { payload: body } : {}) })
        return { status: answer.statusCode, body: answer.body, setCookies: [answer.headers['set-cookie'] ?? []].flat() }
      },
    },
    1_200,
    20_261_123,
  )
  expect(result.faults).toEqual([])
  // Makes sure that not all calls are refused.
  expect(result.byStatus['2xx']).toBeGreaterThan(100)
  const ofPrograms = result.answered.filter((call) => / \/api\/(brapi|sensor-readings)/.test(call))
  expect(ofPrograms.length).toBeGreaterThan(20)
}, 180_000)
