import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Secrets that were replaced before `old_sealed_secret`, and are valid as long as it is.
  await sql`alter table webhooks add column older_sealed_secrets text[] not null default '{}'`.execute(db)
}
