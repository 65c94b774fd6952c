import type { Kysely } from 'kysely'
import { allowValues } from '#server/db/allow-values.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await allowValues(db, 'notifications', 'type', ['content_held'])
  await allowValues(db, 'notification_choices', 'topic', ['held'])
}
