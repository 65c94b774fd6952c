import { sql } from 'kysely'
import type { Db } from './connect.ts'

export class UnsafeDatabaseError extends Error {
  override name = 'UnsafeDatabaseError'
}

const leastVersion = 15

/** With one of them off, PostgreSQL confirms writes that a crash can lose or tear. */
const safeguards = ['fsync', 'full_page_writes', 'synchronous_commit'] as const

/** Null for what an engine that only speaks PostgreSQL's protocol does not have. */
export type SafetySettings = { version: string } & Record<(typeof safeguards)[number], string | null>

/**
 * Refuses a database that is older than we know how to use, or that may lose what it confirmed.
 *
 * @param options.allowLoss for tests whose data is to be thrown away
 * @throws {UnsafeDatabaseError} that names the setting and says how to mend it
 */
export async function assertSafe(db: Db, options: { allowLoss?: boolean } = {}): Promise<void> {
  // As our own session sees them: a role or a database can have settings of its own.
  const { rows } = await sql<SafetySettings>`
    select current_setting('server_version_num') as version, current_setting('fsync', true) as fsync,
      current_setting('full_page_writes', true) as full_page_writes,
      current_setting('synchronous_commit', true) as synchronous_commit`.execute(db)
  const danger = rows[0] && dangerOf(rows[0], options.allowLoss ?? false)
  if (danger) throw new UnsafeDatabaseError(danger)
}

export function dangerOf(settings: SafetySettings, allowLoss: boolean): string | undefined {
  const major = Math.floor(Number(settings.version) / 10_000)
  if (major < leastVersion) return `The database is PostgreSQL ${major}; ${leastVersion} or newer is needed.`
  const off = safeguards.filter((name) => settings[name] === 'off')
  if (off.length === 0 || allowLoss) return undefined
  return (
    `The database runs with ${off.map((name) => `${name} = off`).join(' and ')}, and so can lose what it has confirmed. ` +
    `As its administrator, run: ${off.map((name) => `ALTER SYSTEM SET ${name} = on;`).join(' ')} SELECT pg_reload_conf(); ` +
    'or, where it is set for the role or the database alone, ALTER ROLE … RESET or ALTER DATABASE … RESET.'
  )
}

/** Stands in a database from before the first row of a backup is written into it until the last one is found to be right. */
export const unfinishedRestore = 'unfinished_restore'

/** @throws {UnsafeDatabaseError} where a restore was begun and did not end */
export async function assertNotHalfRestored(db: Db): Promise<void> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${unfinishedRestore}) is not null as found`.execute(db)
  if (!rows[0]?.found) return
  throw new UnsafeDatabaseError('A backup was being restored into this database, and that did not end. Run npm run backup:restore again.')
}
