import type { ProfileEdits } from '../../../contracts/settings.ts'
import type { Actor } from '../../kernel/actor.ts'
import { createWordCheck, personFacts, requireClean } from '../screening/index.ts'
import type { CurrentUserRow } from './accounts.view.ts'

/**
 * Each field for itself. To hold a profile would take the name from everything its owner wrote: words that a post would be held for are
 * refused, all of them at once. What is shown already stays: a moderator may have approved it.
 * @throws AppError invalid_input
 */
export function requireCleanProfile(writer: Pick<Actor, 'trust'>, before: CurrentUserRow, words: Omit<ProfileEdits, 'imageId'>): void {
  const check = createWordCheck(personFacts('profile', writer), null)
  const { displayName, firstName, lastName, location, bio, interests } = words
  const texts = { displayName, firstName, lastName, location, bio, interests: interests?.join('\n') }
  const shown = [before.display_name, before.first_name, before.last_name, before.location, before.bio, before.interests.join('\n')]
  requireClean(check(texts, shown))
}
