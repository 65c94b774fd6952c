import { nobodys, ofSearch, own, type Tables } from './table-map.ts'

export const siteTables: Tables = {
  audit_log: {
    about: 'Important actions in a chain of hashes: what was done and when, by account id. It contains no names and no text.',
    people: { actor_id: 'kept', subject_id: 'kept' },
    exported: {
      file: 'audit-log',
      whose: own('actor_id'),
      leftOut: { previous_hash: 'From other people’s rows.', hash: 'From other people’s rows.' },
    },
    erased: {
      stays: 'Removing a row would break the chain. Once the account is deleted, its id refers to nothing.',
    },
  },
  audit_head: { about: 'The end of that chain.', exported: nobodys, erased: { stays: nobodys } },
  search_documents: {
    about: 'The search index, with text split into words.',
    people: { person_id: 'row' },
    exported: ofSearch,
    erased: { with: 'users' },
  },
  search_words: { about: 'Words of public names.', exported: ofSearch, erased: { stays: ofSearch } },
  search_changes: { about: 'What search will index again, for a moment.', exported: ofSearch, erased: { by: 'traces' } },
  search_state: { about: 'The progress of search indexing.', exported: nobodys, erased: { stays: nobodys } },
  kysely_migration: { about: 'The migrations of the database.', exported: nobodys, erased: { stays: nobodys } },
  kysely_migration_lock: { about: 'A lock.', exported: nobodys, erased: { stays: nobodys } },
}
