import type { CurrentUser, PersonalProfile } from '../../../contracts/accounts.ts'
import { utcDate } from '../../../contracts/age.ts'
import type { BusinessType } from '../../../contracts/business-types.ts'
import type { Tx } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { deleteAccountWithoutBirthday, setBirthday, updateOnboardedAsBusiness, updatePersonalProfile } from './accounts.queries.ts'
import { type SessionFactor, toCurrentUser } from './accounts.view.ts'
import { judgeAge, requireAdult } from './birthday.ts'

/**
 * Saves the personal form and completes onboarding.
 * @throws AppError birthday_required, underage
 */
export async function savePersonalProfile(
  ctx: Context,
  { actor, user }: { actor: Actor; user: SessionFactor },
  profile: PersonalProfile,
): Promise<CurrentUser> {
  await provideBirthday(ctx, actor, profile.birthday)
  const saved = await updatePersonalProfile(ctx.db, actor.id, profile, ctx.clock.now())
  if (!saved) throw new AppError('signed_out')
  return toCurrentUser(saved, user)
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
