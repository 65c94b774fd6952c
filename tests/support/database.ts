import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { connect, type Database } from '../../server/db/connect.ts'

export type TestDatabase = Database & {
  url: string
  /** Closes the pool and drops the database. */
  drop(): Promise<void>
}

const silent = { warn() {} }

/** A migrated, empty database of its own, for a test file: copied from the template that the global setup made. */
export async function createTestDatabase(settings: Partial<Parameters<typeof connect>[1]> = {}): Promise<TestDatabase> {
  const name = `sungrove_test_${randomBytes(6).toString('hex')}`
  const template = inject('templateDatabase')
  await administer(async (admin) => void (await admin.query(`create database ${name} template ${template}`)))
  const url = new URL(inject('serverUrl'))
  url.pathname = `/${name}`
  const database = connect(url.href, { databasePoolSize: 10, statementTimeoutMs: 10_000, lockTimeoutMs: 5_000, ...settings }, silent)
  return {
    ...database,
    url: url.href,
    async drop() {
      await database.close()
      await administer((admin) => dropDatabase(admin, name))
    },
  }
}

/** By force only where it is needed: autovacuum, which may be at work there, gives way by itself, but our role cannot end it. */
async function dropDatabase(admin: pg.Client, name: string): Promise<void> {
  const inUse = '55006'
  try {
    await admin.query(`drop database if exists ${name}`)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== inUse) throw error
    await admin.query(`drop database if exists ${name} with (force)`)
  }
}

async function administer(work: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client(inject('serverUrl'))
  await admin.connect()
  await work(admin).finally(() => admin.end())
}
