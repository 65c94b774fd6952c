import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shapeOf } from '#bench/dataset-shape.ts'
import { foreignPeople, loadDataset, measured } from '#bench/load-dataset.ts'
import type { LoadedTable } from '#bench/load-tables.ts'
import { findWrongCounters } from './support/counters.ts'
import { createTestDatabase, type TestDatabase } from './support/database.ts'

const shape = shapeOf(2000, new Date('2026-11-21T00:00:00Z'))
const loaded: LoadedTable[] = []
let fresh: TestDatabase
let one: TestDatabase
let other: TestDatabase

beforeAll(async () => {
  fresh = await createTestDatabase()
  one = await createTestDatabase()
  other = await createTestDatabase()
  await loadDataset(one.db, one.url, shape, (table) => loaded.push(table))
  await loadDataset(other.db, other.url, shape, () => {})
})
afterAll(() => Promise.all([fresh?.drop(), one?.drop(), other?.drop()]))

const rowsOf = async <Row>(database: TestDatabase, query: string) => (await sql.raw<Row>(query).execute(database.db)).rows

it('reports how many rows it has, and has correct counters', async () => {
  expect(await findWrongCounters(one.db)).toEqual([])
  const tables = loaded.filter(({ rows }) => rows > 0)
  expect(tables).toHaveLength(13)
  for (const { table, rows } of tables) {
    const [stored] = await rowsOf<{ count: number }>(one, `select count(*) from ${table}`)
    // The measured person is created by the accounts feature.
    expect(stored?.count, table).toBe(table === 'users' ? rows + 1 : rows)
  }
  expect(loaded.find(({ table }) => table === 'posts')?.rows).toBe(2000)
})

it('detects a wrong counter', async () => {
  await other.db.updateTable('posts').set({ likes_count: 12_345 }).where('title', 'is not', null).execute()
  expect((await findWrongCounters(other.db)).length).toBe(2000)
  await sql`update posts set likes_count = (select count(*) from post_likes where post_id = posts.id)`.execute(other.db)
  expect(await findWrongCounters(other.db)).toEqual([])
})

it('gives the measured person 250 follows, 30 followers, 20 posts, and at least 60 unread notifications', async () => {
  const [person] = await rowsOf(
    one,
    `select following_count, followers_count, posts_count, (select count(*) from business_follows where user_id = users.id) as businesses,
       (select count(*) from person_follows where follower_id = users.id) as people,
       (select count(*) from notifications where user_id = users.id and not is_read) >= 60 as has_unread
     from users where email = '${measured.email}'`,
  )
  expect(person).toEqual({ following_count: 250, followers_count: 30, posts_count: 20, businesses: 200, people: 50, has_unread: true })
})

it('generates the same data from the same seed', async () => {
  const digest = (database: TestDatabase) =>
    rowsOf(
      database,
      `select (select md5(string_agg(b::text, '' order by id)) from businesses b) as businesses,
         (select md5(string_agg(p.id || title || content || likes_count || comments_count, '' order by id)) from posts p) as posts,
         (select md5(string_agg(l::text, '' order by post_id, user_id)) from post_likes l) as likes`,
    )
  expect(await digest(one)).toEqual(await digest(other))
})

it('leaves every index and foreign key unchanged', async () => {
  const shapeOfTables = async (database: TestDatabase) => [
    await rowsOf(database, `select indexdef from pg_indexes where schemaname = 'public' order by 1`),
    await rowsOf(
      database,
      `select conrelid::regclass::text, conname, pg_get_constraintdef(oid) as definition from pg_constraint
       where connamespace = 'public'::regnamespace order by 1, 2`,
    ),
  ]
  expect(await shapeOfTables(one)).toEqual(await shapeOfTables(fresh))
})

it('counts people other than the measured person', async () => {
  expect(await foreignPeople(fresh.db)).toBe(0)
  expect(await foreignPeople(one.db)).toBe(shape.people)
})
