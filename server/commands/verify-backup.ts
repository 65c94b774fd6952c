// npm run backup:verify [-- FILE]
// A restore drill: makes a backup of the live site, or uses an existing one, restores it into a temporary database and folder,
// and compares. Exits 1 if anything differs.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createStorage } from '#server/adapters/storage/index.ts'
import type { Manifest } from '#server/backup/format.ts'
import { checkBackup, restoreBackup } from '#server/backup/restore-backup.ts'
import { secretsOf } from '#server/backup/secrets.ts'
import { withBareDatabase } from '#server/backup/session.ts'
import { takeBackup } from '#server/backup/take-backup.ts'
import type { Config } from '#server/config.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { UserFacingError } from '#server/error-line.ts'
import type { Logger } from '#server/log.ts'
import { release } from '#server/release.ts'
import { comparisonLines, many, readable, totals } from './backup-words.ts'
import { runCommand } from './run-command.ts'

await runCommand(async ({ config, log, signal }) => {
  const given = readArguments()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-rehearsal-'))
  const clearUp = () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  // Cleans up even if the process exits before `finally` runs, because the folder contains personal data.
  process.once('exit', clearUp)
  try {
    let from = performance.now()
    const took = () => {
      const seconds = (performance.now() - from) / 1000
      from = performance.now()
      return `${seconds.toFixed(1)} s`
    }
    const file = given ?? (await backUp(config, log, path.join(folder, 'rehearsal.backup'), signal))
    if (!given) console.log(`Backed up in ${took()}: ${readable(fs.statSync(file).size)}.`)
    const { manifest } = await checkBackup(file)
    console.log(`Read and checked in ${took()}: ${totals(manifest)}.`)
    const { tables, migrated } = await rehearse(file, manifest, folder, { log, signal })
    for (const line of comparisonLines(tables)) console.log(line)
    console.log(`${many(manifest.files.count, 'file')} compared, all the same.`)
    if (manifest.files.missing > 0) console.log(`Missing from the storage when it was made: ${many(manifest.files.missing, 'file')}.`)
    console.log(
      `Restored${migrated.length > 0 ? `, brought up to date by ${many(migrated.length, 'migration')},` : ''} and compared in ${took()}.`,
    )
    console.log('The backup is good.')
  } finally {
    clearUp()
  }
})

async function backUp(config: Config, log: Logger, file: string, signal: AbortSignal): Promise<string> {
  const source = { storage: createStorage(config), secrets: secretsOf(config), release }
  await withBareDatabase(config, log, (databaseUrl) => takeBackup(file, { ...source, databaseUrl }, { signal }))
  return file
}

/** Uses a separate embedded server, even if the site has another database. Everything is deleted afterward. */
async function rehearse(file: string, manifest: Manifest, folder: string, { log, signal }: { log: Logger; signal: AbortSignal }) {
  const storage = createStorage({ dataDir: folder, s3: undefined })
  const silent = { info() {}, warn() {} }
  const embedded = await startEmbedded({ dataDir: folder, as: 'command', log: silent, settings: { fsync: 'off', full_page_writes: 'off' } })
  try {
    signal.throwIfAborted()
    const restored = await restoreBackup(file, manifest, { databaseUrl: embedded.url, storage, log })
    // If the drill was interrupted, it must not report success, even if the result is already known.
    signal.throwIfAborted()
    return restored
  } finally {
    await embedded.stop()
  }
}

function readArguments(): string | undefined {
  try {
    const { positionals } = parseArgs({ allowPositionals: true, options: {} })
    if (positionals.length > 1) throw new Error('Specify only one backup.')
    return positionals[0] && path.resolve(positionals[0])
  } catch (error) {
    throw new UserFacingError(`${(error as Error).message}\nUsage: npm run backup:verify [-- FILE]`)
  }
}
