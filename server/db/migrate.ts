import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Migration, MigrationResult } from 'kysely/migration'
import pg from 'pg'
import type { Config } from '#server/config.ts'
import type { Logger } from '#server/log.ts'
import type { Db } from './connect.ts'

export const migrationsFolder = path.join(import.meta.dirname, 'migrations')

/** UTC time and a verb phrase, so names sort by age and describe the change: 20261121T0900-create-accounts */
const migrationName = /^\d{8}T\d{4}-[a-z0-9]+(-[a-z0-9]+)*$/

/** How long a migration waits for locks. After that, the queries queued behind it matter more. */
const lockTimeoutMs = 15_000

/**
 * Applies all missing migrations in the folder, each in a transaction, and returns the names of those applied. After a failure, those
 * before it remain. Concurrent callers wait for each other, and each migration is applied once.
 *
 * `only` limits them to the migrations of an older release, so that a backup made by that release can be restored.
 *
 * Uses its own connections, because long-lived ones would have prepared statements for the old columns.
 */
export async function migrate(url: string, folder = migrationsFolder, only?: readonly string[]): Promise<string[]> {
  const wanted = migrationNames(folder).filter((name) => only?.includes(name) ?? true)
  const pool = new pg.Pool({ connectionString: url, max: 2, application_name: 'sungrove migrate' })
  pool.on('error', () => {}) // The next query reports a lost connection.
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const applied = await appliedNames(db)
    // Usually, there is nothing to load and no lock to take. A database ahead of this release isn't changed either: migrations add the
    // new shape first, and remove the old one only after no release needs it, so two releases can run side by side.
    if (wanted.every((name) => applied.has(name))) return []

    const { Migrator } = await import('kysely/migration')
    // Branches aren't always merged in the order in which they were started.
    const migrator = new Migrator({
      db,
      provider: { getMigrations: () => load(folder, wanted, [...applied]) },
      allowUnorderedMigrations: true,
    })
    const done: string[] = []
    for (;;) {
      // A new database gets all migrations in one transaction, which is faster. Otherwise, each migration has its own, so that tables
      // locked by earlier migrations are free again.
      const { error, results = [] } = await (applied.size === 0 ? migrator.migrateToLatest() : migrator.migrateUp())
      if (error) throw failure(results, error)
      done.push(...results.map((result) => result.migrationName))
      if (applied.size === 0 || results.length === 0) return done
    }
  } finally {
    await pool.end()
  }
}

function failure(results: readonly MigrationResult[], cause: unknown): Error {
  const failed = results.find((result) => result.status === 'Error')?.migrationName
  return new Error(failed ? `The migration ${failed} failed and changed nothing.` : 'The database could not be migrated.', { cause })
}

/** Whether something else, such as a backup, used a table for longer than a migration waits. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && ((error as NodeJS.ErrnoException).code === '55P03' || isLockTimeout(error.cause))

export function migrationNames(folder = migrationsFolder): string[] {
  const names = fs.readdirSync(folder).flatMap((file) => (file.endsWith('.ts') ? [file.slice(0, -'.ts'.length)] : []))
  const odd = names.find((name) => !migrationName.test(name))
  if (odd !== undefined) throw new Error(`${path.join(folder, odd)}.ts is misnamed. Name migrations YYYYMMDDTHHMM-verb-phrase.ts, in UTC.`)
  return names.sort()
}

async function appliedNames(db: Kysely<unknown>): Promise<Set<string>> {
  const known = await sql<{ known: boolean }>`select to_regclass('kysely_migration') is not null as known`.execute(db)
  if (!known.rows[0]?.known) return new Set()
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return new Set(rows.map((row) => row.name))
}

/** Loads only wanted migrations. The migrator needs only the names of applied ones, even those of a newer release. */
async function load(folder: string, wanted: string[], applied: string[]): Promise<Record<string, Migration>> {
  const entries = await Promise.all(
    [...new Set([...wanted, ...applied])].map(async (name): Promise<[string, Migration]> => {
      if (applied.includes(name)) return [name, { up: async () => {} }]
      const { up } = (await import(pathToFileURL(path.join(folder, `${name}.ts`)).href)) as Partial<Migration>
      if (!up) throw new Error(`The migration ${name} exports no function "up".`)
      return [name, { up: (tx) => setLimits(tx).then(() => up(tx)) }]
    }),
  )
  return Object.fromEntries(entries)
}

