import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The price a business charges its subscribers. Without a row, subscribing is free.
  await sql`
    create table subscription_offers (
      business_id uuid primary key references businesses on delete cascade,
      price_cents integer check (price_cents > 0),
      currency text not null default 'USD' check (currency in ('USD', 'CAD', 'EUR')),
      title text not null,
      perks text[] not null default '{}',
      updated_at timestamptz(3) not null default now()
    )`.execute(db)

  // The site's plans and the businesses' prices, as registered with the payment provider.
  await sql`
    create table provider_plans (
      provider text not null check (provider in ('test', 'paypal', 'invoice')),
      -- "plan:business_tools", or "business:<id>" for a subscription to it.
      key text not null,
      amount_cents integer not null check (amount_cents > 0),
      currency text not null,
      provider_plan_id text not null,
      created_at timestamptz(3) not null default now(),
      primary key (provider, key, amount_cents, currency),
      unique (provider, provider_plan_id)
    )`.execute(db)

  await sql`
    create table agreements (
      id uuid primary key,
      payer_id uuid references users on delete set null,
      -- One of the site's plans; null for a subscription to subscribe_to.
      plan_id text,
      -- The business of a plan; null for personal plans and until a business is assigned.
      business_id uuid references businesses on delete set null,
      subscribe_to uuid references businesses on delete set null,
      provider text not null check (provider in ('test', 'paypal', 'invoice')),
      provider_subscription_id text,
      provider_plan_id text,
      title text not null,
      amount_cents integer not null check (amount_cents > 0),
      currency text not null check (currency in ('USD', 'CAD', 'EUR')),
      status text not null check (status in ('pending', 'active', 'past_due', 'canceled', 'ended')),
      -- Entitlements last until then, regardless of the status.
      entitled_until timestamptz(3),
      paid_until timestamptz(3),
      grace_until timestamptz(3),
      -- When the provider last reported it.
      checked_at timestamptz(3),
      -- The first of consecutive failed payments.
      past_due_since timestamptz(3),
      replaces uuid references agreements on delete set null,
      -- Every request to the provider first takes a ticket; a response older than the last one applied is dropped.
      asked_ticket integer not null default 0,
      applied_ticket integer not null default 0,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      canceled_at timestamptz(3),
      ended_at timestamptz(3),
      -- The provider confirmed that it charges no more. Until then, canceling a canceled or expired subscription there is retried.
      closed_at timestamptz(3),
      constraint agreements_are_for_one_thing check (subscribe_to is null or (plan_id is null and business_id is null)),
      unique (provider, provider_subscription_id)
    )`.execute(db)
  await sql`create index agreements_of_payer on agreements (payer_id, created_at desc, id desc)`.execute(db)
  await sql`create index agreements_of_business on agreements (business_id, created_at desc, id desc) where business_id is not null`.execute(
    db,
  )
  await sql`create index agreements_to_business on agreements (subscribe_to, created_at desc, id desc) where subscribe_to is not null`.execute(
    db,
  )
  await sql`create index agreements_entitling on agreements (entitled_until) where status <> 'ended'`.execute(db)
  await sql`create index agreements_to_ask_about on agreements (checked_at) where status <> 'ended' or closed_at is null`.execute(db)

  await sql`
    create table checkouts (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      plan_id text,
      business_id uuid references businesses on delete cascade,
      subscribe_to uuid references businesses on delete cascade,
      provider text not null check (provider in ('test', 'paypal', 'invoice')),
      provider_plan_id text,
      title text not null,
      amount_cents integer not null check (amount_cents > 0),
      currency text not null check (currency in ('USD', 'CAD', 'EUR')),
      status text not null check (status in ('open', 'approved', 'refused', 'expired')),
      replaces uuid references agreements on delete set null,
      agreement_id uuid references agreements on delete set null,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null,
      constraint checkouts_are_for_one_thing check ((plan_id is null) <> (subscribe_to is null))
    )`.execute(db)
  await sql`create index checkouts_of_user on checkouts (user_id, created_at desc)`.execute(db)
  await sql`create index checkouts_open on checkouts (provider, created_at desc, id desc) where status = 'open'`.execute(db)

  await sql`
    create table payments (
      id uuid primary key,
      agreement_id uuid not null references agreements on delete cascade,
      provider text not null,
      provider_payment_id text not null,
      amount_cents integer not null check (amount_cents > 0),
      currency text not null,
      status text not null check (status in ('paid', 'failed', 'refunded', 'partially_refunded')),
      refunded_cents integer not null default 0,
      refund_reason text,
      -- "2026-000123": consecutive within a year, assigned on payment.
      receipt_number text unique,
      paid_at timestamptz(3) not null,
      created_at timestamptz(3) not null default now(),
      constraint refunds_are_of_the_payment check (refunded_cents between 0 and amount_cents),
      unique (provider, provider_payment_id)
    )`.execute(db)
  await sql`create index payments_of_agreement on payments (agreement_id, paid_at desc, id desc)`.execute(db)
  await sql`create table receipt_counters (year integer primary key, last integer not null)`.execute(db)

  // Each provider message once, in any order.
  await sql`
    create table payment_messages (
      provider text not null,
      message_id text not null,
      type text not null,
      subscription_id text,
      received_at timestamptz(3) not null,
      handled_at timestamptz(3),
      primary key (provider, message_id)
    )`.execute(db)
  await sql`create index payment_messages_by_age on payment_messages (received_at)`.execute(db)

  // Emails about failed payments, each sent once per series of failures.
  await sql`
    create table billing_mails (
      agreement_id uuid not null references agreements on delete cascade,
      since timestamptz(3) not null,
      step text not null,
      sent_at timestamptz(3) not null,
      primary key (agreement_id, since, step)
    )`.execute(db)

  // Paid subscriptions end with the agreement.
  await sql`alter table subscriptions add column is_paid boolean not null default false`.execute(db)
  // Anonymous counts of started and ended subscriptions.
  await sql`
    create table subscription_days (
      business_id uuid not null references businesses on delete cascade,
      day date not null,
      began integer not null default 0,
      ended integer not null default 0,
      primary key (business_id, day)
    )`.execute(db)
  await sql`
    insert into subscription_days (business_id, day, began)
    select business_id, (created_at at time zone 'UTC')::date, count(*) from subscriptions group by 1, 2`.execute(db)

  // The test provider's state, treated as an external database: only its adapter reads or writes it.
  await sql`
    create table test_provider_plans (
      id text primary key,
      key text not null,
      amount_cents integer not null,
      currency text not null,
      unique (key, amount_cents, currency)
    )`.execute(db)
  await sql`
    create table test_provider_subscriptions (
      id text primary key,
      plan_id text not null references test_provider_plans,
      custom_id text not null,
      state text not null check (state in ('active', 'suspended', 'canceled')),
      refuses_payments boolean not null default false,
      failed_payments integer not null default 0,
      failing_since timestamptz(3),
      payments_made integer not null default 0,
      began_at timestamptz(3) not null,
      last_paid_at timestamptz(3),
      next_payment_at timestamptz(3),
      paid_until timestamptz(3)
    )`.execute(db)
  await sql`create index test_provider_subscriptions_due on test_provider_subscriptions (next_payment_at) where state = 'active'`.execute(
    db,
  )
  await sql`
    create table test_provider_payments (
      id text primary key,
      subscription_id text not null references test_provider_subscriptions on delete cascade,
      amount_cents integer not null,
      currency text not null,
      status text not null check (status in ('paid', 'failed', 'refunded')),
      made_at timestamptz(3) not null
    )`.execute(db)
  await sql`create index test_provider_payments_of_subscription on test_provider_payments (subscription_id, made_at)`.execute(db)
  await sql`
    create table test_provider_messages (
      id text primary key,
      body text not null,
      created_at timestamptz(3) not null,
      delivered_at timestamptz(3)
    )`.execute(db)
  await sql`create index test_provider_messages_waiting on test_provider_messages (created_at) where delivered_at is null`.execute(db)
}
