import { accountTables } from './accounts.ts'
import { growingTables } from './growing.ts'
import { speechTables } from './speech.ts'
import { ofNoOne, ofSearch, own, type Tables } from './table-map.ts'
import { tradeTables } from './trade.ts'

export type { Part, TableMap } from './table-map.ts'

const siteTables: Tables = {
  audit_log: {
    about: 'Important actions in a chain of hashes: what was done and when, by account ID. It contains no names and no text.',
    people: { actor_id: 'kept', subject_id: 'kept' },
    exported: {
      file: 'audit-log',
      whose: own('actor_id'),
      leftOut: { previous_hash: 'From other people’s rows.', hash: 'From other people’s rows.' },
    },
    erased: {
      stays: 'Removing a row would break the chain. Once the account is deleted, its ID no longer refers to anyone.',
    },
  },
  audit_head: { about: 'The end of the chain of important actions.', exported: ofNoOne, erased: { stays: ofNoOne } },
  search_documents: {
    about: 'The search index, with text split into words.',
    people: { person_id: 'row' },
    exported: ofSearch,
    erased: { with: 'users' },
  },
  search_words: { about: 'Words of public names.', exported: ofSearch, erased: { stays: ofSearch } },
  search_changes: { about: 'What search has yet to reindex.', exported: ofSearch, erased: { by: 'traces' } },
  search_state: { about: 'The progress of search indexing.', exported: ofNoOne, erased: { stays: ofNoOne } },
  kysely_migration: { about: 'The database’s migrations.', exported: ofNoOne, erased: { stays: ofNoOne } },
  kysely_migration_lock: { about: 'A lock.', exported: ofNoOne, erased: { stays: ofNoOne } },
}

/**
 * Every table: what it contains about people, what goes into their export, and what happens when they leave. A test compares it with the
 * database, so that no table is forgotten.
 */
export const tables: Tables = { ...accountTables, ...speechTables, ...growingTables, ...tradeTables, ...siteTables }

/** Every folder in the storage and in `DATA_DIR`. */
export const folders: Readonly<Record<string, string>> = {
  'media/media': 'Pictures, videos and documents: deleted with their rows of `media`.',
  'media/uploads': 'Parts of uploads: deleted with their rows of `media_chunks`.',
  'media/exports': 'Exports: deleted with their rows of `data_exports`, after seven days, and with the account.',
  making: 'An export being made: until it is finished, or for a day.',
  backups: 'Backups made by the operator, for as long as docs/operations.md says. Nothing is removed from a backup.',
  outbox: 'Mail, if no mail server is set. Mail that names a person is deleted with the account.',
}
