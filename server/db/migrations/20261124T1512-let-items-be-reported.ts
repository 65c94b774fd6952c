import { type Kysely, sql } from 'kysely'

const subjects = sql`('post', 'comment', 'review', 'person', 'business', 'hunt', 'hunt_comment', 'community', 'message', 'event', 'gallery_item', 'product')`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table products add column moderation text check (moderation in ('held', 'hidden', 'removed'))`.execute(db)
  for (const table of ['moderation_cases', 'moderation_actions', 'moderation_effects', 'reports']) {
    const name = sql.ref(`${table}_subject_check`)
    await sql`
      alter table ${sql.table(table)} drop constraint ${name}, add constraint ${name} check (subject in ${subjects})`.execute(db)
  }
}
