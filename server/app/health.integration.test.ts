import Fastify from 'fastify'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { connect, type Db } from '#server/db/connect.ts'
import { primaryOnly } from '#server/db/replicas.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { addHealth, type Phase } from './plain-routes.ts'

let database: TestDatabase
let admin: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  admin = new pg.Client(database.url)
  await admin.connect()
})
afterEach(() => void vi.restoreAllMocks())
afterAll(async () => {
  await admin.end()
  await database.drop()
})

function startApp(db: Db, reads = primaryOnly(db)) {
  const app = Fastify()
  const state = { phase: 'serving' as Phase }
  addHealth(app, { db, reads }, () => state.phase)
  const ask = async (url: string) => {
    const answer = await app.inject({ url })
    return { code: answer.statusCode, ...answer.json() }
  }
  return { state, ready: () => ask('/readyz'), alive: () => ask('/healthz') }
}

const realNow = performance.now.bind(performance)

/** Moves the clock that times outages this far ahead of the real one. */
function goOn(ms: number): void {
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + ms)
}

/** Applies to new sessions and ends existing ones, as in a failover. */
async function makeReadOnly(value: 'on' | 'off'): Promise<void> {
  await admin.query('set default_transaction_read_only = off')
  await admin.query(`alter database ${admin.database} set default_transaction_read_only = ${value}`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()')
}

it('is ready once everything has started and the database accepts writes', async () => {
  const { state, ready, alive } = startApp(database.db)
  expect(await ready()).toEqual({ code: 200, status: 'ready', database: 'writable' })
  for (const phase of ['starting', 'draining'] as const) {
    state.phase = phase
    expect(await ready()).toEqual({ code: 503, status: phase })
    expect(await alive()).toEqual({ code: 200, status: 'alive' })
  }
})

it('is ready for up to half a minute on a read-only database', async () => {
  const { ready } = startApp(database.db)
  await makeReadOnly('on')
  try {
    await expect.poll(ready).toEqual({ code: 200, status: 'ready', database: 'read-only' })
    goOn(31_000)
    expect(await ready()).toEqual({ code: 503, status: 'not ready', database: 'read-only' })
  } finally {
    await makeReadOnly('off')
  }
  await expect.poll(ready).toEqual({ code: 200, status: 'ready', database: 'writable' })
})

it('remains ready on a read-only database while a replica serves reads, and for half a minute afterward', async () => {
  const replica = { name: '1', isUsed: true, lagMs: 0 }
  const { ready } = startApp(database.db, { ...primaryOnly(database.db), replicas: () => [replica] })
  await makeReadOnly('on')
  try {
    goOn(31_000)
    await expect.poll(ready).toEqual({ code: 200, status: 'ready', database: 'read-only' })
    replica.isUsed = false
    goOn(60_000)
    expect(await ready()).toEqual({ code: 200, status: 'ready', database: 'read-only' })
    goOn(62_000)
    expect(await ready()).toEqual({ code: 503, status: 'not ready', database: 'read-only' })
  } finally {
    await makeReadOnly('off')
  }
})

it('is ready for up to half a minute without a database', async () => {
  const settings = { databasePoolSize: 1, statementTimeoutMs: 1_000, lockTimeoutMs: 1_000 }
  const nowhere = connect('postgres://no-one@127.0.0.1:1/nowhere', settings, { warn() {} })
  const { ready, alive } = startApp(nowhere.db)
  expect(await ready()).toEqual({ code: 200, status: 'ready', database: 'unreachable' })
  goOn(31_000)
  expect(await ready()).toEqual({ code: 503, status: 'not ready', database: 'unreachable' })
  expect(await alive()).toMatchObject({ code: 200 })
  await nowhere.close()
})

it('responds within four seconds even if the database does not', async () => {
  const { ready } = startApp(database.db)
  const clients = await Promise.all(Array.from({ length: 10 }, () => database.pool.connect()))
  const askedAt = performance.now()
  expect(await ready()).toMatchObject({ code: 200, database: 'unreachable' })
  expect(performance.now() - askedAt).toBeLessThan(4_000)
  for (const client of clients) client.release()
})
