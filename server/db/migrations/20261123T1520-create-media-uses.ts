import { type Kysely, sql } from 'kysely'

/** What can show a file: its table, and a query for its references to files. */
const kinds = {
  post: { table: 'posts', references: 'select media_id, post_id from post_media' },
  draft: { table: 'post_drafts', references: 'select media_id, draft_id from post_draft_media' },
  business: { table: 'businesses', references: 'select image_id, id from businesses' },
  community: { table: 'communities', references: 'select image_id, id from communities' },
  person: { table: 'users', references: 'select image_id, id from users' },
  product: { table: 'products', references: 'select image_id, id from products union select certificate_id, id from products' },
  claim: { table: 'claims', references: 'select document_id, id from claims' },
  license: { table: 'license_verifications', references: 'select document_id, id from license_verifications' },
  log: { table: 'grow_logs', references: 'select media_id, log_id from grow_log_photos' },
  observation: { table: 'observations', references: 'select media_id, id from observations' },
  message: { table: 'messages', references: 'select media_id, message_id from message_media' },
}

export async function up(db: Kysely<unknown>): Promise<void> {
  const entries = Object.entries(kinds)
  // Each kind has a foreign key of its own, generated from the subject, so that deleting the subject always deletes the use.
  const references = entries.map(
    ([kind, { table }]) =>
      `${kind}_id uuid generated always as (case when kind = '${kind}' then subject_id end) stored references ${table} on delete cascade`,
  )
  await sql`
    create table media_uses (
      media_id uuid not null references media on delete cascade,
      kind text not null check (kind in (${sql.join(entries.map(([kind]) => sql.lit(kind)))})),
      subject_id uuid not null,
      ${sql.raw(references.join(',\n'))},
      primary key (media_id, kind, subject_id)
    )`.execute(db)
  for (const [kind, { references }] of entries) {
    await sql`
      insert into media_uses (media_id, kind, subject_id)
      select media_id, ${sql.lit(kind)}, subject_id from (${sql.raw(references)}) as shown (media_id, subject_id)
      where media_id is not null`.execute(db)
    await sql`create index ${sql.ref(`media_uses_of_${kind}`)} on media_uses (${sql.ref(`${kind}_id`)}) where ${sql.ref(`${kind}_id`)} is not null`.execute(
      db,
    )
  }
}
