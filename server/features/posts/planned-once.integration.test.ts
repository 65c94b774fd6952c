import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { postRows } from './posts.queries.ts'

let test: TestDatabase

// A single connection, because each one prepares and plans its own statements.
beforeAll(async () => {
  test = await createTestDatabase({ databasePoolSize: 1 })
})
afterAll(() => test?.drop())

it('uses the generic plan to read posts by ID', async () => {
  await sql`
    with person as (insert into users (id, email) select gen_random_uuid(), n || '@example.com' from generate_series(1, 500) n returning id),
      business as (
        insert into businesses (id, slug, name, type)
        select gen_random_uuid(), 'many-' || n, 'Many ' || n, 'farm' from generate_series(1, 3000) n returning id)
    insert into posts (id, author_id, business_id, title, content)
      select gen_random_uuid(), person.id, business.id, 'Title', 'Words' from person cross join (select id from business limit 4) as business`.execute(
    test.db,
  )
  await sql`analyze`.execute(test.db)
  const viewer = { id: newId(), age: 30, now: new Date() }
  for (let round = 0; round < 20; round++) await postRows(test.db, viewer, [newId()])
  const { rows } = await sql<{ custom_plans: number; generic_plans: number }>`
    select custom_plans, generic_plans from pg_prepared_statements where statement like '%"posts"."likes_count"%'`.execute(test.db)
  // The first execution isn't a named statement. Then PostgreSQL makes five custom plans to compare with the generic one.
  expect(rows).toEqual([{ custom_plans: 5, generic_plans: 14 }])
})
