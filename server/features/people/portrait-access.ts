import { sql } from 'kysely'
import { hasRole } from '../../kernel/actor.ts'
import type { IsForEveryone, MayReadMedia } from '../media/index.ts'

/** A person's picture is for everyone while the profile is public and moderators haven't hidden it. */
export const isPortraitShown: IsForEveryone = (personId) => sql<boolean>`exists (
  select from users where users.id = ${personId} and users.is_profile_public and users.profile_moderation is null)`

/** Otherwise it is for that person and for moderators. */
export const mayReadPortrait: MayReadMedia = async (_db, actor, personIds) => hasRole(actor, 'moderator') || personIds.includes(actor.id)
