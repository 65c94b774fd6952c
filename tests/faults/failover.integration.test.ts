import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect, type Database } from '#server/db/connect.ts'
import { newId } from '#server/kernel/ids.ts'
import { type EmbeddedServer, startTemporaryServer } from '#tests/support/embedded-server.ts'
import { preparedDataDir } from '#tests/support/prepared-cluster.ts'
import { type Relay, startRelay } from '#tests/support/relay.ts'

const settings = { databasePoolSize: 4, statementTimeoutMs: 5_000, lockTimeoutMs: 5_000 }

let primary: EmbeddedServer
/** A former primary after a failover. */
let standby: EmbeddedServer
/** A primary made read-only by its operator, or by a provider because the disk is full. */
let protectedPrimary: EmbeddedServer
beforeAll(async () => {
  const ofStandby = preparedDataDir()
  fs.writeFileSync(path.join(ofStandby, 'pg', 'standby.signal'), '')
  ;[primary, standby, protectedPrimary] = await Promise.all([
    startTemporaryServer({ dataDir: preparedDataDir() }),
    // A standby must allow at least as many connections as its primary, which was the test's cluster.
    startTemporaryServer({ dataDir: ofStandby, settings: { max_connections: '200' } }),
    startTemporaryServer({ dataDir: preparedDataDir() }),
  ])
  await protectedPrimary.administer('alter system set default_transaction_read_only = on')
  await protectedPrimary.administer('select pg_reload_conf()')
})
afterAll(() => Promise.all([primary, standby, protectedPrimary].map((server) => server?.remove())))

/** Stands in for the DNS name of the primary. */
let name: Relay
let database: Database
beforeEach(async () => {
  name = await startRelay(primary.url)
  database = connect(name.urlFor(primary.url), settings, { warn() {} })
})
afterEach(async () => {
  await database.close()
  await name.close()
})

const write = () =>
  database.db
    .insertInto('live_signals')
    .values({ id: newId(), signal: '{}' })
    .execute()
    .then(
      () => 'written',
      (error) => error.code as string,
    )

/** Keeps all connections busy, so a connection closes only if the pool closes it. */
function keepBusy() {
  let isOver = false
  const reads: string[] = []
  const read = async () => {
    const client = await database.pool.connect()
    await client.query('select 1').then(
      () => reads.push('read'),
      (error) => reads.push(error.message),
    )
    client.release()
  }
  const running = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!isOver) {
        await read()
        await sleep(5)
      }
    }),
  )
  return {
    reads,
    async stop() {
      isOver = true
      await running
    },
  }
}

describe.each([
  ['a standby', () => standby],
  ['a read-only primary', () => protectedPrimary],
])('a pool whose host name temporarily points to %s', (_name, server) => {
  test('keeps reading, and can write within two seconds once the name points to the primary again', async () => {
    name.leadTo(server().url)
    const busy = keepBusy()
    for (let tries = 0; tries < 10; tries++) {
      expect(await write()).toBe('25006')
      await sleep(50)
    }
    name.leadTo(primary.url)
    const rightAt = performance.now()
    const refused: string[] = []
    for (let answer = await write(); answer !== 'written'; answer = await write()) {
      refused.push(answer)
      await sleep(20)
    }
    const tookMs = performance.now() - rightAt
    await sleep(2_000 - tookMs)
    await busy.stop()
    expect(tookMs).toBeLessThan(2_000)
    expect(new Set([...refused, '25006'])).toEqual(new Set(['25006']))
    expect(new Set(busy.reads)).toEqual(new Set(['read']))
    // No pooled connection goes to the read-only server anymore.
    expect(await Promise.all(Array.from({ length: 40 }, write))).toEqual(Array(40).fill('written'))
  })

  test('recovers without an attempted write', async () => {
    name.leadTo(server().url)
    const busy = keepBusy()
    await sleep(200)
    name.leadTo(primary.url)
    await sleep(2_000)
    await busy.stop()
    expect(await Promise.all(Array.from({ length: 40 }, write))).toEqual(Array(40).fill('written'))
  })
})
