import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '#server/db/migrate.ts'
import { administer, dropDatabase } from './administer.ts'
import { startTemporaryServer } from './embedded-server.ts'
import { prepareCluster, preparedDataDir } from './prepared-cluster.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of a database, with the application's role, which may create databases. */
    serverUrl: string
    /** Name of a migrated database to copy. */
    templateDatabase: string
    /** Data folder of a stopped, migrated cluster to copy: see prepared-cluster.ts. */
    preparedCluster: string
  }
}

/** Provides the integration tests' PostgreSQL: TEST_DATABASE_URL, or an embedded one for the duration of the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await prepareCluster(forSpeed)
  const compiled = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-compiled-'))
  // Without cached code, compiling takes about a third of a server process's startup time.
  process.env.NODE_COMPILE_CACHE = compiled
  const server = await startTestServer(cluster.dataDir)
  const stop = async () => {
    await server.stop()
    cluster.remove()
    fs.rmSync(compiled, { recursive: true, force: true })
  }
  const template = `sungrove_template_${randomBytes(6).toString('hex')}`
  try {
    await administer(server.url, (admin) => admin.query(`create database ${template} template ${server.copied} encoding 'UTF8'`))
    // Changes nothing in a copy of the prepared cluster's database, which is already migrated.
    await migrate(withDatabase(server.url, template))
  } catch (error) {
    await stop()
    throw error
  }
  project.provide('serverUrl', server.url)
  project.provide('templateDatabase', template)
  project.provide('preparedCluster', cluster.dataDir)
  return async () => {
    await administer(server.url, (admin) => dropDatabase(admin, template))
    await stop()
  }
}

/** Nothing outlives the run, so nothing needs to reach the disk. Tests of durability start their own servers. */
const forSpeed = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }

async function startTestServer(prepared: string) {
  const url = process.env.TEST_DATABASE_URL
  if (url) return { url, copied: 'template0', stop: async () => {} }
  const server = await startTemporaryServer({ settings: forSpeed, dataDir: preparedDataDir(prepared) })
  // Tests use the application's role, which isn't a superuser.
  await server.administer('alter role sungrove createdb')
  return { url: server.url, copied: new URL(server.url).pathname.slice(1), stop: server.remove }
}

function withDatabase(url: string, name: string): string {
  const parsed = new URL(url)
  parsed.pathname = `/${name}`
  return parsed.href
}
