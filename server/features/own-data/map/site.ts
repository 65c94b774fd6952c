import { nobodys, ofSearch, own, type Tables } from './table-map.ts'

/** What keeps the site going. */
export const siteTables: Tables = {
  audit_log: {
    about: 'Steps that matter, in a chain of hashes: what was done and when, by the id of an account. It holds no name and no words.',
    people: { actor_id: 'kept', subject_id: 'kept' },
    exported: { file: 'audit-log', whose: own('actor_id'), leftOut: { previous_hash: 'Of others’ rows.', hash: 'Of others’ rows.' } },
    erased: {
      stays: 'A row that is taken out breaks the chain. Once the account is gone, its id is a number behind which there is nothing.',
    },
  },
  audit_head: { about: 'The end of that chain.', exported: nobodys, erased: { stays: nobodys } },
  search_documents: {
    about: 'What search finds, with words taken apart.',
    people: { person_id: 'row' },
    exported: ofSearch,
    erased: { with: 'users' },
  },
  search_words: { about: 'Words of public names.', exported: ofSearch, erased: { stays: ofSearch } },
  search_changes: { about: 'What search is to look at again, for a moment.', exported: ofSearch, erased: { by: 'traces' } },
  search_state: { about: 'How far search has come.', exported: nobodys, erased: { stays: nobodys } },
  kysely_migration: { about: 'How the database was built.', exported: nobodys, erased: { stays: nobodys } },
  kysely_migration_lock: { about: 'A lock.', exported: nobodys, erased: { stays: nobodys } },
}
