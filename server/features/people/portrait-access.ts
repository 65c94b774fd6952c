import { sql } from 'kysely'
import { theseIds } from '../../db/these-ids.ts'
import { hasRole } from '../../kernel/actor.ts'
import type { MayReadMedia } from '../media/index.ts'

/** A person's picture is for everyone, or for its owner and moderators when the profile isn't public or moderators hid it. */
export const mayReadPortrait: MayReadMedia = async (db, actor, personIds) => {
  const people = await db
    .selectFrom('users')
    .select(['id', sql<boolean>`is_profile_public and profile_moderation is null`.as('is_shown')])
    .where(sql<boolean>`id = ${theseIds(personIds)}`)
    .execute()
  if (people.some((person) => person.is_shown)) return 'portrait'
  return actor && (hasRole(actor, 'moderator') || people.some(({ id }) => id === actor.id)) ? 'allowed' : 'denied'
}
