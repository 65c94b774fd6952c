import { sql } from 'kysely'
import type { Db } from './connect.ts'

export class UnsafeDatabaseError extends Error {
  override name = 'UnsafeDatabaseError'
}

const minVersion = 15

/** If any of these is off, PostgreSQL confirms writes that a crash can lose or tear. */
const safeguards = ['fsync', 'full_page_writes', 'synchronous_commit'] as const

/** Null for settings that an engine merely compatible with PostgreSQL lacks. */
export type SafetySettings = { version: string } & Record<(typeof safeguards)[number], string | null>

/**
 * Refuses a database that is too old, or that may lose confirmed writes.
 *
 * @param options.allowLoss for tests with disposable data
 * @throws {UnsafeDatabaseError} naming the setting and how to fix it
 */
export async function assertSafe(db: Db, options: { allowLoss?: boolean } = {}): Promise<void> {
  // As our session sees them, because roles and databases can have their own settings.
  const { rows } = await sql<SafetySettings>`
    select current_setting('server_version_num') as version, current_setting('fsync', true) as fsync,
      current_setting('full_page_writes', true) as full_page_writes,
      current_setting('synchronous_commit', true) as synchronous_commit`.execute(db)
  const danger = rows[0] && dangerOf(rows[0], options.allowLoss ?? false)
  if (danger) throw new UnsafeDatabaseError(danger)
}

export function dangerOf(settings: SafetySettings, allowLoss: boolean): string | undefined {
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

/** A marker table that exists from before the first row of a backup is restored until the restore has been verified. */
export const unfinishedRestore = 'unfinished_restore'

/** @throws {UnsafeDatabaseError} if a restore was started but not completed */
export async function assertNotHalfRestored(db: Db): Promise<void> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${unfinishedRestore}) is not null as found`.execute(db)
  if (!rows[0]?.found) return
  throw new UnsafeDatabaseError('A restore into this database did not finish. Run npm run backup:restore again.')
}
