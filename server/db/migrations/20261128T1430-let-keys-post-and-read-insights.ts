import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table business_keys drop constraint business_keys_scopes_check`.execute(db)
  await sql`
    alter table business_keys add constraint business_keys_scopes_check check (
      cardinality(scopes) > 0 and scopes <@ array['menu:read', 'menu:write', 'posts:write', 'insights:read'])`.execute(db)
}
