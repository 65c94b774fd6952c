import type { CurrentUser } from '../../../contracts/accounts.ts'
import { utcDate } from '../../../contracts/age.ts'
import type { BusinessType } from '../../../contracts/business-types.ts'
import type { PersonalProfile } from '../../../contracts/personal-profile.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { withoutZip } from '../../kernel/geo/place-search.ts'
import { markForSearch } from '../../kernel/search.ts'
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
 * @throws AppError birthday_required, underage; invalid_input about words that others could not be shown
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

/** @throws AppError signed_out when the account ended meanwhile */
export async function confirmAge({ db, clock }: Context, { actor, user }: { actor: Actor; user: SessionFactor }): Promise<CurrentUser> {
  return toCurrentUser(await setAgeConfirmed(db, actor.id, clock.now()), user)
}

/**
 * Makes sure that the age of an account is known: accounts that an OpenID provider opened come without a birthday and
 * give it once, with the first form. Ignored when there is one already. An account of somebody under 18 is deleted with
 * its sessions; so call this before a transaction, not in it, or the refusal would undo the deletion.
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
 * The business form was completed. The form that is completed first decides the type of the account; later ones leave it.
 * The account's birthday must be known by now: see `provideBirthday`.
 */
export const completeOnboardingAsBusiness = (tx: Tx, userId: string, businessType: BusinessType, now: Date): Promise<void> =>
  updateOnboardedAsBusiness(tx, userId, businessType, now)
