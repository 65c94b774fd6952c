import { sql } from 'kysely'
import type { CurrentUser, Role } from '#contracts/accounts.ts'
import { ageOn, type CalendarDate, minimumAge, utcDate } from '#contracts/age.ts'
import type { BusinessType } from '#contracts/business-types.ts'
import type { PersonalProfile } from '#contracts/people.ts'
import type { PreferencesChange, PrivacySettings, ProfileEdits } from '#contracts/settings.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { requireReadyMedia, syncMediaUses } from '#server/features/media/index.ts'
import { createWordCheck, personFacts, requireClean } from '#server/features/screening/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Clock, Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { withoutZip } from '#server/kernel/geo/place-search.ts'
import { type EraseStep, wholeWordPattern } from '#server/kernel/own-data.ts'
import { markForSearch } from '#server/kernel/search.ts'
import { toColumns } from '#server/kernel/setting-columns.ts'
import {
  deleteAccountWithoutBirthday,
  lockOwn,
  setAgeConfirmed,
  setBirthday,
  setRole,
  updateOnboardedAsBusiness,
  updateOwn,
  updatePersonalProfile,
} from './accounts.queries.ts'
import { accountStatusOf, type CurrentUserRow, type SessionDetails, toCurrentUser } from './accounts.view.ts'
import { signalSessionsEnded } from './proof.ts'
import { clearSecondFactorVerified } from './second-factor.queries.ts'

/**
 * Completes onboarding.
 * @throws AppError signed_out, birthday_required, underage; invalid_input for an impossible birthday or text that can't be published
 */
