import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Where payments of a business's own prices go. Rows are never deleted, because payments refer to them.
  await sql`
    create table business_payment_accounts (
      id uuid primary key,
      -- No foreign key: subscriptions through it are still canceled after the business is deleted.
      business_id uuid not null,
      provider text not null check (provider in ('paypal', 'invoice')),
      -- Takes new purchases only while this person owns the business, so that a later owner's income never goes to them.
      connected_by uuid references users on delete set null,
      client_id text,
      -- Encrypted; erased when nothing open needs them.
      sealed_secret text,
      webhook_id text,
      environment text check (environment in ('live', 'sandbox')),
      -- Payment instructions for the business's own invoices.
      instructions text,
      connected_at timestamptz(3) not null,
      checked_at timestamptz(3),
      failure text check (failure in ('refused', 'silent', 'unreadable')),
      failing_since timestamptz(3),
      -- When its owner was emailed about this failure.
      told_at timestamptz(3),
      -- No new purchases from then on.
      retired_at timestamptz(3),
      constraint payment_accounts_are_whole check (
        case provider
          when 'paypal' then client_id is not null and webhook_id is not null and environment is not null and instructions is null
            and (sealed_secret is not null or retired_at is not null)
          else instructions is not null and client_id is null and webhook_id is null and sealed_secret is null
        end),
      constraint payment_accounts_fail_since check ((failure is null) = (failing_since is null))
    )`.execute(db)
  await sql`create unique index business_payment_accounts_in_use on business_payment_accounts (business_id, provider) where retired_at is null`.execute(
    db,
  )
  await sql`create unique index business_payment_accounts_by_client on business_payment_accounts (business_id, client_id)`.execute(db)
  await sql`create index business_payment_accounts_of_person on business_payment_accounts (connected_by)`.execute(db)

  // Null: the site's own account with the provider.
  await sql`alter table checkouts add column account_id uuid references business_payment_accounts`.execute(db)
  await sql`create index checkouts_by_account on checkouts (account_id, created_at desc, id desc) where account_id is not null`.execute(db)
  await sql`alter table agreements add column account_id uuid references business_payment_accounts`.execute(db)
  await sql`create index agreements_by_account on agreements (account_id) where account_id is not null`.execute(db)

  // Payment references are unique per account, and so are the messages it receives.
  await sql`alter table payments add column account_id uuid references business_payment_accounts`.execute(db)
  await sql`create index payments_by_account on payments (account_id) where account_id is not null`.execute(db)
  await sql`alter table payments drop constraint payments_provider_provider_payment_id_key`.execute(db)
  await sql`alter table payments add constraint payments_once unique nulls not distinct (provider, account_id, provider_payment_id)`.execute(
    db,
  )
  await sql`alter table payment_messages add column account_id uuid references business_payment_accounts`.execute(db)
  await sql`create index payment_messages_by_account on payment_messages (account_id) where account_id is not null`.execute(db)
  await sql`alter table payment_messages drop constraint payment_messages_pkey`.execute(db)
  await sql`alter table payment_messages add constraint payment_messages_once unique nulls not distinct (provider, account_id, message_id)`.execute(
    db,
  )
}
