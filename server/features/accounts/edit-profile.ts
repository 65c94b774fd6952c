import type { CurrentUser } from '#contracts/accounts.ts'
import type { PrivacySettings, ProfileEdits } from '#contracts/settings.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { requireReadyMedia, syncMediaUses } from '#server/features/media/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { withoutZip } from '#server/kernel/geo/place-search.ts'
import { markForSearch } from '#server/kernel/search.ts'
import { lockOwn, updateOwn } from './accounts.queries.ts'
import { type SessionFactor, toCurrentUser } from './accounts.view.ts'
import { requireCleanProfile } from './profile-words.ts'

type Session = { actor: Actor; user: SessionFactor }

/** An empty string clears the value; undefined leaves it unchanged. */
const orNull = (text: string | undefined) => (text === '' ? null : text)

/**
 * Edits the profile. A profile hidden by moderators can be edited but stays hidden until they restore it. A removed picture
 * immediately becomes unreadable to others and is swept.
 * @throws AppError signed_out; invalid_input for `imageId`, or for words that can't be published
 */
export async function editProfile(ctx: Pick<Context, 'db' | 'clock'>, { actor, user }: Session, edits: ProfileEdits): Promise<CurrentUser> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const before = await lockOwn(tx, actor.id)
    const { imageId, ...words } = edits
    if (imageId && imageId !== before.image_id) await requireReadyMedia(tx, actor.id, [imageId], { kinds: ['image'], field: 'imageId' })
    requireCleanProfile(actor, before, words)
    const { displayName, firstName = before.first_name, lastName = before.last_name, location, bio, interests } = words
    const saved = await updateOwn(tx, actor.id, {
      display_name: orNull(displayName),
      first_name: firstName,
      last_name: lastName,
      name: [firstName, lastName].filter(Boolean).join(' '),
      location: orNull(location && withoutZip(location)),
      bio: orNull(bio),
      interests: interests && [...new Set(interests.filter((interest) => interest !== ''))],
      image_id: imageId,
      updated_at: now,
    })
    if (imageId !== undefined) await syncMediaUses(tx, 'person', [actor.id])
    await markForSearch(tx, 'person', [actor.id])
    return toCurrentUser(saved, user)
  })
}

/** @throws AppError signed_out if the account was deleted */
export async function savePrivacy(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { actor, user }: Session,
  { isProfilePublic, allowLocationSharing }: PrivacySettings,
): Promise<CurrentUser> {
  return inTransaction(db, async (tx) => {
    const changes = { is_profile_public: isProfilePublic, allow_location_sharing: allowLocationSharing, updated_at: clock.now() }
    const saved = await updateOwn(tx, actor.id, changes)
    await markForSearch(tx, 'person', [actor.id])
    return toCurrentUser(saved, user)
  })
}
