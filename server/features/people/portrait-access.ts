import type { Db } from '../../db/connect.ts'
import { type Actor, hasRole } from '../../kernel/actor.ts'

/**
 * Of the picture of a profile that is not public, or that moderators hid: for moderators alone, beside its owner. That of any other is for
 * everybody, and nobody is asked about it.
 */
export async function mayReadPortrait(db: Db, actor: Actor | null, mediaId: string): Promise<'allowed' | 'denied' | 'unattached'> {
  const person = await db.selectFrom('users').select('id').where('image_id', '=', mediaId).executeTakeFirst()
  if (!person) return 'unattached'
  return actor && (actor.id === person.id || hasRole(actor, 'moderator')) ? 'allowed' : 'denied'
}
