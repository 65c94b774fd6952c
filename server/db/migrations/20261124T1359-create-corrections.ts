import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table businesses
      add column closure text check (closure in ('temporary', 'permanent')),
      add column closed_at timestamptz(3),
      add column closed_by text check (closed_by in ('owner', 'members', 'moderators')),
      -- The day on which a temporary closure is meant to end.
      add column reopens_on date,
      add constraint closures_are_whole check ((closure is null) = (closed_at is null) and (closure is null) = (closed_by is null)),
      add constraint only_temporary_closures_end check (reopens_on is null or closure = 'temporary')`.execute(db)
  await sql`
    create table corrections (
      id uuid primary key,
      business_id uuid not null references businesses on delete cascade,
      user_id uuid not null references users on delete cascade,
      kind text not null check (kind in ('closed', 'open', 'moved', 'phone', 'website', 'hours', 'duplicate')),
      value jsonb not null,
      -- The value without differences in spelling.
      value_key text not null check (length(value_key) <= 1000),
      state text not null default 'open' check (state in ('open', 'applied', 'rejected', 'withdrawn', 'superseded', 'undone')),
      settled_as text check (settled_as in ('members', 'owner', 'moderators')),
      settled_by uuid references users on delete set null,
      settled_at timestamptz(3),
      -- What it replaced, so that a moderator can restore it.
      replaced jsonb,
      undone_by uuid references users on delete set null,
      undone_at timestamptz(3),
      created_at timestamptz(3) not null,
      constraint settled_corrections_say_when check ((state = 'open') = (settled_at is null)),
      constraint applied_corrections_say_by_whom check (state not in ('applied', 'rejected', 'undone') or settled_as is not null),
      constraint undone_corrections_say_when check ((state = 'undone') = (undone_at is not null))
    )`.execute(db)
  await sql`create unique index corrections_open_values on corrections (business_id, kind, value_key) where state = 'open'`.execute(db)
  await sql`create index corrections_of_business on corrections (business_id, created_at desc, id desc)`.execute(db)
  await sql`create index corrections_waiting on corrections (created_at, id) where state = 'open'`.execute(db)
  await sql`
    create index corrections_settled on corrections (settled_at desc, id desc) where state in ('applied', 'rejected', 'undone')`.execute(db)
  await sql`create index corrections_of_user on corrections (user_id, created_at)`.execute(db)
  await sql`create index corrections_of_settled_by on corrections (settled_by) where settled_by is not null`.execute(db)
  await sql`create index corrections_of_undone_by on corrections (undone_by) where undone_by is not null`.execute(db)
  await sql`
    create table correction_votes (
      correction_id uuid not null references corrections on delete cascade,
      user_id uuid not null references users on delete cascade,
      agrees boolean not null,
      created_at timestamptz(3) not null,
      primary key (correction_id, user_id)
    )`.execute(db)
  await sql`create index correction_votes_of_user on correction_votes (user_id)`.execute(db)
  await sql`
    alter table notifications
      add column correction_id uuid references corrections on delete cascade,
      drop constraint notifications_type_check,
      add constraint notifications_type_check check (type in
        ('business_post', 'farm_update', 'harvest_ready', 'new_product', 'product_update', 'person_post', 'like', 'comment',
         'reply', 'follow', 'subscriber', 'review', 'review_reply', 'helpful',
         'license_verified', 'license_rejected', 'license_expiring', 'license_ended', 'license_unproven',
         'hunt_shared', 'hunt_comment',
         'community_request', 'community_joined', 'community_invitation', 'answer_accepted',
         'message', 'message_request', 'moderation_notice', 'appeal_decided', 'picture_missing',
         'new_event', 'event_changed', 'event_canceled', 'event_reminder',
         'correction_suggested', 'correction_settled'))`.execute(db)
  await sql`create index notifications_of_correction on notifications (correction_id) where correction_id is not null`.execute(db)
}
