import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Append-only. Each row's hash includes the previous one, so that tampering shows: see server/features/audit.
  await sql`
    create table audit_log (
      sequence bigint primary key check (sequence > 0),
      id uuid not null unique,
      at timestamptz(3) not null,
      -- No foreign keys, so that entries outlive deleted accounts and businesses.
      actor_id uuid,
      action text not null check (action ~ '^[a-z_]+\.[a-z_]+$'),
      subject_type text not null,
      subject_id uuid not null,
      business_id uuid,
      details jsonb not null,
      previous_hash text not null,
      hash text not null
    )`.execute(db)
  await sql`create index audit_log_of_subject on audit_log (subject_type, subject_id, sequence desc)`.execute(db)
  await sql`create index audit_log_of_business on audit_log (business_id, sequence desc) where business_id is not null`.execute(db)
  await sql`create index audit_log_of_actor on audit_log (actor_id, sequence desc) where actor_id is not null`.execute(db)
  await sql`create index audit_log_by_action on audit_log (action, sequence desc)`.execute(db)

  // One row: the end of the chain. Every writer locks it first.
  await sql`
    create table audit_head (
      id smallint primary key check (id = 1),
      sequence bigint not null,
      hash text not null
    )`.execute(db)
  await sql`insert into audit_head (id, sequence, hash) values (1, 0, '')`.execute(db)
}
