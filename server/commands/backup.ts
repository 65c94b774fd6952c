// npm run backup [-- FOLDER or FILE.backup] [--with-secrets] [--without-files]
// Writes the whole site into one file while the server runs. By default, writes to DATA_DIR/backups.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { makeBrand } from '#contracts/brand.ts'
import { createStorage } from '#server/adapters/storage/index.ts'
import { secretsOf } from '#server/backup/secrets.ts'
import { withBareDatabase } from '#server/backup/session.ts'
import { backupName, takeBackup } from '#server/backup/take-backup.ts'
import { UserFacingError } from '#server/error-line.ts'
import { release } from '#server/release.ts'
import { many, readable, totals } from './backup-words.ts'
import { runCommand } from './run-command.ts'

const usage = 'Usage: npm run backup [-- FOLDER or FILE.backup] [--with-secrets] [--without-files]'

await runCommand(
  async ({ config, log, signal }) => {
    const { values, positionals } = readArguments()
    const startedAt = performance.now()
    const now = new Date()
    const { slug } = makeBrand({ name: config.brandName, supportEmail: config.supportEmail, year: now.getUTCFullYear() })
    const [named = path.join(config.dataDir, 'backups')] = positionals
    const file = path.resolve(named.endsWith('.backup') ? named : path.join(named, backupName(slug, now)))
    const { manifest, bytes } = await withBareDatabase(config, log, (databaseUrl) =>
      takeBackup(
        file,
        { databaseUrl, storage: createStorage(config), secrets: secretsOf(config), release },
        { withFiles: !values['without-files'], withSecrets: values['with-secrets'] ?? false, signal },
      ),
    )
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(`${file}\n${totals(manifest)}; ${readable(bytes)} in ${seconds} s.`)
    if (manifest.files.removedMeanwhile > 0)
      console.log(`Removed while the backup was being made: ${many(manifest.files.removedMeanwhile, 'file')}.`)
    if (manifest.files.missing > 0)
      console.error(
        `Missing from the storage, and therefore from the backup: ${many(manifest.files.missing, 'file')} that the database refers to.`,
      )
    if (!manifest.secrets.isIncluded)
      console.log("The backup doesn't contain the secrets. Keep SESSION_SECRET, or secrets.json and vapid.json, somewhere else.")
  },
  { stopped: 'Stopped. Nothing was written.' },
)

function readArguments() {
  try {
    const parsed = parseArgs({
      allowPositionals: true,
      options: { 'with-secrets': { type: 'boolean' }, 'without-files': { type: 'boolean' } },
    })
    if (parsed.positionals.length > 1) throw new Error('Specify only one folder or file.')
    return parsed
  } catch (error) {
    throw new UserFacingError(`${(error as Error).message}\n${usage}`)
  }
}
