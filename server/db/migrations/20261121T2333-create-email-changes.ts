import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table email_changes (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      old_email text not null check (old_email = lower(old_email)),
      new_email text not null check (new_email = lower(new_email) and new_email <> old_email),
      requested_at timestamptz(3) not null,
      -- Deadline for confirming the new address.
      expires_at timestamptz(3) not null,
      confirmed_at timestamptz(3)
    )`.execute(db)
  // Only one pending change at a time.
  await sql`create unique index email_changes_waiting on email_changes (user_id) where confirmed_at is null`.execute(db)
  await sql`create index email_changes_of_user on email_changes (user_id)`.execute(db)
  await sql`create index email_changes_by_age on email_changes (requested_at)`.execute(db)
}
