import type { CurrentUser } from '#contracts/accounts.ts'
import { utcDate } from '#contracts/age.ts'
import type { BusinessType } from '#contracts/business-types.ts'
import type { PersonalProfile } from '#contracts/personal-profile.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { withoutZip } from '#server/kernel/geo/place-search.ts'
import { markForSearch } from '#server/kernel/search.ts'
import {
  deleteAccountWithoutBirthday,
  lockOwn,
  setAgeConfirmed,
  setBirthday,
  updateOnboardedAsBusiness,
  updatePersonalProfile,
} from './accounts.queries.ts'
import { type SessionFactor, toCurrentUser } from './accounts.view.ts'
import { judgeAge, requireAdult } from './birthday.ts'
import { requireCleanProfile } from './profile-words.ts'

/**
 * Saves the personal form and completes onboarding.
 * @throws AppError birthday_required, underage; invalid_input for words that can't be published
 */
export async function savePersonalProfile(
  ctx: Context,
  { actor, user }: { actor: Actor; user: SessionFactor },
  profile: PersonalProfile,
): Promise<CurrentUser> {
  await provideBirthday(ctx, actor, profile.birthday)
  return inTransaction(ctx.db, async (tx) => {
    const before = await lockOwn(tx, actor.id)
    requireCleanProfile(actor, before, profile)
    const details = { ...profile, location: withoutZip(profile.location) }
    const saved = await updatePersonalProfile(tx, actor.id, details, ctx.clock.now())
    await markForSearch(tx, 'person', [actor.id])
    return toCurrentUser(saved, user)
  })
}

/** @throws AppError signed_out if the account was deleted */
export async function confirmAge({ db, clock }: Context, { actor, user }: { actor: Actor; user: SessionFactor }): Promise<CurrentUser> {
  return toCurrentUser(await setAgeConfirmed(db, actor.id, clock.now()), user)
}

/**
 * Ensures that an account's age is known. Accounts created by an OpenID provider have no birthday until the first form sets it;
 * a later value is ignored. Deletes the account and its sessions if the person is under 18, so call this before a transaction,
 * not inside one, or the error would roll the deletion back.
 * @throws AppError birthday_required, underage, invalid_input
 */
export async function provideBirthday(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, birthday: string | undefined): Promise<void> {
  if (actor.birthday !== null) return
  if (birthday === undefined) throw new AppError('birthday_required')
  const now = ctx.clock.now()
  if (judgeAge(birthday, utcDate(now)) === 'underage') await deleteAccountWithoutBirthday(ctx.db, actor.id)
  requireAdult(birthday, ctx.clock)
  await setBirthday(ctx.db, actor.id, birthday, now)
}

/**
 * Records that the business form was completed. The first completed form determines the account's type.
 * Call `provideBirthday` first.
 */
export const completeOnboardingAsBusiness = (tx: Tx, userId: string, businessType: BusinessType, now: Date): Promise<void> =>
  updateOnboardedAsBusiness(tx, userId, businessType, now)
