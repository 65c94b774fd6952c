import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // When someone signed up with the address of an account that was never confirmed. From then on, no one knows whose password it has.
  await sql`alter table users add column signed_up_again_at timestamptz(3)`.execute(db)
}
