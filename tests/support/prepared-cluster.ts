import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { inject } from 'vitest'
import { migrate } from '../../server/db/migrate.ts'
import { startTemporaryServer, temporaryDataDir } from './embedded-server.ts'

/** Makes a cluster with the application's role and its migrated database, stopped: to be copied, which takes a tenth of making one. */
export async function prepareCluster(settings: Record<string, string>): Promise<{ dataDir: string; remove(): void }> {
  const server = await startTemporaryServer({ settings })
  const remove = () => fs.rmSync(server.dataDir, { recursive: true, force: true })
  try {
    await migrate(server.url)
    await server.stop()
    return { dataDir: server.dataDir, remove }
  } catch (error) {
    await server.remove()
    throw error
  }
}

/** A data folder of its own, as a server leaves it that was started once, has migrated its database and was stopped. */
export function preparedDataDir(source = inject('preparedCluster')): string {
  const dataDir = temporaryDataDir()
  // With whom the files belong to, which Node's own copying leaves out.
  execFileSync('cp', ['-a', ...['pg', 'password'].map((name) => path.join(source, name)), dataDir])
  return dataDir
}
