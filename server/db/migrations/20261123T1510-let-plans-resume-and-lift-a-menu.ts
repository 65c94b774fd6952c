import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table agreements
      -- The one business whose menu limit a person's plan lifts, and when it was chosen.
      add column menu_business_id uuid references businesses on delete set null,
      add column menu_chosen_at timestamptz(3),
      -- The provider reported it as paused, because it was canceled here: it charges nothing and can be resumed.
      add column paused_at timestamptz(3),
      add constraint agreements_lift_menus_by_plans_of_people
        check (menu_business_id is null or (plan_id is not null and business_id is null and subscribe_to is null))`.execute(db)
  await sql`create index agreements_lifting_menu on agreements (menu_business_id) where menu_business_id is not null`.execute(db)
  // Next to the name of a person's plan: when it ends, if it was canceled.
  await sql`alter table users add column subscription_ends_at timestamptz(3)`.execute(db)
}
