import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#server/db/connect.ts'
import { assertSafe } from '#server/db/migrate.ts'
import { type EmbeddedServer, startTemporaryServer } from '#tests/support/embedded-server.ts'
import { preparedDataDir } from '#tests/support/prepared-cluster.ts'

let server: EmbeddedServer
beforeAll(async () => {
  server = await startTemporaryServer({ dataDir: preparedDataDir() })
})
afterAll(() => server.remove())

/** Checks on new connections, as a starting process does. */
async function check(options?: Parameters<typeof assertSafe>[1]): Promise<void> {
  const { db, close } = connect(server.url, { databasePoolSize: 1, statementTimeoutMs: 10_000, lockTimeoutMs: 1000 }, { warn() {} })
  await assertSafe(db, options).finally(close)
}

test('accepts the embedded database’s settings', () => check())

test.each(['fsync', 'full_page_writes', 'synchronous_commit'])('rejects a database with %s off until it is fixed', async (name) => {
  await server.administer(`alter system set ${name} = off`)
  await server.administer('select pg_reload_conf()')
  await expect.poll(() => check().catch((error: Error) => error.message)).toMatch(`The database runs with ${name} = off,`)
  await check({ allowLoss: true })

  const refusal = await check().then(
    () => '',
    (error: Error) => error.message,
  )
  for (const statement of /run: (.*?; SELECT pg_reload_conf\(\);)/.exec(refusal)?.[1]?.split(';') ?? []) await server.administer(statement)
  await expect
    .poll(() =>
      check().then(
        () => 'safe',
        (error: Error) => error.message,
      ),
    )
    .toBe('safe')
})

test('rejects an unsafe setting of the database role', async () => {
  await server.administer('alter role sungrove set synchronous_commit = off')
  await expect(check()).rejects.toThrow('synchronous_commit = off')
  await server.administer('alter role sungrove reset synchronous_commit')
  await check()
})
