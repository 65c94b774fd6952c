// npm run backup:restore -- FILE [--other-secrets]
// Restores a backup into an empty database and storage: a new DATA_DIR, or a newly created DATABASE_URL. Reads the whole file before
// writing anything.
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createStorage } from '#server/adapters/storage/index.ts'
import { checkBackup, restoreBackup } from '#server/backup/restore-backup.ts'
import { requireSameSecrets } from '#server/backup/secrets.ts'
import { withBareDatabase } from '#server/backup/session.ts'
import { UserFacingError } from '#server/error-line.ts'
import { importSecrets, readStoredSecrets } from '#server/secrets.ts'
import { many, totals } from './backup-words.ts'
import { runCommand } from './run-command.ts'

const usage = 'Usage: npm run backup:restore -- FILE [--other-secrets]'
/** A placeholder, so no secret is created in the data folder before the backup has been verified. */
const noSecret = randomBytes(32).toString('hex')

await runCommand(
  async ({ config, log }) => {
    const { file, otherSecrets } = readArguments()
    const startedAt = performance.now()
    const { manifest, secrets } = await checkBackup(file)
    console.log(`${file} is intact: ${totals(manifest)}.`)

    const stored = readStoredSecrets(config.dataDir)
    const ownSecret = config.sessionSecret === noSecret ? null : config.sessionSecret
    const sessionSecret = ownSecret ?? secrets?.sessionSecret ?? null
    const ownKeys = config.vapidKeys ?? stored.vapid
    if (!otherSecrets) requireSameSecrets(manifest, { sessionSecret, vapid: ownKeys ?? secrets?.vapid ?? null })
    if (secrets !== null) {
      importSecrets(config.dataDir, {
        sessionSecret: ownSecret === null ? secrets.sessionSecret : null,
        vapid: ownKeys === null ? secrets.vapid : null,
      })
    }

    const storage = createStorage(config)
    const { tables, migrated } = await withBareDatabase(config, log, (databaseUrl) =>
      restoreBackup(file, manifest, { databaseUrl, storage, log }),
    )
    console.log(
      `Restored and compared: ${many(tables.length, 'table')} and ${many(manifest.files.count, 'file')}, identical to the backup.`,
    )
    if (!manifest.files.isIncluded) console.log("Pictures, videos and documents weren't in it; the storage must contain them.")
    if (migrated.length > 0) console.log(`Brought up to date by ${many(migrated.length, 'migration')} of this release.`)
    console.log(`Done in ${((performance.now() - startedAt) / 1000).toFixed(1)} s. Start the server.`)
  },
  { secretOf: (dataDir) => readStoredSecrets(dataDir).sessionSecret ?? noSecret, stopped: 'Stopped. Run the same command to start over.' },
)

function readArguments() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'other-secrets': { type: 'boolean' } } })
    const [file, ...more] = positionals
    if (!file || more.length > 0) throw new Error('Which backup?')
    return { file: path.resolve(file), otherSecrets: values['other-secrets'] ?? false }
  } catch (error) {
    throw new UserFacingError(`${(error as Error).message}\n${usage}`)
  }
}
