import { type Kysely, sql } from 'kysely'

/** Businesses of one owner, run together. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table business_groups (
      id uuid primary key,
      owner_id uuid not null references users on delete cascade,
      name text not null check (length(name) between 1 and 80),
      created_at timestamptz(3) not null,
      constraint business_groups_with_owner unique (id, owner_id)
    )`.execute(db)
  await sql`create index business_groups_by_owner on business_groups (owner_id)`.execute(db)
  await sql`
    create table business_group_members (
      group_id uuid not null references business_groups on delete cascade,
      user_id uuid not null references users on delete cascade,
      role text not null check (role in ('manager', 'staff')),
      created_at timestamptz(3) not null,
      primary key (group_id, user_id)
    )`.execute(db)
  await sql`create index business_group_members_by_person on business_group_members (user_id)`.execute(db)
  await sql`
    alter table business_members
      -- In the owner's row: the group that the business is in, which has the same owner.
      add column group_id uuid,
      -- In another member's row: the group that gives the role.
      add column via_group_id uuid,
      add constraint groups_have_one_owner foreign key (group_id, user_id) references business_groups (id, owner_id) on delete set null (group_id),
      add constraint owners_group_businesses check (group_id is null or role = 'owner'),
      add constraint groups_give_roles foreign key (via_group_id, user_id)
        references business_group_members (group_id, user_id) on delete cascade,
      add constraint groups_give_no_ownership check (via_group_id is null or role <> 'owner')`.execute(db)
  await sql`create index business_members_of_group on business_members (group_id, business_id) where group_id is not null`.execute(db)
  await sql`create index business_members_by_group_role on business_members (via_group_id, user_id) where via_group_id is not null`.execute(
    db,
  )
}
