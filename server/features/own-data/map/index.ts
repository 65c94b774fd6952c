import { accountTables } from './accounts.ts'
import { growingTables } from './growing.ts'
import { siteTables } from './site.ts'
import { speechTables } from './speech.ts'
import type { Tables } from './table-map.ts'
import { tradeTables } from './trade.ts'

export type { Part, TableMap } from './table-map.ts'

/**
 * Every table of the database: what it holds about people, what goes into their export, and what happens when they leave. A test compares
 * it with the database, so no table can be forgotten.
 */
export const tables: Tables = { ...accountTables, ...speechTables, ...growingTables, ...tradeTables, ...siteTables }

/** Every folder of the storage and of `DATA_DIR`. */
export const folders: Readonly<Record<string, string>> = {
  'media/media': 'Pictures, videos and documents: deleted with their rows of `media`.',
  'media/uploads': 'Parts of uploads: deleted with their rows of `media_chunks`.',
  'media/exports': 'Exports: deleted with their rows of `data_exports`, after seven days, and with the account.',
  making: 'An export being made: until it is finished, or for a day.',
  backups: 'Backups made by the operator, for as long as docs/operations.md says. Nothing is removed from a backup.',
  outbox: 'Mail if no mail server is set: mail that names a person is deleted with the account.',
}
