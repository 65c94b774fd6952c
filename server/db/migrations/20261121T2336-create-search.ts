import { type Kysely, sql } from 'kysely'
import { addTrigramIndex } from '../trigram-index.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table search_documents (
      -- That of its subject; of a strain, made of its name.
      id uuid primary key,
      kind text not null check (kind in ('business', 'product', 'post', 'person', 'community', 'strain')),
      -- What it is about. It goes with it, at once and whatever removed it.
      business_id uuid references businesses on delete cascade,
      product_id uuid references products on delete cascade,
      post_id uuid references posts on delete cascade,
      person_id uuid references users on delete cascade,
      community_id uuid references communities on delete cascade,
      -- The name without case and marks.
      folded text not null,
      -- Stems of all words, beginnings of those in names, and marks of the kind, the state and the business type: see
      -- server/adapters/search/lexemes.ts.
      words tsvector not null,
      -- What comes first among equal matches: see server/features/search/quality.ts.
      quality float8 not null,
      -- Of a pin, which is never finer than a farm's city.
      latitude float8,
      longitude float8,
      constraint search_document_has_its_subject check (
        case when kind = 'strain' then num_nonnulls(business_id, product_id, post_id, person_id, community_id) = 0
        else id = coalesce(business_id, product_id, post_id, person_id, community_id)
          and num_nonnulls(business_id, product_id, post_id, person_id, community_id) = 1 end)
    )`.execute(db)
  // What was written lately is read row by row by every search until it is merged into the index: little of it at a time.
  await sql`create index search_documents_words on search_documents using gin (words) with (gin_pending_list_limit = 256)`.execute(db)
  await sql`create index search_documents_best on search_documents (kind, quality desc, id desc)`.execute(db)
  await sql`create index search_documents_placed on search_documents (latitude, longitude) where latitude is not null`.execute(db)
  for (const column of ['business_id', 'product_id', 'post_id', 'person_id', 'community_id']) {
    await sql`
      create unique index ${sql.id(`search_documents_of_${column.slice(0, -3)}`)} on search_documents (${sql.ref(column)})
      where ${sql.ref(column)} is not null`.execute(db)
  }
  await addTrigramIndex(db, 'search_documents_people', 'search_documents', 'folded', sql`kind = 'person'`)

  // Words that stand in names which everybody may know, by which others are recognized that are written much like them.
  await sql`create table search_words (word text collate "C" primary key)`.execute(db)
  await addTrigramIndex(db, 'search_words_trigrams', 'search_words', 'word')

  // What was written and is to be indexed again, in the order of their ids.
  await sql`
    create table search_changes (
      id uuid primary key,
      kind text not null check (kind in ('business', 'product', 'post', 'person', 'community')),
      subject_id uuid not null
    )`.execute(db)
  // The writers of the index come one after another by holding this row.
  await sql`
    create table search_state (
      id boolean primary key default true check (id),
      -- A pass over everything is wanted, or under way: of this kind, after this id.
      is_pass_wanted boolean not null default true,
      pass_kind text check (pass_kind in ('strain', 'business', 'community', 'person', 'product', 'post')),
      pass_after uuid,
      passed_at timestamptz(3),
      constraint search_pass_has_a_kind check (pass_after is null or pass_kind is not null)
    )`.execute(db)
  await sql`insert into search_state default values`.execute(db)
}
