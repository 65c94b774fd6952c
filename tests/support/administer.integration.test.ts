import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { administer, dropDatabase } from './administer.ts'
import { startTemporaryServer } from './embedded-server.ts'

let server: Awaited<ReturnType<typeof startTemporaryServer>>

beforeAll(async () => {
  // Makes autovacuum start within seconds and take minutes for a small table.
  server = await startTemporaryServer({
    settings: { autovacuum_naptime: '1s', autovacuum_vacuum_cost_delay: '100ms', autovacuum_vacuum_cost_limit: '1', fsync: 'off' },
  })
  await server.administer('alter role sungrove createdb')
})
afterAll(() => server.remove())

it('drops a database during autovacuum and with a connected client', async () => {
  await administer(server.url, (admin) => admin.query('create database busy'))
  const url = new URL(server.url)
  url.pathname = '/busy'
  const client = new pg.Client(url.href)
  client.on('error', () => {})
  await client.connect()
  await client.query('create table words as select n, repeat(n::text, 20) as word from generate_series(1, 30000) n')
  await client.query('update words set n = n + 1')
  await untilVacuumed(client)
  await administer(server.url, async (admin) => {
    await dropDatabase(admin, 'busy')
    const { rowCount } = await admin.query("select from pg_database where datname = 'busy'")
    expect(rowCount).toBe(0)
  })
})

/** Any role can see the lock, but not that the session behind it is autovacuum's. */
async function untilVacuumed(client: pg.Client): Promise<void> {
  const others = "select from pg_locks where relation = 'words'::regclass and mode = 'ShareUpdateExclusiveLock' and pid <> pg_backend_pid()"
  while ((await client.query(others)).rowCount === 0) await sleep(100)
}
