import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../server/db/migrate.ts'
import { startTemporaryServer } from './embedded-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A database of the role that the application signs in as, which may create others. */
    serverUrl: string
    /** The name of a migrated database, to be copied. */
    templateDatabase: string
  }
}

/** Provides the integration tests' PostgreSQL: TEST_DATABASE_URL, or an embedded one that lives as long as the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = process.env.TEST_DATABASE_URL ? { url: process.env.TEST_DATABASE_URL, stop: async () => {} } : await startTestServer()
  const template = `sungrove_template_${randomBytes(6).toString('hex')}`
  try {
    await administer(server.url, `create database ${template} template template0 encoding 'UTF8'`)
    await migrate(withDatabase(server.url, template))
  } catch (error) {
    await server.stop()
    throw error
  }
  project.provide('serverUrl', server.url)
  project.provide('templateDatabase', template)
  return async () => {
    await administer(server.url, `drop database if exists ${template}`)
    await server.stop()
  }
}

/** Nothing here outlives the run, so nothing needs to reach the disk; the tests of durability start servers of their own. */
const forSpeed = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }

async function startTestServer() {
  const server = await startTemporaryServer({ settings: forSpeed })
  // The tests run as the application does: not as a superuser.
  await server.administer('alter role sungrove createdb')
  return { url: server.url, stop: server.remove }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

function withDatabase(url: string, name: string): string {
  const parsed = new URL(url)
  parsed.pathname = `/${name}`
  return parsed.href
}
