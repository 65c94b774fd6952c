import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { isDeletedFor, isOnSide } from './held.queries.ts'

/**
 * Whether somebody may see a photo of a message: the two sides, as long as they have the message. (In the case about a message that
 * was reported, `mayReadCaseMedia` lets its moderators see them.)
 */
export async function mayReadMessageMedia(db: Db, actor: Actor | null, mediaId: string): Promise<'allowed' | 'denied' | 'unattached'> {
  const self = sql`${actor?.id ?? null}::uuid`
  const { rows } = await sql<{ is_allowed: boolean }>`
    select
      exists (select from conversations join conversation_sides on conversation_sides.conversation_id = conversations.id
        where conversations.id = messages.conversation_id and ${isOnSide(self)}
          and messages.sequence > conversation_sides.cleared_sequence
          and not ${isDeletedFor(sql`messages.id`, sql`conversation_sides.user_id`, sql`conversation_sides.business_id`)}
          and (messages.moderation is null or (messages.moderation <> 'removed'
            and case when messages.is_from_business then conversation_sides.business_id is not null
              else conversation_sides.user_id = messages.sender_id end))) as is_allowed
    from message_media join messages on messages.id = message_media.message_id
    where message_media.media_id = ${mediaId}::uuid`.execute(db)
  const [photo] = rows
  if (!photo) return 'unattached'
  return photo.is_allowed ? 'allowed' : 'denied'
}
