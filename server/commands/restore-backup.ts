// npm run backup:restore -- FILE [--other-secrets]
// Puts a backup into an empty database and storage: a new DATA_DIR, or a DATABASE_URL that was just created. The file is read to its
// end before anything is written.
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createStorage } from '../adapters/storage/index.ts'
import { withBareDatabase } from '../backup/bare-database.ts'
import { checkBackup, restoreBackup } from '../backup/restore-backup.ts'
import { requireSameSecrets } from '../backup/secrets.ts'
import { ToldError } from '../error-line.ts'
import { bringSecrets, foundSecrets } from '../secrets.ts'
import { totals } from './backup-words.ts'
import { runCommand } from './run-command.ts'

const usage = 'Usage: npm run backup:restore -- FILE [--other-secrets]'
/** A folder without a secret must stay without one until the backup is known to be right. */
const noSecret = randomBytes(32).toString('hex')

await runCommand(
  async ({ config, log }) => {
    const { file, otherSecrets } = readArguments()
    const startedAt = performance.now()
    const { manifest, secrets } = await checkBackup(file)
    console.log(`${file} is whole: ${totals(manifest)}.`)

    const found = foundSecrets(config.dataDir)
    const sessionSecret = config.sessionSecret === noSecret ? null : config.sessionSecret
    const isBrought = secrets !== null && sessionSecret === null && found.vapid === null
    if (!isBrought && !otherSecrets) requireSameSecrets(manifest, { sessionSecret, vapid: config.vapidKeys ?? found.vapid })
    if (isBrought) bringSecrets(config.dataDir, secrets)

    const storage = createStorage(config)
    const { tables, migrated } = await withBareDatabase(config, log, (databaseUrl) =>
      restoreBackup(file, manifest, { databaseUrl, storage, log }),
    )
    console.log(`Restored, and compared: ${tables.length} tables and ${manifest.files.count} files are what was backed up.`)
    if (!manifest.files.isIncluded) console.log('Pictures, videos and documents were not in it; the storage must hold them.')
    if (migrated.length > 0) console.log(`Brought up to date by ${migrated.length} migrations of this release.`)
    console.log(`Done in ${((performance.now() - startedAt) / 1000).toFixed(1)} s. Start the server.`)
  },
  { secretOf: (dataDir) => foundSecrets(dataDir).sessionSecret ?? noSecret, stopped: 'Stopped. The same command begins again.' },
)

function readArguments() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'other-secrets': { type: 'boolean' } } })
    const [file, ...more] = positionals
    if (!file || more.length > 0) throw new Error('Which backup?')
    return { file: path.resolve(file), otherSecrets: values['other-secrets'] ?? false }
  } catch (error) {
    throw new ToldError(`${(error as Error).message}\n${usage}`)
  }
}
