import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { type Embedded, startEmbedded } from '#server/db/embedded.ts'

export type EmbeddedServer = Embedded & {
  dataDir: string
  administer(statements: string): Promise<void>
  remove(): Promise<void>
}

/** A folder that PostgreSQL's account can enter when root runs the tests. Its name contains a space, as real paths may. */
export function temporaryDataDir(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove test-'))
}

/** Starts a separate cluster, new or in a prepared folder, with these PostgreSQL settings. */
export async function startTemporaryServer(options: { settings?: Record<string, string>; dataDir?: string } = {}): Promise<EmbeddedServer> {
  const { settings = {}, dataDir = temporaryDataDir() } = options
  const embedded = await startEmbedded({ dataDir, as: 'command', log: { info() {}, warn: console.warn }, settings })
  return {
    ...embedded,
    dataDir,
    async administer(statements) {
      const client = new pg.Client(embedded.adminUrl)
      await client.connect()
      await client.query(statements).finally(() => client.end())
    },
    async remove() {
      await embedded.stop()
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
