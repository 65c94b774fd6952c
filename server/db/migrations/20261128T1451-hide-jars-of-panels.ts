import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table blind_panels
      -- Until it is closed, only the person who fills the jars knows what is in them.
      add column hides_jars boolean not null default false,
      add column filled_by uuid references users on delete set null,
      add column filled_at timestamptz(3),
      add constraint only_hidden_jars_have_a_filler check (filled_at is null or hides_jars)`.execute(db)
  await sql`create index blind_panels_of_filler on blind_panels (filled_by) where filled_by is not null`.execute(db)
}
