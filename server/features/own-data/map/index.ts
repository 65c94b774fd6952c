import { accountTables } from './accounts.ts'
import { growingTables } from './growing.ts'
import { siteTables } from './site.ts'
import { speechTables } from './speech.ts'
import type { Tables } from './table-map.ts'
import { tradeTables } from './trade.ts'

export type { Part, TableMap } from './table-map.ts'

/**
 * Every table of the database: what of it is about a person, what of that a person takes along, and what becomes of it when they leave. A
 * test holds it against the database, so that nothing can be added and forgotten.
 */
export const tables: Tables = { ...accountTables, ...speechTables, ...growingTables, ...tradeTables, ...siteTables }

/** Every folder of the storage and of `DATA_DIR`. */
export const folders: Readonly<Record<string, string>> = {
  'media/media': 'Pictures, videos and documents: with their rows of `media`.',
  'media/uploads': 'Pieces of uploads: with their rows of `media_chunks`.',
  'media/exports': 'Exports: with their rows of `data_exports`, after seven days, and with the account.',
  making: 'An export that is being made: until it is, or for a day.',
  backups: 'What the operator keeps of everything, for as long as docs/operations.md says: nothing is taken out of a backup.',
  outbox: 'Mail where no server is set: what names somebody goes with the account.',
}