export async function savePersonalProfile(
  ctx: Context,
  { actor, user }: { actor: Actor; user: SessionDetails },
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
export async function confirmAge({ db, clock }: Context, { actor, user }: { actor: Actor; user: SessionDetails }): Promise<CurrentUser> {
  return toCurrentUser(await setAgeConfirmed(db, actor.id, clock.now()), user)
}

/**
 * Ensures that an account's age is known. Accounts created by signing in with an OpenID provider have no birthday until the first form sets
 * it; a later value is ignored. Deletes the account and its sessions if the person is under 18, so call this before a transaction,
 * not inside one, or the error would roll the deletion back.
 * @throws AppError birthday_required, underage, invalid_input
 */
export async function provideBirthday(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, birthday: string | undefined): Promise<void> {
  if (actor.birthday !== null) return
  if (birthday === undefined) throw new AppError('birthday_required')
  const now = ctx.clock.now()
  if (checkAge(birthday, utcDate(now)) === 'underage') await deleteAccountWithoutBirthday(ctx.db, actor.id)
  requireAdult(birthday, ctx.clock)
  await setBirthday(ctx.db, actor.id, birthday, now)
}

/** The first completed form determines the account's type. Call `provideBirthday` first. */
export const completeOnboardingAsBusiness = (tx: Tx, userId: string, businessType: BusinessType, now: Date): Promise<void> =>
  updateOnboardedAsBusiness(tx, userId, businessType, now)

type Session = { actor: Actor; user: SessionDetails }

const orNull = (text: string | undefined) => (text === '' ? null : text)

/**
 * A profile hidden by moderators can be edited but stays hidden until they restore it. A removed picture immediately becomes
 * unreadable to others and is swept.
 * @throws AppError signed_out; invalid_input for `imageId`, or for text that can't be published
 */
export async function updateProfile(
  ctx: Pick<Context, 'db' | 'clock'>,
  { actor, user }: Session,
  edits: ProfileEdits,
): Promise<CurrentUser> {
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
  settings: PrivacySettings,
): Promise<CurrentUser> {
  return inTransaction(db, async (tx) => {
    const saved = await updateOwn(tx, actor.id, { ...toColumns('privacy', settings), updated_at: clock.now() })
    await markForSearch(tx, 'person', [actor.id])
    return toCurrentUser(saved, user)
  })
}

/** Changes only what the request contains. @throws AppError signed_out if the account was deleted */
export async function savePreferences(
  { db, clock }: Context,
  { actor, user }: { actor: Actor; user: SessionDetails },
  change: PreferencesChange,
): Promise<CurrentUser> {
  const saved = await updateOwn(db, actor.id, { ...toColumns('display', change), updated_at: clock.now() })
  return toCurrentUser(saved, user)
}

/**
 * Rejects text that would get a post held. Reports all fields together. Profiles are never held, because that would remove the
 * person's name from everything they wrote. Unchanged text passes, since a moderator may have approved it.
 * @throws AppError invalid_input
 */
function requireCleanProfile(writer: Pick<Actor, 'trust'>, before: CurrentUserRow, words: Omit<ProfileEdits, 'imageId'>): void {
  const check = createWordCheck(personFacts('profile', writer), null)
  const { displayName, firstName, lastName, location, bio, interests } = words
  const texts = { displayName, firstName, lastName, location, bio, interests: interests?.join('\n') }
  const shown = [before.display_name, before.first_name, before.last_name, before.location, before.bio, before.interests.join('\n')]
  requireClean(check(texts, shown))
}

/** In years. An earlier birthday is a typo. */
const greatestAge = 130

type AgeVerdict = 'adult' | 'underage' | 'impossible'

export function checkAge(birthday: CalendarDate, today: CalendarDate): AgeVerdict {
  if (birthday > today) return 'impossible'
  const age = ageOn(birthday, today)
  if (age > greatestAge) return 'impossible'
  return age >= minimumAge ? 'adult' : 'underage'
}

/** @throws AppError underage, or invalid_input for an impossible date; both name `birthday` */
export function requireAdult(birthday: CalendarDate, clock: Clock): void {
  const verdict = checkAge(birthday, utcDate(clock.now()))
  if (verdict === 'impossible') throw invalidField('birthday', 'Check the year of this date')
  if (verdict === 'underage') throw underage()
}

function underage(): AppError {
  const { message } = new AppError('underage')
  return new AppError('underage', { fields: { birthday: message } })
}

/** Releases the profile picture and deletes emailed links, which store the account and address as text. */
export const eraseAccountParts: EraseStep = {
  name: 'account-parts',
  async eraseSome({ db }, { id, email }) {
    await inTransaction(db, async (tx) => {
      await tx.updateTable('users').set({ image_id: null }).where('id', '=', id).where('image_id', 'is not', null).execute()
      await syncMediaUses(tx, 'person', [id])
    })
    const { numAffectedRows = 0n } = await sql`
      delete from verifications where identifier || ' ' || value ~ any(${[id, email].map(wholeWordPattern)}::text[])`.execute(db)
    return Number(numAffectedRows)
  },
}

/**
 * Sessions must confirm the second factor again before they can use a new role. Idempotent.
 * @throws AppError forbidden (the caller's own role, or the caller is no longer an admin), conflict (a moderator's or admin's role for a
 * suspended or banned account), not_found
 */
export async function changeRole({ db, clock }: Pick<Context, 'db' | 'clock'>, actor: Actor, id: string, role: Role): Promise<void> {
  if (id === actor.id) throw new AppError('forbidden', { message: 'You can’t change your own role. Ask another admin.' })
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    // Serializes two admins who demote each other: the second is no longer an admin, so at least one remains.
    const people = await lockRoles(tx, [actor.id, id])
    const admin = people.get(actor.id)
    if (admin?.role !== 'admin' || accountStatusOf(admin, now).suspendedUntil !== null) throw new AppError('forbidden')
    const person = people.get(id)
    if (!person) throw notFound('Account not found.')
    if (person.role === role) return
    if (role !== 'member' && accountStatusOf(person, now).suspendedUntil !== null)
      throw new AppError('conflict', { message: 'This account is suspended, so it can’t have a role.' })
    await setRole(tx, id, role)
    await clearSecondFactorVerified(tx, id, null)
    const details = { before: person.role, role }
    await recordAudit(tx, { at: now, actorId: actor.id, action: 'role.changed', subjectType: 'user', subjectId: id, details })
  })
}

/** Locks in ID order, as `lockPeople` does. */
async function lockRoles(tx: Tx, ids: string[]) {
  const rows = await tx
    .selectFrom('users')
    .select(['id', 'role', 'muted_until', 'suspended_until', 'banned_at'])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * @returns the number of sessions ended
 * @throws AppError not_found
 */
export async function signOutEverywhere(ctx: Pick<Context, 'db' | 'clock' | 'live'>, actor: Actor, id: string): Promise<number> {
  const ended = await inTransaction(ctx.db, async (tx) => {
    if (!(await exists(tx, id))) throw notFound('Account not found.')
    const { numDeletedRows } = await tx.deleteFrom('sessions').where('user_id', '=', id).executeTakeFirst()
    const count = Number(numDeletedRows)
    const entry = {
      actorId: actor.id,
      action: 'person.signed_out',
      subjectType: 'user',
      subjectId: id,
      details: { sessions: count },
    } as const
    if (count > 0) await recordAudit(tx, { ...entry, at: ctx.clock.now() })
    return count
  })
  if (ended > 0) await signalSessionsEnded(ctx, id)
  return ended
}

const exists = async (db: Db, id: string) =>
  (await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
