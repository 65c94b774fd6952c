import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase } from '#tests/support/database.ts'
import { costOf } from '#tests/support/statements.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let reader: TestPerson

beforeAll(async () => {
  test = await startTestApp({ database: await createTestDatabase({ databasePoolSize: 1 }) })
  reader = await test.signUp()
})
afterAll(() => test?.close())

/** The statements of each call's most frequent answer, the session included. */
const maxStatements = {
  '/api/auth/user': 1,
  '/api/notifications': 2,
  '/api/notifications/unread-count': 2,
}

it.each(Object.entries(maxStatements))('answers %s with at most %i statements, none of them planned again', async (path, max) => {
  const { statements, planned } = await costOf(test.db, () => test.request('GET', path, reader))
  expect(planned).toEqual([])
  expect(statements.length).toBeLessThanOrEqual(max)
})
