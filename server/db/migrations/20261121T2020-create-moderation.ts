import { type Kysely, sql } from 'kysely'

const subjects = sql`('post', 'comment', 'review', 'person', 'business', 'hunt', 'hunt_comment', 'community', 'message')`
const states = sql`('held', 'hidden', 'removed')`

export async function up(db: Kysely<unknown>): Promise<void> {
  // Null: shown. Held: by a filter until a moderator decides; hidden: visible to the author and moderators; removed: only to moderators.
  for (const table of ['comments', 'reviews', 'hunt_comments', 'hunts', 'businesses']) {
    await sql`alter table ${sql.table(table)} add column moderation text check (moderation in ${states})`.execute(db)
    await sql`create index ${sql.ref(`${table}_moderated`)} on ${sql.table(table)} (id) where moderation is not null`.execute(db)
  }

  await sql`
    alter table users
      -- If set, the name, picture and bio are hidden from others.
      add column profile_moderation text check (profile_moderation in ${states}),
      -- Effective state of the sanctions below, so that a session check reads one row.
      add column muted_until timestamptz(3),
      add column suspended_until timestamptz(3),
      add column banned_at timestamptz(3)`.execute(db)

  await sql`
    create table moderation_cases (
      id uuid primary key,
      subject text not null check (subject in ${subjects}),
      subject_id uuid not null,
      -- Owner of the subject.
      user_id uuid references users on delete set null,
      community_id uuid references communities on delete cascade,
      -- Hidden from the community's moderators: sales, minors, intimate images.
      is_for_site boolean not null default true,
      source text not null check (source in ('report', 'filter')),
      -- The filter rules that held it. Never its text.
      findings jsonb not null default '[]',
      reports_count integer not null default 0 check (reports_count >= 0),
      -- The most serious of its reports.
      reason text,
      -- For a nonconsensual intimate image: must be decided within 48 hours.
      due_at timestamptz(3),
      -- When the moderators were last emailed that it is due.
      reminded_at timestamptz(3),
      assigned_to uuid references users on delete set null,
      status text not null default 'open' check (status in ('open', 'decided')),
      opened_at timestamptz(3) not null default now(),
      decided_at timestamptz(3),
      decided_by uuid references users on delete set null,
      constraint decisions_have_a_time check ((status = 'decided') = (decided_at is not null))
    )`.execute(db)
  const open = sql`status = 'open'`
  await sql`create unique index moderation_cases_open on moderation_cases (subject, subject_id) where ${open}`.execute(db)
  await sql`create index moderation_cases_queue on moderation_cases (due_at, opened_at, id) where ${open}`.execute(db)
  await sql`
    create index moderation_cases_of_community on moderation_cases (community_id, opened_at, id) where community_id is not null and ${open}`.execute(
    db,
  )
  await sql`create index moderation_cases_of_community_all on moderation_cases (community_id) where community_id is not null`.execute(db)
  await sql`create index moderation_cases_of_subject on moderation_cases (subject, subject_id, opened_at desc)`.execute(db)
  await sql`create index moderation_cases_decided on moderation_cases (decided_at desc, id desc) where status = 'decided'`.execute(db)
  for (const column of ['user_id', 'assigned_to', 'decided_by']) {
    const name = sql.ref(`moderation_cases_of_${column.replace('_id', '')}`)
    await sql`create index ${name} on moderation_cases (${sql.ref(column)}, opened_at desc) where ${sql.ref(column)} is not null`.execute(
      db,
    )
  }

  await sql`
    alter table reports
      add column case_id uuid references moderation_cases on delete set null,
      drop constraint reports_subject_check,
      add constraint reports_subject_check check (subject in ${subjects})`.execute(db)
  await sql`create index reports_of_case on reports (case_id, created_at, id) where case_id is not null`.execute(db)
  await sql`create index reports_of_reporter on reports (reporter_id, created_at desc, id desc)`.execute(db)
  // Opens a case for each earlier report. The author is looked up when the case is viewed.
  await sql`
    insert into moderation_cases (id, subject, subject_id, source, reports_count, reason, opened_at)
    select (array_agg(id order by created_at, id))[1], subject, subject_id, 'report', count(*),
      (array_agg(reason order by array_position(
        array['intimate_image', 'minors', 'illegal_sale', 'harassment', 'health_claim', 'false_information', 'spam', 'other'], reason)))[1],
      min(created_at)
    from reports where resolved_at is null group by subject, subject_id`.execute(db)
  await sql`update moderation_cases set due_at = opened_at + interval '48 hours' where reason = 'intimate_image'`.execute(db)
  await sql`
    update reports set case_id = moderation_cases.id from moderation_cases
    where reports.resolved_at is null and moderation_cases.subject = reports.subject and moderation_cases.subject_id = reports.subject_id`.execute(
    db,
  )

  await sql`
    create table moderation_actions (
      id uuid primary key,
      case_id uuid references moderation_cases on delete set null,
      community_id uuid references communities on delete set null,
      action text not null check (action in ('approve', 'dismiss', 'hide', 'remove', 'warn', 'mute', 'suspend', 'ban')),
      subject text not null check (subject in ${subjects}),
      subject_id uuid not null,
      -- The affected person and the moderator.
      user_id uuid references users on delete set null,
      moderator_id uuid references users on delete set null,
      reason text not null,
      -- Explanation to the affected person, and a note for moderators.
      explanation text not null default '',
      note text not null default '',
      ends_at timestamptz(3),
      -- Whether a ban also hides the person's content, in batches.
      hides_content boolean not null default false,
      created_at timestamptz(3) not null default now(),
      undone_at timestamptz(3),
      undone_by uuid references users on delete set null,
      undo_reason text not null default '',
      constraint only_these_end check (ends_at is null or action in ('mute', 'suspend', 'ban'))
    )`.execute(db)
  await sql`create index moderation_actions_newest on moderation_actions (created_at desc, id desc)`.execute(db)
  await sql`create index moderation_actions_of_subject on moderation_actions (subject, subject_id, created_at desc)`.execute(db)
  for (const column of ['case_id', 'community_id', 'user_id', 'moderator_id', 'undone_by']) {
    const name = sql.ref(`moderation_actions_of_${column.replace('_id', '')}`)
    await sql`create index ${name} on moderation_actions (${sql.ref(column)}, created_at desc) where ${sql.ref(column)} is not null`.execute(
      db,
    )
  }

  // What an action changed and the previous state, so that undoing it restores exactly that.
  await sql`
    create table moderation_effects (
      action_id uuid not null references moderation_actions on delete cascade,
      subject text not null check (subject in ${subjects}),
      subject_id uuid not null,
      before text check (before in ${states}),
      after text check (after in ${states}),
      primary key (action_id, subject, subject_id)
    )`.execute(db)

  await sql`
    create table moderation_appeals (
      id uuid primary key,
      action_id uuid not null unique references moderation_actions on delete cascade,
      user_id uuid not null references users on delete cascade,
      content text not null check (content <> ''),
      -- The moderator whose decision is appealed: another one decides.
      moderator_id uuid,
      created_at timestamptz(3) not null default now(),
      decided_at timestamptz(3),
      decided_by uuid references users on delete set null,
      outcome text check (outcome in ('upheld', 'overturned')),
      answer text not null default '',
      constraint appeals_are_decided_whole check ((decided_at is null) = (outcome is null)),
      constraint another_one_decides check (decided_by is null or moderator_id is null or decided_by <> moderator_id)
    )`.execute(db)
  await sql`create index moderation_appeals_open on moderation_appeals (created_at, id) where decided_at is null`.execute(db)
  await sql`create index moderation_appeals_of_user on moderation_appeals (user_id, created_at desc)`.execute(db)
  await sql`create index moderation_appeals_of_decider on moderation_appeals (decided_by) where decided_by is not null`.execute(db)
}
