import type { ProfileEdits } from '#contracts/settings.ts'
import { createWordCheck, personFacts, requireClean } from '#server/features/screening/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { CurrentUserRow } from './accounts.view.ts'

/**
 * Rejects words that would get a post held, and reports all fields at once. Profiles are never held, because that would remove
 * the author's name from everything they wrote. Unchanged text passes, since a moderator may have approved it.
 * @throws AppError invalid_input
 */
export function requireCleanProfile(writer: Pick<Actor, 'trust'>, before: CurrentUserRow, words: Omit<ProfileEdits, 'imageId'>): void {
  const check = createWordCheck(personFacts('profile', writer), null)
  const { displayName, firstName, lastName, location, bio, interests } = words
  const texts = { displayName, firstName, lastName, location, bio, interests: interests?.join('\n') }
  const shown = [before.display_name, before.first_name, before.last_name, before.location, before.bio, before.interests.join('\n')]
  requireClean(check(texts, shown))
}
