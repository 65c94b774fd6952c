import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import type { Tx } from './connect.ts'
import { inSavepoint, inTransaction, isUniqueViolation, retryOn, sqlState } from './transaction.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await sql`create table counters (id int primary key, value int not null)`.execute(database.db)
  await sql`insert into counters values (1, 0), (2, 0)`.execute(database.db)
})
afterAll(() => database.drop())

const counter = async (id: number) => {
  const { rows } = await sql<{ value: number }>`select value from counters where id = ${id}`.execute(database.db)
  return rows[0]?.value
}

test('retries writes that fail to serialize', async () => {
  let runs = 0
  const { promise: allHaveRead, resolve } = Promise.withResolvers<void>()
  // Each transaction reads a value and writes it plus one. All of them read it before the first one writes, so the others must retry.
  const increment = () =>
    inTransaction(
      database.db,
      async (tx) => {
        const { rows } = await sql<{ value: number }>`select value from counters where id = 1`.execute(tx)
        if (++runs === 3) resolve()
        await allHaveRead
        await sql`update counters set value = ${(rows[0]?.value ?? 0) + 1} where id = 1`.execute(tx)
      },
      { isolation: 'serializable' },
    )
  await Promise.all([increment(), increment(), increment()])
  expect(await counter(1)).toBe(3)
  expect(runs).toBeGreaterThan(3)
})

test('completes both writes after a deadlock', async () => {
  const add = (first: number, second: number) =>
    inTransaction(database.db, async (tx) => {
      await sql`update counters set value = value + 10 where id = ${first}`.execute(tx)
      await sql`select pg_sleep(0.05)`.execute(tx)
      await sql`update counters set value = value + 10 where id = ${second}`.execute(tx)
    })
  await Promise.all([add(1, 2), add(2, 1)])
  expect(await counter(2)).toBe(20)
})

test('gives up after five attempts and throws the error', async () => {
  let runs = 0
  const failing = inTransaction(database.db, async (tx) => {
    runs++
    await sql`do $$ begin raise exception using errcode = '40001'; end $$`.execute(tx)
  })
  await expect(failing).rejects.toMatchObject({ code: '40001' })
  expect(runs).toBe(5)
})

test('throws the original error of a lost connection, not the rollback’s', async () => {
  const failing = inTransaction(database.db, async (tx) => {
    await sql`update counters set value = -1 where id = 2`.execute(tx)
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
  })
  await expect(failing).rejects.toMatchObject({ code: '57P01' })
  expect(await counter(2)).toBe(20)
})

test('retries an insert that conflicts on the given key, and throws any other conflict', async () => {
  const insert = async (key?: string) => {
    let runs = 0
    const write = async (tx: Tx) => {
      runs++
      // In the first run, another write came first.
      const inserting = sql`insert into counters values (${runs === 1 ? 1 : 4}, 0)`.execute(tx)
      await (key ? retryOn(key, inserting) : inserting)
    }
    const error = await inTransaction(database.db, write).catch((thrown: unknown) => thrown)
    return { runs, error }
  }
  expect(await insert()).toMatchObject({ runs: 1, error: { code: '23505', constraint: 'counters_pkey' } })
  expect(await insert('others_pkey')).toMatchObject({ runs: 1, error: { constraint: 'counters_pkey' } })
  expect(await insert('counters_pkey')).toEqual({ runs: 2, error: undefined })
})

test('does not retry other failures and leaves nothing behind', async () => {
  let runs = 0
  const failing = inTransaction(database.db, async (tx) => {
    runs++
    await sql`update counters set value = -1 where id = 2`.execute(tx)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(runs).toBe(1)
  expect(await counter(2)).toBe(20)
})

test('identifies a unique violation by its constraint', async () => {
  const error = await sql`insert into counters values (1, 0)`.execute(database.db).catch((caught: unknown) => caught)
  expect(isUniqueViolation(error)).toBe(true)
  expect(isUniqueViolation(error, 'counters_pkey')).toBe(true)
  expect(isUniqueViolation(error, 'another')).toBe(false)
  expect(sqlState(error)).toBe('23505')
  const other = await sql`insert into counters values (3, null)`.execute(database.db).catch((caught: unknown) => caught)
  expect(isUniqueViolation(other)).toBe(false)
  expect(isUniqueViolation(new Error('23505'))).toBe(false)
})

test('rolls back only the failed savepoint, even when nested', async () => {
  const set = (tx: Tx, id: number, value: number) => sql`update counters set value = ${value} where id = ${id}`.execute(tx)
  const before = await counter(2)
  await inTransaction(database.db, async (tx) => {
    await set(tx, 1, 100)
    await inSavepoint(tx, async () => {
      await set(tx, 1, 101)
      const failing = inSavepoint(tx, async () => {
        await set(tx, 2, 102)
        await sql`select 1 / 0`.execute(tx)
      })
      await expect(failing).rejects.toMatchObject({ code: '22012' })
    })
  })
  expect([await counter(1), await counter(2)]).toEqual([101, before])
})
