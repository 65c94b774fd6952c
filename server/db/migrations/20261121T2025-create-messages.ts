import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Between two people, or between one and a business, whose team shares it.
  await sql`
    create table conversations (
      id uuid primary key,
      -- Of two people, the smaller id first: there is one conversation of the two. Whose account is gone is null; the other keeps it.
      person_id uuid references users on delete set null,
      other_id uuid references users on delete set null,
      business_id uuid references businesses on delete cascade,
      -- Whose request it is, or was: somebody's whom the other does not follow. Until the other accepts, nothing more comes of them.
      started_by uuid references users on delete set null,
      -- Both write freely: somebody followed wrote, a request was accepted or answered, a customer wrote to the business.
      accepted_at timestamptz(3),
      declined_at timestamptz(3),
      -- Messages are numbered from 1 in each conversation, under a lock of this row.
      last_sequence bigint not null default 0 check (last_sequence >= 0),
      last_message_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      constraint conversations_are_of_two check (other_id is null or business_id is null),
      constraint pairs_are_ordered check (other_id is null or person_id < other_id)
    )`.execute(db)
  await sql`create unique index conversations_of_pair on conversations (person_id, other_id) where other_id is not null`.execute(db)
  await sql`create unique index conversations_with_business on conversations (business_id, person_id) where business_id is not null`.execute(
    db,
  )
  await sql`create index conversations_of_person on conversations (person_id) where person_id is not null`.execute(db)
  await sql`create index conversations_of_other on conversations (other_id) where other_id is not null`.execute(db)
  await sql`create index conversations_of_starter on conversations (started_by) where started_by is not null`.execute(db)

  // What each side keeps of it. A business's team shares one row; who of them read what is theirs to know.
  await sql`
    create table conversation_sides (
      conversation_id uuid not null references conversations on delete cascade,
      -- Whose side: a person's, or the business's.
      user_id uuid references users on delete cascade,
      business_id uuid references businesses on delete cascade,
      read_sequence bigint not null default 0 check (read_sequence >= 0),
      -- Deleted for oneself up to here.
      cleared_sequence bigint not null default 0 check (cleared_sequence >= 0),
      muted_at timestamptz(3),
      last_message_at timestamptz(3),
      unread_count integer not null default 0 check (unread_count >= 0),
      is_request boolean not null default false,
      constraint sides_are_of_one check ((user_id is null) <> (business_id is null))
    )`.execute(db)
  await sql`create unique index conversation_sides_of_user on conversation_sides (conversation_id, user_id) where user_id is not null`.execute(
    db,
  )
  await sql`create unique index conversation_sides_of_team on conversation_sides (conversation_id, business_id) where business_id is not null`.execute(
    db,
  )
  await sql`
    create index conversation_sides_inbox on conversation_sides (user_id, is_request, last_message_at desc, conversation_id desc)
    where user_id is not null and last_message_at is not null`.execute(db)
  await sql`
    create index conversation_sides_team_inbox on conversation_sides (business_id, is_request, last_message_at desc, conversation_id desc)
    where business_id is not null and last_message_at is not null`.execute(db)
  for (const column of ['user_id', 'business_id']) {
    const name = sql.ref(`conversation_sides_of_${column.replace('_id', '')}_all`)
    await sql`create index ${name} on conversation_sides (${sql.ref(column)}) where ${sql.ref(column)} is not null`.execute(db)
    const unread = sql.ref(`conversation_sides_unread_of_${column.replace('_id', '')}`)
    await sql`
      create index ${unread} on conversation_sides (${sql.ref(column)}, is_request) include (unread_count, muted_at)
      where ${sql.ref(column)} is not null and unread_count > 0`.execute(db)
  }
  await sql`create index conversation_sides_of_conversation on conversation_sides (conversation_id)`.execute(db)

  await sql`
    create table messages (
      -- Made by whoever sends it: sent twice, it is there once.
      id uuid primary key,
      conversation_id uuid not null references conversations on delete cascade,
      sequence bigint not null check (sequence > 0),
      sender_id uuid references users on delete set null,
      -- Written in the name of the business of the conversation, by \`sender_id\`.
      is_from_business boolean not null default false,
      -- Whose it is beside the sender's, so that all that is in one inbox can be read by time: who receives it, where that is a
      -- person, and whose inbox it is in, where that is a business's.
      recipient_id uuid references users on delete set null,
      business_id uuid references businesses on delete cascade,
      content text not null default '',
      moderation text check (moderation in ('held', 'hidden', 'removed')),
      created_at timestamptz(3) not null default now(),
      unique (conversation_id, sequence)
    )`.execute(db)
  const byTime = sql`created_at desc, id desc`
  await sql`create index messages_of_sender on messages (sender_id, is_from_business, ${byTime}) where sender_id is not null`.execute(db)
  await sql`create index messages_of_recipient on messages (recipient_id, ${byTime}) where recipient_id is not null`.execute(db)
  await sql`create index messages_of_business on messages (business_id, ${byTime}) where business_id is not null`.execute(db)
  await sql`create index messages_moderated on messages (id) where moderation is not null`.execute(db)

  await sql`
    create table message_media (
      message_id uuid not null references messages on delete cascade,
      position smallint not null check (position between 0 and 9),
      media_id uuid not null unique references media on delete cascade,
      primary key (message_id, position)
    )`.execute(db)

  // A message that one side has deleted for itself.
  await sql`
    create table message_deletions (
      message_id uuid not null references messages on delete cascade,
      user_id uuid references users on delete cascade,
      business_id uuid references businesses on delete cascade,
      constraint deletions_are_of_one check ((user_id is null) <> (business_id is null))
    )`.execute(db)
  await sql`create unique index message_deletions_of_user on message_deletions (message_id, user_id) where user_id is not null`.execute(db)
  await sql`create unique index message_deletions_of_team on message_deletions (message_id, business_id) where business_id is not null`.execute(
    db,
  )
  await sql`create index message_deletions_by_user on message_deletions (user_id) where user_id is not null`.execute(db)
  await sql`create index message_deletions_by_business on message_deletions (business_id) where business_id is not null`.execute(db)

  await sql`
    alter table users
      -- Others see how far one has read, and that one is typing.
      add column shows_read_marks boolean not null default true,
      -- Whose first message becomes a request: everybody's, or but for those whom one follows.
      add column takes_messages_from text not null default 'everybody' check (takes_messages_from in ('everybody', 'followed', 'nobody'))`.execute(
    db,
  )
}
