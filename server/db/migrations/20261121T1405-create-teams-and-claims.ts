import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // At most one owner; an unclaimed listing has none.
  await sql`create unique index business_members_one_owner on business_members (business_id) where role = 'owner'`.execute(db)

  await sql`
    create table team_invitations (
      id uuid primary key,
      business_id uuid not null references businesses on delete cascade,
      email text not null check (email = lower(email)),
      role text not null check (role in ('manager', 'staff')),
      invited_by uuid references users on delete set null,
      -- SHA-256 of the emailed link's secret; null until the email is sent. Read access to this table isn't enough to use it.
      token_hash text unique,
      sent_count smallint not null default 1 check (sent_count > 0),
      created_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      accepted_at timestamptz(3),
      accepted_by uuid references users on delete set null,
      revoked_at timestamptz(3)
    )`.execute(db)
  await sql`
    create unique index team_invitations_one_open on team_invitations (business_id, email)
      where accepted_at is null and revoked_at is null`.execute(db)
  await sql`create index team_invitations_by_inviter on team_invitations (invited_by) where invited_by is not null`.execute(db)
  await sql`create index team_invitations_by_accepter on team_invitations (accepted_by) where accepted_by is not null`.execute(db)

  await sql`
    create table claims (
      id uuid primary key,
      business_id uuid not null references businesses on delete cascade,
      user_id uuid not null references users on delete cascade,
      method text not null check (method in ('email', 'phone', 'review')),
      status text not null check (status in ('open', 'approved', 'rejected', 'closed')),
      -- The business had another owner when it was claimed.
      is_dispute boolean not null default false,
      -- Where the code was emailed or phoned: always from the register, never from the claimant.
      email text,
      phone text,
      -- Codes are derived from a secret outside the database, the claim and this number: see server/features/claims/enter-code.ts.
      code_number smallint not null default 1 check (code_number > 0),
      code_expires_at timestamptz(3),
      attempts smallint not null default 0 check (attempts between 0 and 5),
      statement text,
      document_id uuid references media on delete set null,
      closed_because text check (closed_because in ('attempts', 'expired', 'claimed', 'withdrawn')),
      -- Null for a claim approved by its code.
      decided_by uuid references users on delete set null,
      decided_at timestamptz(3),
      reason text,
      created_at timestamptz(3) not null,
      constraint email_claims_have_an_address check ((method = 'email') = (email is not null)),
      constraint phone_claims_have_a_number check ((method = 'phone') = (phone is not null)),
      constraint codes_expire check ((method = 'review') = (code_expires_at is null)),
      constraint closed_claims_say_why check ((status = 'closed') = (closed_because is not null)),
      constraint disputes_are_reviewed check (not is_dispute or method = 'review')
    )`.execute(db)
  await sql`create unique index claims_one_open on claims (business_id, user_id) where status = 'open'`.execute(db)
  await sql`create index claims_of_business on claims (business_id, created_at)`.execute(db)
  await sql`create index claims_of_person on claims (user_id, created_at desc, id desc)`.execute(db)
  await sql`create index claims_waiting on claims (created_at, id) where status = 'open' and method <> 'email'`.execute(db)
  await sql`create index claims_of_document on claims (document_id) where document_id is not null`.execute(db)
}
