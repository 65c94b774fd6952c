import { type Kysely, sql } from 'kysely'
import { addTrigramIndex } from '#server/db/trigram-index.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table search_documents (
      -- The subject's id; for a strain, derived from its name.
      id uuid primary key,
      kind text not null check (kind in ('business', 'product', 'post', 'person', 'community', 'strain')),
      -- The subject, whose deletion always deletes this row.
      business_id uuid references businesses on delete cascade,
      product_id uuid references products on delete cascade,
      post_id uuid references posts on delete cascade,
      person_id uuid references users on delete cascade,
      community_id uuid references communities on delete cascade,
      -- The name without case and diacritics.
      folded text not null,
      -- Stems of all words, prefixes of those in names, and markers for kind, state and business type: see
      -- server/adapters/search/lexemes.ts.
      words tsvector not null,
      -- Ranks equal matches: see server/features/search/documents.queries.ts.
      quality float8 not null,
      -- Location of the pin, which is never more precise than the city for a farm.
      latitude float8,
      longitude float8,
      constraint search_document_has_its_subject check (
        case when kind = 'strain' then num_nonnulls(business_id, product_id, post_id, person_id, community_id) = 0
        else id = coalesce(business_id, product_id, post_id, person_id, community_id)
          and num_nonnulls(business_id, product_id, post_id, person_id, community_id) = 1 end)
    )`.execute(db)
  // Every search scans recent writes row by row until they are merged into the index, so keep that list short.
  await sql`create index search_documents_words on search_documents using gin (words) with (gin_pending_list_limit = 256)`.execute(db)
  await sql`create index search_documents_best on search_documents (kind, quality desc, id desc)`.execute(db)
  await sql`create index search_documents_placed on search_documents (latitude, longitude) where latitude is not null`.execute(db)
  for (const column of ['business_id', 'product_id', 'post_id', 'person_id', 'community_id']) {
    await sql`
      create unique index ${sql.id(`search_documents_of_${column.slice(0, -3)}`)} on search_documents (${sql.ref(column)})
      where ${sql.ref(column)} is not null`.execute(db)
  }
  await addTrigramIndex(db, 'search_documents_people', 'search_documents', 'folded', sql`kind = 'person'`)

  // Words of public names, for matching similar spellings.
  await sql`create table search_words (word text collate "C" primary key)`.execute(db)
  await addTrigramIndex(db, 'search_words_trigrams', 'search_words', 'word')

  // Rows to reindex, in order of id.
  await sql`
    create table search_changes (
      id uuid primary key,
      kind text not null check (kind in ('business', 'product', 'post', 'person', 'community')),
      subject_id uuid not null
    )`.execute(db)
  // Writers of the index take turns by locking this row.
  await sql`
    create table search_state (
      id boolean primary key default true check (id),
      -- A full pass is requested or in progress: at this kind, after this id.
      is_pass_wanted boolean not null default true,
      pass_kind text check (pass_kind in ('strain', 'business', 'community', 'person', 'product', 'post')),
      pass_after uuid,
      passed_at timestamptz(3),
      constraint search_pass_has_a_kind check (pass_after is null or pass_kind is not null)
    )`.execute(db)
  await sql`insert into search_state default values`.execute(db)
}
