import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import pg from 'pg'

export const migrationsFolder = path.join(import.meta.dirname, 'migrations')

/** UTC time and a verb phrase, so that names sort by age and say what they do: 20261121T0900-create-accounts */
const migrationName = /^\d{8}T\d{4}-[a-z0-9]+(-[a-z0-9]+)*$/

/** A migration waits this long for the tables that it changes; then the queries queued up behind it matter more. */
const lockTimeoutMs = 15_000

/**
 * Brings the database to the state of the migrations in the folder, all of them or none; answers the names of those it
 * applied. Several processes may call this at once: the first applies, the others wait and find nothing to do.
 *
 * With `only`, to the state of an older release, which had these: what a backup of it is restored into.
 *
 * The connections are its own: a long-lived one would hold prepared statements made for the old columns.
 */
export async function migrate(url: string, folder = migrationsFolder, only?: readonly string[]): Promise<string[]> {
  const wanted = migrationNames(folder).filter((name) => only?.includes(name) ?? true)
  const pool = new pg.Pool({ connectionString: url, max: 2, application_name: 'sungrove migrate', lock_timeout: lockTimeoutMs })
  pool.on('error', () => {}) // A connection lost while idle shows at the next query.
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const applied = await appliedNames(db)
    // The usual case: nothing to load and no lock to take. A database that is ahead of us is left alone too: migrations
    // first add and only later, when nobody needs the old shape, take away, so that two releases can run side by side.
    if (wanted.every((name) => applied.has(name))) return []

    const { Migrator } = await import('kysely/migration')
    // Two branches may land in another order than they were begun in.
    const migrator = new Migrator({
      db,
      provider: { getMigrations: () => load(folder, wanted, [...applied]) },
      allowUnorderedMigrations: true,
    })
    const { error, results = [] } = await migrator.migrateToLatest()
    if (error) {
      const failed = results.find((result) => result.status === 'Error')?.migrationName
      throw new Error(
        failed ? `The migration ${failed} failed; the database is as it was before.` : 'The database could not be migrated.',
        { cause: error },
      )
    }
    return results.map((result) => result.migrationName)
  } finally {
    await pool.end()
  }
}

/** The migrations that this release has, in their order. */
export function migrationNames(folder = migrationsFolder): string[] {
  const names = fs.readdirSync(folder).flatMap((file) => (file.endsWith('.ts') ? [file.slice(0, -'.ts'.length)] : []))
  const odd = names.find((name) => !migrationName.test(name))
  if (odd !== undefined)
    throw new Error(`${path.join(folder, odd)}.ts is not named as a migration is: YYYYMMDDTHHMM-verb-phrase.ts, in UTC.`)
  return names.sort()
}

async function appliedNames(db: Kysely<unknown>): Promise<Set<string>> {
  const known = await sql<{ known: boolean }>`select to_regclass('kysely_migration') is not null as known`.execute(db)
  if (!known.rows[0]?.known) return new Set()
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return new Set(rows.map((row) => row.name))
}

/** Of those already applied the migrator wants the names alone, also of those that only a newer release has; they are not loaded. */
async function load(folder: string, wanted: string[], applied: string[]): Promise<Record<string, Migration>> {
  const entries = await Promise.all(
    [...new Set([...wanted, ...applied])].map(async (name): Promise<[string, Migration]> => {
      if (applied.includes(name)) return [name, { up: async () => {} }]
      const { up } = (await import(pathToFileURL(path.join(folder, `${name}.ts`)).href)) as Partial<Migration>
      if (!up) throw new Error(`The migration ${name} exports no function "up".`)
      return [name, { up }]
    }),
  )
  return Object.fromEntries(entries)
}
