import type { CurrentUser } from '../../../contracts/accounts.ts'
import type { PrivacySettings, ProfileEdits } from '../../../contracts/settings.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { markForSearch } from '../../kernel/search.ts'
import { requireReadyMedia } from '../media/index.ts'
import { lockOwn } from './accounts.queries.ts'
import { currentUserColumns, type SessionFactor, toCurrentUser } from './accounts.view.ts'
import { requireCleanProfile } from './profile-words.ts'

type Session = { actor: Actor; user: SessionFactor }

/**
 * Changes what somebody says of themselves. A profile that moderators hid can be changed, and stays hidden until they show it again. A
 * picture that is taken away belongs to nothing then: it is readable for nobody else at once, and swept.
 * @throws AppError signed_out; invalid_input about `imageId`, or about words that others could not be shown
 */
export async function editProfile(ctx: Pick<Context, 'db' | 'clock'>, { actor, user }: Session, edits: ProfileEdits): Promise<CurrentUser> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const before = await lockOwn(tx, actor.id)
    const { imageId, ...words } = edits
    // The picture that is there already may be sent again.
    if (imageId && imageId !== before.image_id) await requireReadyMedia(tx, actor.id, [imageId], { kinds: ['image'], field: 'imageId' })
    await requireCleanProfile(tx, ctx, actor, before, words)
    const { displayName, firstName = before.first_name, lastName = before.last_name, location, bio, interests } = words
    const saved = await tx
      .updateTable('users')
      .set({
        ...(displayName === undefined ? {} : { display_name: displayName || null }),
        first_name: firstName,
        last_name: lastName,
        name: [firstName, lastName].filter(Boolean).join(' '),
        ...(location === undefined ? {} : { location: location || null }),
        ...(bio === undefined ? {} : { bio: bio || null }),
        ...(interests === undefined ? {} : { interests: [...new Set(interests.filter((interest) => interest !== ''))] }),
        ...(imageId === undefined ? {} : { image_id: imageId }),
        updated_at: now,
      })
      .where('id', '=', actor.id)
      .returning(currentUserColumns)
      .executeTakeFirstOrThrow()
    await markForSearch(tx, 'person', [actor.id])
    return toCurrentUser(saved, user)
  })
}

/** @throws AppError signed_out when the account ended meanwhile */
export async function savePrivacy(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { actor, user }: Session,
  { isProfilePublic, allowLocationSharing }: PrivacySettings,
): Promise<CurrentUser> {
  const saved = await inTransaction(db, async (tx) => {
    await markForSearch(tx, 'person', [actor.id])
    return tx
      .updateTable('users')
      .set({
        ...(isProfilePublic === undefined ? {} : { is_profile_public: isProfilePublic }),
        ...(allowLocationSharing === undefined ? {} : { allow_location_sharing: allowLocationSharing }),
        updated_at: clock.now(),
      })
      .where('id', '=', actor.id)
      .returning(currentUserColumns)
      .executeTakeFirst()
  })
  if (!saved) throw new AppError('signed_out')
  return toCurrentUser(saved, user)
}
