import { sql } from 'kysely'
import type { Tx } from '#server/db/connect.ts'
import type { Locked } from '#server/db/locked.ts'

/**
 * What a merge does with the rows of a table that refer to the merged business:
 * - `move`: they refer to the other business from now on
 * - `unless`: like `move`, but rows with the same values in these columns as a row of the other business are deleted
 * - `add`: like `move`, but the values in these columns are added to the row with the same key
 * - `go`: they are deleted with the business
 * - `step`: `merge-people.ts` or `merge-businesses.ts` decides
 */
type Handling = 'move' | 'go' | 'step' | { unless: readonly string[] } | { add: readonly string[]; per: readonly string[] }

/**
 * Every column that refers to a business. A test compares it with the database, so that no column is forgotten. Like the import of a hunt,
 * a merge writes the tables of several features, because a half-done merge would be worse (docs/decisions/048-merging-businesses.md).
 */
export const mergedColumns: Readonly<Record<string, Handling>> = {
  'agreements.business_id': 'move',
  'agreements.menu_business_id': 'move',
  'agreements.subscribe_to': 'move',
  // Followers of both would be counted twice.
  'audience_days.business_id': 'go',
  'business_blocks.business_id': 'step',
  'business_follows.business_id': 'step',
  // A point of sale sends one menu, so its key must be created again at the remaining business, like webhooks and menu addresses.
  'business_keys.business_id': 'go',
  'business_members.business_id': { unless: ['user_id'] },
  'business_moves.business_id': 'go',
  'business_mutes.business_id': { unless: ['user_id'] },
  'business_payment_accounts.business_id': 'step',
  'business_person_blocks.business_id': 'step',
  'business_redirects.business_id': 'move',
  'business_social_links.business_id': { unless: ['network'] },
  'business_trends.business_id': 'go',
  'checkouts.business_id': 'move',
  'checkouts.subscribe_to': 'move',
  'claims.business_id': 'move',
  'comments.business_id': 'move',
  'conversation_sides.business_id': 'step',
  'conversations.business_id': 'step',
  'corrections.business_id': 'step',
  'ended_follows.business_id': { unless: ['user_id'] },
  'events.business_id': 'move',
  'favorites.business_id': { unless: ['user_id'] },
  'gallery_items.business_id': 'step',
  'license_verifications.business_id': 'step',
  'licenses.business_id': 'move',
  'locations.business_id': 'step',
  // Generated from `subject_id`; `mergePage` handles the page's picture.
  'media_uses.business_id': 'go',
  'mentions.business_id': 'move',
  'menu_announcements.business_id': 'go',
  'menu_file_mappings.business_id': 'go',
  'menu_imports.business_id': 'step',
  'menu_pictures.business_id': { unless: ['url'] },
  'menu_settings.business_id': 'step',
  'menu_sharing.business_id': 'step',
  'menu_sources.business_id': 'go',
  'merged_reviews.business_id': 'move',
  'message_deletions.business_id': 'step',
  'messages.business_id': 'step',
  'moderation_cases.business_id': 'move',
  'notifications.business_id': 'move',
  'post_drafts.business_id': 'move',
  'posts.business_id': 'step',
  'posts.linked_business_id': 'move',
  'product_variants.business_id': 'step',
  'products.business_id': 'step',
  'reviews.business_id': 'step',
  'search_documents.business_id': 'go',
  'subscription_days.business_id': { add: ['began', 'ended'], per: ['day'] },
  'subscription_offers.business_id': { unless: [] },
  'subscriptions.business_id': 'step',
  'team_invitations.business_id': { unless: ['email'] },
  // Visitors of both would be counted twice.
  'visit_days.business_id': 'go',
  'visit_events.business_id': 'step',
  'webhooks.business_id': 'go',
}

export type Pair = { fromId: string; intoId: string }
export type LockedPair = { fromId: Locked<'businesses'>; intoId: Locked<'businesses'> }

/** Handles all columns except those of a `step`. */
export async function mergeTables(tx: Tx, { fromId, intoId }: LockedPair): Promise<void> {
  for (const [name, handling] of Object.entries(mergedColumns)) {
    if (handling === 'go' || handling === 'step') continue
    const [tableName = '', columnName = ''] = name.split('.')
    const [table, column] = [sql.table(tableName), sql.ref(columnName)]
    if (handling === 'move') {
      await sql`update ${table} set ${column} = ${intoId}::uuid where ${column} = ${fromId}::uuid`.execute(tx)
    } else if ('unless' in handling) {
      const same = [
        sql`present.${column} = ${intoId}::uuid`,
        ...handling.unless.map((key) => sql`present.${sql.ref(key)} = moving.${sql.ref(key)}`),
      ]
      await sql`update ${table} moving set ${column} = ${intoId}::uuid where ${column} = ${fromId}::uuid
        and not exists (select from ${table} present where ${sql.join(same, sql` and `)})`.execute(tx)
    } else {
      const key = sql.join([...handling.per, ...handling.add].map((each) => sql.ref(each)))
      const sums = handling.add.map((each) => sql`${sql.ref(each)} = ${table}.${sql.ref(each)} + excluded.${sql.ref(each)}`)
      const unique = sql.join([columnName, ...handling.per].map((each) => sql.ref(each)))
      await sql`insert into ${table} (${column}, ${key}) select ${intoId}::uuid, ${key} from ${table} where ${column} = ${fromId}::uuid
        on conflict (${unique}) do update set ${sql.join(sums)}`.execute(tx)
    }
  }
}
