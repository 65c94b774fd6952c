import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table media
      drop constraint media_kind_check,
      add constraint media_kind_check check (kind in ('image', 'video', 'document')),
      -- Page count of a document.
      add column page_count integer check (page_count > 0)`.execute(db)

  await sql`
    alter table notifications
      drop constraint notifications_type_check,
      add constraint notifications_type_check check (type in
        ('business_post', 'farm_update', 'harvest_ready', 'new_product', 'product_update', 'person_post', 'like', 'comment',
         'reply', 'follow', 'subscriber', 'review', 'review_reply', 'helpful',
         'license_verified', 'license_rejected', 'license_expiring', 'license_ended'))`.execute(db)

  // From the register, most of whose files don't state it.
  await sql`alter table licenses add column expires_on date`.execute(db)

  // The last day of the verified license, 9999-12-31 if there is no expiry; null without a verified license. Denormalized so that
  // lists need no join.
  await sql`alter table businesses add column license_verified_through date`.execute(db)

  await sql`
    create table license_verifications (
      id uuid primary key,
      business_id uuid not null references businesses on delete cascade,
      -- As stated by the business.
      license_number text not null check (license_number <> ''),
      -- Uppercase letters and digits only, as in licenses.
      license_number_key text not null check (license_number_key <> ''),
      state text not null check (state ~ '^[A-Z]{2}$'),
      license_name text not null check (license_name <> ''),
      business_type text not null check (business_type in ('farm', 'dispensary', 'smoke_shop', 'glass_shop', 'food_service', 'delivery', 'other')),
      stated_expires_on date,
      document_id uuid references media on delete set null,
      -- The register's row it was compared to; null if none has this number in this state.
      license_id uuid references licenses on delete set null,
      match text not null check (match in ('full', 'near', 'none')),
      -- Differences from that row, and whether another business has the license.
      differences text[] not null default '{}',
      is_dispute boolean not null default false,
      status text not null check (status in ('pending', 'verified', 'rejected', 'withdrawn', 'superseded', 'expired', 'revoked')),
      basis text check (basis in ('register', 'document')),
      -- As of the last check: the register may lose the row.
      authority text,
      source text,
      source_date date,
      expires_on date,
      expiry_source text check (expiry_source in ('register', 'business')),
      -- Why it was rejected or revoked, as a sentence for the business and, if revoked, for the public.
      reason text,
      -- Days before expiry of the latest warning sent to the team.
      warned_days smallint check (warned_days in (60, 30, 7)),
      requested_by uuid references users on delete set null,
      created_at timestamptz(3) not null,
      verified_at timestamptz(3),
      checked_at timestamptz(3),
      ended_at timestamptz(3),
      updated_at timestamptz(3) not null,
      constraint verified_licenses_say_how
        check (status not in ('verified', 'superseded', 'expired', 'revoked') or (basis is not null and verified_at is not null and checked_at is not null)),
      constraint expiry_has_a_source check ((expires_on is null) = (expiry_source is null))
    )`.execute(db)
  await sql`create index license_verifications_of_business on license_verifications (business_id, created_at desc, id desc)`.execute(db)
  await sql`create unique index license_verifications_one_pending on license_verifications (business_id) where status = 'pending'`.execute(
    db,
  )
  await sql`create unique index license_verifications_one_verified on license_verifications (business_id) where status = 'verified'`.execute(
    db,
  )
  // A license belongs to one business at a time.
  await sql`
    create unique index license_verifications_one_holder on license_verifications (state, license_number_key)
      where status = 'verified'`.execute(db)
  await sql`create index license_verifications_waiting on license_verifications (created_at, id) where status = 'pending'`.execute(db)
  await sql`create index license_verifications_to_recheck on license_verifications (id) where status = 'verified'`.execute(db)
  await sql`create index license_verifications_of_license on license_verifications (license_id) where license_id is not null`.execute(db)
  await sql`create index license_verifications_of_document on license_verifications (document_id) where document_id is not null`.execute(db)

  // Requires two different people: approving twice is one row.
  await sql`
    create table license_approvals (
      verification_id uuid not null references license_verifications on delete cascade,
      user_id uuid not null references users on delete cascade,
      created_at timestamptz(3) not null,
      primary key (verification_id, user_id)
    )`.execute(db)
}
