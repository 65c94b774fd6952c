import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Proof that a hunt had this content at this time. The hash outlives the hunt, because it doesn't reveal the content.
  await sql`
    create table hunt_proofs (
      id uuid primary key,
      hunt_id uuid references hunts on delete set null,
      made_by uuid references users on delete set null,
      -- SHA-256 of the exported document in its canonical form, in hexadecimal.
      content_hash text not null check (content_hash ~ '^[0-9a-f]{64}$'),
      -- Its entry in the audit log, whose hash chain fixes its position.
      audit_sequence bigint not null,
      audit_hash text not null,
      made_at timestamptz(3) not null default now()
    )`.execute(db)
  await sql`create index hunt_proofs_of_hunt on hunt_proofs (hunt_id, id desc) where hunt_id is not null`.execute(db)
  await sql`create index hunt_proofs_of_maker on hunt_proofs (made_by) where made_by is not null`.execute(db)
  await sql`create index hunt_proofs_by_hash on hunt_proofs (content_hash, made_at)`.execute(db)
}