/** Sets them in the transaction, because PgBouncer drops startup parameters. The role's limits are for requests, so they're too short. */
const setLimits = (tx: Kysely<unknown>) =>
  sql`select set_config('lock_timeout', ${`${lockTimeoutMs}`}, true), set_config('statement_timeout', '0', true)`.execute(tx)

type Limits = Pick<Config, 'statementTimeoutMs' | 'lockTimeoutMs'>

/** Warns if a connection's limits aren't in effect, for example because PgBouncer dropped them. */
export async function warnOfMissingLimits(db: Db, { statementTimeoutMs, lockTimeoutMs }: Limits, log: Pick<Logger, 'warn'>): Promise<void> {
  const wanted = { statement_timeout: statementTimeoutMs, lock_timeout: lockTimeoutMs }
  const names = Object.keys(wanted) as (keyof typeof wanted)[]
  const { rows } = await sql<{ name: keyof typeof wanted; ms: number }>`
    select name, setting::int as ms from pg_settings where name = any(${names})`.execute(db)
  for (const { name, ms } of rows) {
    if (ms !== wanted[name]) log.warn({ setting: name, ms, wantedMs: wanted[name] }, 'the database ignores a limit: set it for the role')
  }
}

class UnsafeDatabaseError extends Error {
  override name = 'UnsafeDatabaseError'
}

const minVersion = 15

/** If any of these is off, PostgreSQL confirms writes that a crash can lose or tear. */
const safeguards = ['fsync', 'full_page_writes', 'synchronous_commit'] as const

/** Null for settings that a PostgreSQL-compatible engine doesn't have. */
type SafetySettings = { version: string } & Record<(typeof safeguards)[number], string | null>

/**
 * Refuses a database that is too old, or that may lose confirmed writes.
 *
 * @param options.allowLoss for tests with disposable data
 * @throws {UnsafeDatabaseError} naming the setting and how to fix it
 */
export async function assertSafe(db: Db, options: { allowLoss?: boolean } = {}): Promise<void> {
  // The settings are read as this session sees them, because roles and databases can have their own.
  const { rows } = await sql<SafetySettings>`
    select current_setting('server_version_num') as version, current_setting('fsync', true) as fsync,
      current_setting('full_page_writes', true) as full_page_writes,
      current_setting('synchronous_commit', true) as synchronous_commit`.execute(db)
  const danger = rows[0] && findUnsafeSetting(rows[0], options.allowLoss ?? false)
  if (danger) throw new UnsafeDatabaseError(danger)
}

export function findUnsafeSetting(settings: SafetySettings, allowLoss: boolean): string | undefined {
  const major = Math.floor(Number(settings.version) / 10_000)
  if (major < minVersion) return `The database is PostgreSQL ${major}; version ${minVersion} or newer is required.`
  const off = safeguards.filter((name) => settings[name] === 'off')
  if (off.length === 0 || allowLoss) return undefined
  return (
    `The database runs with ${off.map((name) => `${name} = off`).join(' and ')}, so it can lose confirmed writes. ` +
    `As its administrator, run: ${off.map((name) => `ALTER SYSTEM SET ${name} = on;`).join(' ')} SELECT pg_reload_conf(); ` +
    'or, if it is set only for the role or the database, ALTER ROLE … RESET or ALTER DATABASE … RESET.'
  )
}

/** This marker table exists from before the first row of a backup is restored until the restore has been verified. */
export const unfinishedRestore = 'unfinished_restore'

/** @throws {UnsafeDatabaseError} if a restore was started but not completed */
export async function assertRestoreComplete(db: Db): Promise<void> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${unfinishedRestore}) is not null as found`.execute(db)
  if (!rows[0]?.found) return
  throw new UnsafeDatabaseError('A restore into this database did not finish. Run npm run backup:restore again.')
}
