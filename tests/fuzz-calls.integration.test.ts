import { afterAll, beforeAll, expect, it } from 'vitest'
import { fuzzCalls } from './support/fuzz-calls.ts'
import { startTestApp, type TestApp } from './support/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp({ env: { LOG_LEVEL: 'silent' } })
})
afterAll(() => t?.close())

/** `npm run fuzz:calls -- 20000` does the same for longer, on a server of its own whose memory it watches. */
it('answers calls that are nearly right without an error of its own, and soon', async () => {
  const result = await fuzzCalls(
    {
      db: t.db,
      async send({ method, url, headers, body }) {
        const answer = await t.app.inject({ method, url, headers, ...(body ? { payload: body } : {}) })
        return { status: answer.statusCode, body: answer.body, setCookies: [answer.headers['set-cookie'] ?? []].flat() }
      },
    },
    1_000,
    20_261_123,
  )
  expect(result.faults).toEqual([])
  // Otherwise they would only be refused.
  expect(result.byStatus['2xx']).toBeGreaterThan(100)
}, 180_000)
