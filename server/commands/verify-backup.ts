// npm run backup:verify [-- FILE]
// The rehearsal: makes a backup of the living site, or takes one, restores it into a database and a folder that are thrown away
// afterwards, and compares. Exits 1 when anything differs.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createStorage } from '../adapters/storage/index.ts'
import { withBareDatabase } from '../backup/bare-database.ts'
import type { Manifest } from '../backup/manifest.ts'
import { checkBackup, restoreBackup } from '../backup/restore-backup.ts'
import { secretsOf } from '../backup/secrets.ts'
import { takeBackup } from '../backup/take-backup.ts'
import type { Config } from '../config.ts'
import { startEmbedded } from '../db/embedded.ts'
import { ToldError } from '../error-line.ts'
import type { Logger } from '../log.ts'
import { release } from '../release.ts'
import { comparisonLines, readable, totals } from './backup-words.ts'
import { runCommand } from './run-command.ts'

await runCommand(async ({ config, log, signal }) => {
  const given = readArguments()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-rehearsal-'))
  const clearUp = () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  // Also when it is stopped and cannot wait: everything that people wrote lies there.
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
    console.log(`${manifest.files.count} files are the same.`)
    if (manifest.files.missing > 0) console.log(`${manifest.files.missing} files were not in the storage when it was made.`)
    console.log(`Restored${migrated.length > 0 ? `, brought up to date by ${migrated.length} migrations,` : ''} and compared in ${took()}.`)
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

/** Into an embedded server of its own, whatever the site's database is: nothing of it outlives the rehearsal, or needs to. */
async function rehearse(file: string, manifest: Manifest, folder: string, { log, signal }: { log: Logger; signal: AbortSignal }) {
  const storage = createStorage({ dataDir: folder, s3: undefined })
  const silent = { info() {}, warn() {} }
  const embedded = await startEmbedded({ dataDir: folder, as: 'command', log: silent, settings: { fsync: 'off', full_page_writes: 'off' } })
  try {
    signal.throwIfAborted()
    const restored = await restoreBackup(file, manifest, { databaseUrl: embedded.url, storage, log })
    // Whoever stopped it is not told that the backup is good, however soon that was known.
    signal.throwIfAborted()
    return restored
  } finally {
    await embedded.stop()
  }
}

function readArguments(): string | undefined {
  try {
    const { positionals } = parseArgs({ allowPositionals: true, options: {} })
    if (positionals.length > 1) throw new Error('One backup at a time.')
    return positionals[0] && path.resolve(positionals[0])
  } catch (error) {
    throw new ToldError(`${(error as Error).message}\nUsage: npm run backup:verify [-- FILE]`)
  }
}
