import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { inject } from 'vitest'
import { migrate } from '#server/db/migrate.ts'
import { startTemporaryServer, temporaryDataDir } from './embedded-server.ts'

/** Creates a stopped cluster with the application's role and migrated database. Copying it is much faster than creating one. */
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

/** Copies the data folder of a stopped server that has migrated its database. */
export function preparedDataDir(source = inject('preparedCluster')): string {
  const dataDir = temporaryDataDir()
  // Preserves file owners, which Node's copying doesn't.
  execFileSync('cp', ['-a', ...['pg', 'password'].map((name) => path.join(source, name)), dataDir])
  return dataDir
}
