import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { connect, type Database } from '#server/db/connect.ts'
import { administer, dropDatabase } from './administer.ts'

export type TestDatabase = Database & {
  url: string
  /** Closes the pool and drops the database. */
  drop(): Promise<void>
}

const silent = { warn() {} }

/** A migrated, empty database for one test file, copied from the template of the global setup. */
export async function createTestDatabase(settings: Partial<Parameters<typeof connect>[1]> = {}): Promise<TestDatabase> {
  const name = `sungrove_test_${randomBytes(6).toString('hex')}`
  const template = inject('templateDatabase')
  const server = inject('serverUrl')
  await administer(server, (admin) => admin.query(`create database ${name} template ${template} strategy file_copy`))
  const url = new URL(server)
  url.pathname = `/${name}`
  const database = connect(url.href, { databasePoolSize: 10, statementTimeoutMs: 10_000, lockTimeoutMs: 5_000, ...settings }, silent)
  return {
    ...database,
    url: url.href,
    async drop() {
      await database.close()
      await administer(server, (admin) => dropDatabase(admin, name))
    },
  }
}
