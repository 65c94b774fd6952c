import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

let test: TestApp

beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test?.close())

/** References to rows that are never deleted. */
const neverAsked = ['licenses.last_import_id', 'test_provider_subscriptions.plan_id']

it('has an index for every foreign key to rows that may be deleted, which keeps deletes from scanning whole tables', async () => {
  // A partial index can find the references to a deleted row only if it leaves out nothing but null references.
  const { rows } = await sql<{ reference: string }>`
    select constraints.conrelid::regclass || '.' || columns.attname as reference
    from pg_constraint constraints
    join pg_attribute columns on columns.attrelid = constraints.conrelid and columns.attnum = constraints.conkey[1]
    where constraints.contype = 'f' and not exists (
      select from pg_index where indrelid = constraints.conrelid and indkey[0] = constraints.conkey[1]
        and (indpred is null or pg_get_expr(indpred, indrelid) = format('(%I IS NOT NULL)', columns.attname)))
    order by 1`.execute(test.db)
  expect(rows.map(({ reference }) => reference)).toEqual(neverAsked)
})
