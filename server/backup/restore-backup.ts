import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { createJobQueue } from '#server/adapters/jobs/pg-boss.ts'
import { migrate, migrationNames, unfinishedRestore } from '#server/db/migrate.ts'
import { contentTypes } from '#server/features/media/index.ts'
import type { Storage } from '#server/kernel/storage.ts'
import type { Logger } from '#server/log.ts'
import {
  BackupRefused,
  keyOfFilePart,
  type Manifest,
  type ReadPart,
  readBackupFile,
  secretsPart,
  type TableOfBackup,
  tablesOf,
} from './format.ts'
import type { Secrets } from './secrets.ts'
import { checkFiles, setAsideConstraints } from './secrets.ts'
import { withSession } from './session.ts'
import { compareTables, copyInto, ownTables, type TableComparison } from './tables.ts'

export type RestoreTarget = { databaseUrl: string; storage: Storage; log: Logger }

/** Reads a whole backup without writing anything. @throws BackupRefused unless it is complete and this release can restore it */
export async function checkBackup(file: string): Promise<{ manifest: Manifest; secrets: Secrets | null }> {
  let secrets: Secrets | null = null
  const manifest = await readBackupFile(file, async (part) => {
    const parts: Buffer[] = []
    for await (const chunk of part.bytes) if (part.name === secretsPart) parts.push(chunk)
    if (part.name === secretsPart) secrets = JSON.parse(Buffer.concat(parts).toString('utf8')) as Secrets
  })
  const known = new Set(migrationNames())
  const newer = manifest.migrations.filter((name) => !known.has(name))
  if (newer.length > 0) {
    throw new BackupRefused(`A newer release made this backup: this release has no ${newer.join(', ')}. Restore it with that release.`)
  }
  return { manifest, secrets }
}

/**
 * Restores a checked backup into an empty database and storage, compares every table with the manifest, and then migrates the database.
 * Until it has finished, no server starts on the database, and the command can be run again.
 * @throws BackupRefused if the database isn't empty, or doesn't match the backup afterward
 */
export async function restoreBackup(
  file: string,
  manifest: Manifest,
  { databaseUrl, storage, log }: RestoreTarget,
): Promise<{ tables: TableComparison[]; migrated: string[] }> {
  const tables = await withSession(databaseUrl, async (client) => {
    await prepareEmptyDatabase(client)
    await migrate(databaseUrl, undefined, manifest.migrations)
    await prepareQueues(databaseUrl, manifest, log)
    const byName = new Map(tablesOf(manifest).map((table) => [table.name, table]))
    let restoreConstraints: (() => Promise<void>) | undefined = await beginLoad(client)
    const endLoad = async () => {
      await restoreConstraints?.()
      if (restoreConstraints) await client.query('commit')
      restoreConstraints = undefined
    }
    await readBackupFile(file, async (part) => {
      const table = byName.get(part.name)
      const key = keyOfFilePart(part.name)
      if (table) await loadTable(client, table, part)
      else if (key) {
        await endLoad()
        await storeFile(storage, key, part)
      } else for await (const _secret of part.bytes);
    })
    await endLoad()
    const compared = await compareTables(client, manifest)
    const wrong = compared.find((table) => !table.isSame)
    if (wrong) throw new BackupRefused(`${wrong.name} differs from the backup: ${wrong.rows} rows, ${wrong.expectedRows} expected.`)
    await checkFiles(file, storage)
    await client.query('analyze')
    return compared
  })
  const migrated = await migrate(databaseUrl)
  await withSession(databaseUrl, (client) => client.query(`drop table ${unfinishedRestore}`))
  return { tables, migrated }
}

/** Accepts an empty database, or one from an unfinished restore, which contains nothing else. */
async function prepareEmptyDatabase(client: pg.Client): Promise<void> {
  const names = (await ownTables(client)).map((table) => table.name)
  const queue = await client.query<{ found: boolean }>(`select to_regnamespace('pgboss') is not null as found`)
  const isEmpty = names.length === 0 && queue.rows[0]?.found === false
  if (!isEmpty && !names.includes(unfinishedRestore)) {
    throw new BackupRefused(
      'This database is not empty, and a restore never overwrites data. Restore into a new one: ' +
        'a different DATA_DIR, or a newly created database.',
    )
  }
  await client.query('begin')
  await client.query(`create table if not exists ${unfinishedRestore} (begun_at timestamptz not null default now())`)
  await client.query('drop schema if exists pgboss cascade')
  const others = [...names.filter((name) => name !== unfinishedRestore), 'kysely_migration', 'kysely_migration_lock']
  await client.query(`drop table if exists ${others.map((name) => `"${name}"`).join(', ')} cascade`)
  await client.query('commit')
}

/** pg-boss creates its own tables, which differ between its releases. */
async function prepareQueues(databaseUrl: string, { jobs }: Manifest, log: Logger): Promise<void> {
  if (!jobs) return
  const queue = createJobQueue({ connectionString: databaseUrl, log })
  try {
    await queue.prepare(jobs.queues)
  } finally {
    await queue.stop()
  }
}

/** Starts the transaction that loads all rows or none. Deletes rows that migrations inserted, because the backup contains them too. */
async function beginLoad(client: pg.Client): Promise<() => Promise<void>> {
  const names = (await ownTables(client)).map((table) => table.name).filter((name) => name !== unfinishedRestore)
  await client.query('begin')
  // Speeds up rebuilding the indexes. Any role may set this.
  await client.query(`set local maintenance_work_mem = '128MB'`)
  const putBack = await setAsideConstraints(client, names)
  await client.query(`truncate ${names.map((name) => `"${name}"`).join(', ')}`)
  return putBack
}

async function loadTable(client: pg.Client, table: TableOfBackup, part: ReadPart): Promise<void> {
  await pipeline(Readable.from(part.bytes, { objectMode: false }), client.query(copyFrom(copyInto(table))))
}

/** Buffers the file, which is at most as large as an upload, and stores it completely or not at all. */
async function storeFile(storage: Storage, key: string, part: ReadPart): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of part.bytes) chunks.push(chunk)
  const type = contentTypes[key.split('/').at(-1) ?? ''] ?? 'application/octet-stream'
  await storage.put(key, Buffer.concat(chunks), type)
}
