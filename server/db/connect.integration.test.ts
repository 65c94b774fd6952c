import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { connect } from './connect.ts'

let database: TestDatabase
let db: Kysely<unknown>
beforeAll(async () => {
  database = await createTestDatabase({ databasePoolSize: 1, statementTimeoutMs: 400, lockTimeoutMs: 200 })
  db = database.db as unknown as Kysely<unknown>
})
afterAll(() => database.drop())

const one = async (query: ReturnType<typeof sql<{ value: unknown }>>) => (await query.execute(db)).rows[0]?.value

describe('a query', () => {
  test('reads a bigint as a number, never rounded', async () => {
    expect(await one(sql`select count(*) as value from users`)).toBe(0)
    expect(await one(sql`select 9007199254740991::bigint as value`)).toBe(Number.MAX_SAFE_INTEGER)
    await expect(one(sql`select 9007199254740992::bigint as value`)).rejects.toThrow(RangeError)
  })

  test('reads a numeric as a number', async () => {
    expect(await one(sql`select avg(n) as value from (values (1), (2)) as v (n)`)).toBe(1.5)
  })

  test('reads a date as text', async () => {
    expect(await one(sql`select '2001-02-28'::date as value`)).toBe('2001-02-28')
  })

  test('reads a timestamptz as a Date', async () => {
    expect(await one(sql`select '2026-11-21T09:00:00.123Z'::timestamptz(3) as value`)).toEqual(new Date('2026-11-21T09:00:00.123Z'))
  })
})

describe('a prepared statement', () => {
  const prepared = async (text: string) => (await sql`select from pg_prepared_statements where statement = ${text}`.execute(db)).rows.length

  test('serves a repeated parameterized query', async () => {
    const ask = (n: number) => one(sql`select ${n}::int + 1 as value`)
    expect(await ask(1)).toBe(2)
    expect(await prepared('select $1::int + 1 as value')).toBe(0)
    expect(await ask(2)).toBe(3)
    expect(await ask(3)).toBe(4)
    expect(await prepared('select $1::int + 1 as value')).toBe(1)
  })

  test('is named separately in each pool, so no pool can use up another’s names', async () => {
    const other = connect(database.url, { databasePoolSize: 1, statementTimeoutMs: 400, lockTimeoutMs: 200 }, { warn() {} })
    const askThe = (pool: Kysely<unknown>) => sql`select ${1}::int + 2 as value`.execute(pool)
    const known = sql`select from pg_prepared_statements where statement = 'select $1::int + 2 as value'`
    const there = other.db as unknown as Kysely<unknown>
    await askThe(db)
    await askThe(db)
    await askThe(there)
    expect((await known.execute(there)).rows).toHaveLength(0)
    await askThe(there)
    expect((await known.execute(there)).rows).toHaveLength(1)
    await other.close()
  })

  test('fails once after a migration changes its columns, then recovers', async () => {
    await sql`create table things (id int)`.execute(db)
    const read = () => sql`select * from things where id = ${1}`.execute(db)
    for (let i = 0; i < 3; i++) await read()
    await sql`alter table things add column name text`.execute(db)
    await expect(read()).rejects.toThrow('cached plan must not change result type')
    await sql`insert into things values (1, 'fern')`.execute(db)
    expect((await read()).rows).toEqual([{ id: 1, name: 'fern' }])
    expect((await read()).rows).toEqual([{ id: 1, name: 'fern' }])
  })
})

describe('a connection', () => {
  test('cancels a statement that runs too long, and stays open', async () => {
    await expect(sql`select pg_sleep(5)`.execute(db)).rejects.toMatchObject({ code: '57014' })
    expect(await one(sql`select 1 as value`)).toBe(1)
  })

  test('cancels a statement that waits too long for a lock', async () => {
    const holder = new pg.Client(database.url)
    await holder.connect()
    try {
      await holder.query('begin; lock table users in access exclusive mode')
      await expect(sql`select from users`.execute(db)).rejects.toMatchObject({ code: '55P03' })
    } finally {
      await holder.end()
    }
  })

  test('is replaced when lost while idle', async () => {
    const pid = await one(sql`select pg_backend_pid() as value`)
    const killer = new pg.Client(database.url)
    await killer.connect()
    await killer.query('select pg_terminate_backend($1, 5000)', [pid])
    await killer.end()
    await expect.poll(() => database.pool.totalCount).toBe(0)
    expect(await one(sql`select pg_backend_pid() as value`)).not.toBe(pid)
  })

  test('has the application name', async () => {
    expect(await one(sql`select application_name as value from pg_stat_activity where pid = pg_backend_pid()`)).toBe('sungrove')
  })
})
