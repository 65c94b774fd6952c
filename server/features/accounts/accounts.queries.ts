import { type Insertable, type Selectable, sql, type UpdateObject } from 'kysely'
import type { Registration, Role } from '#contracts/accounts.ts'
import type { BusinessType } from '#contracts/business-types.ts'
import type { DB, Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { markForSearch } from '#server/kernel/search.ts'
import { type CurrentUserRow, currentUserColumns } from './accounts.view.ts'
import { isReserved } from './email-changes.queries.ts'
import type { OpenIdIdentity, OpenIdProfile } from './openid.ts'

/** The provider of credentials that hold a password. Their `account_id` is the user's own ID. */
export const passwordProvider = 'credential'
/** A subject identifies a person only together with its issuer, so each issuer counts as a separate provider. */
export const openIdProvider = (issuer: string) => `openid ${issuer}`

export type Account = Pick<
  Selectable<DB['users']>,
  'id' | 'email' | 'email_verified' | 'signed_up_again_at' | 'first_name' | 'last_name' | 'display_name' | 'is_demo'
>
const accountColumns = [
  'id',
  'email',
  'email_verified',
  'signed_up_again_at',
  'first_name',
  'last_name',
  'display_name',
  'is_demo',
] as const

export const findAccountByEmail = (db: Db, email: string): Promise<Account | undefined> =>
  db.selectFrom('users').select(accountColumns).where('email', '=', email).executeTakeFirst()

export const findAccount = (db: Db, id: string): Promise<Account | undefined> =>
  db.selectFrom('users').select(accountColumns).where('id', '=', id).executeTakeFirst()

export const findSignIn = (db: Db, email: string) =>
  db
    .selectFrom('users as u')
    .leftJoin('credentials as c', (join) => join.onRef('c.user_id', '=', 'u.id').on('c.provider_id', '=', passwordProvider))
    .select(['u.id', 'u.email_verified', 'u.user_type', 'u.has_completed_onboarding', 'u.is_demo', 'c.password as password_hash'])
    .where('u.email', '=', email)
    .executeTakeFirst()

export type NewAccount = Omit<Registration, 'password' | 'accountType'> & { userType: Registration['accountType']; passwordHash: string }

/** @returns the new account's ID, or null if the email is taken or still reserved by a recent address change */
export async function insertAccount(tx: Tx, account: NewAccount, now: Date): Promise<string | null> {
  if (await isReserved(tx, account.email, now)) return null
  const isBusiness = account.userType === 'business'
  const times = { created_at: now, updated_at: now }
  const inserted = await tx
    .insertInto('users')
    .values({
      id: newId(),
      email: account.email,
      name: `${account.firstName} ${account.lastName}`,
      first_name: account.firstName,
      last_name: account.lastName,
      birthday: account.birthday,
      user_type: account.userType,
      business_type: isBusiness ? (account.businessType ?? null) : null,
      license_number: isBusiness ? account.licenseNumber || null : null,
      ...times,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) return null
  // The insert may have waited for an address change that reserves this address. Only a new statement sees that.
  if (await isReserved(tx, account.email, now)) {
    await tx.deleteFrom('users').where('id', '=', inserted.id).execute()
    return null
  }
  await markForSearch(tx, 'person', [inserted.id])
  await setPassword(tx, inserted.id, account.passwordHash, now)
  return inserted.id
}

export async function setPassword(tx: Tx, userId: string, passwordHash: string, now: Date): Promise<void> {
  await tx
    .insertInto('credentials')
    .values({
      id: newId(),
      user_id: userId,
      provider_id: passwordProvider,
      account_id: userId,
      password: passwordHash,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(['provider_id', 'account_id']).doUpdateSet({ password: passwordHash, updated_at: now }))
    .execute()
}

/** @returns false if the provider's account is already connected */
export async function insertOpenIdCredential(tx: Tx, userId: string, profile: OpenIdIdentity, now: Date): Promise<boolean> {
  const { issuer, subject } = profile
  const inserted = await tx
    .insertInto('credentials')
    .values({ id: newId(), user_id: userId, provider_id: openIdProvider(issuer), account_id: subject, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(['provider_id', 'account_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Also deletes credentials of providers that the site used before. @returns false if none was connected */
export async function deleteOpenIdCredential(tx: Tx, userId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('credentials')
    .where('user_id', '=', userId)
    .where('provider_id', 'like', openIdProvider('%'))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Deletes every way into an account except its password. @returns whether it had any */
export async function deleteOtherSignInMethods(tx: Tx, userId: string): Promise<boolean> {
  let hadAny = await deleteOpenIdCredential(tx, userId)
  for (const table of ['passkeys', 'second_factors', 'person_keys'] as const) {
    const { numDeletedRows } = await tx.deleteFrom(table).where('user_id', '=', userId).executeTakeFirst()
    hadAny ||= numDeletedRows > 0n
  }
  return hadAny
}

export const findByOpenId = (
  db: Db,
  { issuer, subject }: OpenIdIdentity,
): Promise<Pick<Account, 'id' | 'email' | 'email_verified'> | undefined> =>
  db
    .selectFrom('credentials as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .select(['u.id', 'u.email', 'u.email_verified'])
    .where('c.provider_id', '=', openIdProvider(issuer))
    .where('c.account_id', '=', subject)
    .executeTakeFirst()

/**
 * Earlier releases didn't store the issuer of connected accounts, so those accounts are assigned to the provider that is configured
 * now. A process of an earlier release may have connected an account a second time. The duplicate is deleted.
 */
export async function storeIssuers({ db, config }: Pick<Context, 'db' | 'config'>): Promise<void> {
  if (!config.oidc) return
  const name = openIdProvider(config.oidc.issuer)
  await inTransaction(db, async (tx) => {
    const former = tx.updateTable('credentials as c').set({ provider_id: name }).where('c.provider_id', '=', 'openid')
    await former
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('credentials as known')
              .select('known.id')
              .where('known.provider_id', '=', name)
              .whereRef('known.account_id', '=', 'c.account_id'),
          ),
        ),
      )
      .execute()
    await tx.deleteFrom('credentials').where('provider_id', '=', 'openid').execute()
  })
}

/** @returns null if the email is taken or still reserved */
export async function insertOpenIdAccount(tx: Tx, profile: OpenIdProfile, now: Date): Promise<string | null> {
  if (await isReserved(tx, profile.email, now)) return null
  const inserted = await tx
    .insertInto('users')
    .values({
      id: newId(),
      email: profile.email,
      email_verified: profile.isEmailVerified,
      name: profile.name,
      first_name: profile.firstName,
      last_name: profile.lastName,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id ?? null
}

/** Waits for a concurrent change to finish. */
export async function isPasswordUnchanged(db: Db, userId: string, passwordHash: string | null): Promise<boolean> {
  const unchanged = await db
    .selectFrom('credentials')
    .select('id')
    .where('provider_id', '=', passwordProvider)
    .where('account_id', '=', userId)
    .where('password', '=', passwordHash)
    .forShare()
    .executeTakeFirst()
  return unchanged !== undefined
}

export async function markEmailVerified(db: Db, userId: string, now: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({ email_verified: true, updated_at: now })
    .where('id', '=', userId)
    .where('email_verified', '=', false)
    .execute()
}

/** No-op for a confirmed address. */
export async function markSignedUpAgain(tx: Tx, email: string, now: Date): Promise<void> {
  await tx
    .updateTable('users')
    .set({ signed_up_again_at: now })
    .where('email', '=', email)
    .where('email_verified', '=', false)
    .where('signed_up_again_at', 'is', null)
    .execute()
}

/** @returns false if several people may have signed up with the address, so that a new password must be chosen */
export async function confirmSignUp(db: Db, userId: string, now: Date): Promise<boolean> {
  const confirmed = await db
    .updateTable('users')
    .set({ email_verified: true, updated_at: now })
    .where('id', '=', userId)
    .where('signed_up_again_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return confirmed !== undefined
}

export async function setRole(db: Db, userId: string, role: Role): Promise<void> {
  await db.updateTable('users').set({ role }).where('id', '=', userId).execute()
}

export async function insertSession(db: Db, session: Omit<Insertable<DB['sessions']>, 'id'>): Promise<string> {
  const id = newId()
  await db
    .insertInto('sessions')
    .values({ ...session, id })
    .execute()
  return id
}

export async function deleteSession(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token', '=', tokenHash).execute()
}

export async function deleteSessionById(db: Db, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute()
}

export async function deleteOtherSessions(tx: Tx, userId: string, exceptSessionId: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '<>', exceptSessionId)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export async function deleteSessionsOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('sessions').where('user_id', '=', userId).execute()
}

/**
 * Sets the birthday of an account that has none and resets its creation date, because the database requires that
 * a person was of age when the account was created.
 */
export async function setBirthday(db: Db, userId: string, birthday: string, now: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({ birthday, created_at: now, updated_at: now })
    .where('id', '=', userId)
    .where('birthday', 'is', null)
    .execute()
}

/** Also deletes the account's sessions. */
export async function deleteAccountWithoutBirthday(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('users').where('id', '=', userId).where('birthday', 'is', null).execute()
}

export const setAgeConfirmed = (db: Db, userId: string, now: Date) =>
  updateOwn(db, userId, { age_confirmed_at: sql<Date>`coalesce(age_confirmed_at, ${now}::timestamptz)` })

export type PersonalDetails = {
  firstName: string
  lastName: string
  location: string
  bio: string
  interests: string[]
  isProfilePublic: boolean
  allowLocationSharing: boolean
}

/** @throws AppError signed_out if the account was deleted */
export async function lockOwn(tx: Tx, userId: string): Promise<CurrentUserRow> {
  const row = await tx.selectFrom('users').select(currentUserColumns).where('id', '=', userId).forUpdate().executeTakeFirst()
  if (!row) throw new AppError('signed_out')
  return row
}

/** Skips undefined values. @throws AppError signed_out if the account was deleted */
export async function updateOwn(db: Db, userId: string, changes: UpdateObject<DB, 'users'>): Promise<CurrentUserRow> {
  const saved = await db.updateTable('users').set(changes).where('id', '=', userId).returning(currentUserColumns).executeTakeFirst()
  if (!saved) throw new AppError('signed_out')
  return saved
}

/** The first completed form determines the account's type. */
export const updatePersonalProfile = (tx: Tx, userId: string, details: PersonalDetails, now: Date): Promise<CurrentUserRow> =>
  tx
    .updateTable('users')
    .set((eb) => ({
      name: `${details.firstName} ${details.lastName}`,
      first_name: details.firstName,
      last_name: details.lastName,
      location: details.location,
      bio: details.bio || null,
      interests: details.interests,
      is_profile_public: details.isProfilePublic,
      allow_location_sharing: details.allowLocationSharing,
      user_type: eb
        .case()
        .when('has_completed_onboarding', '=', true)
        .then(eb.ref('user_type'))
        .else(eb.val('consumer' as const))
        .end(),
      has_completed_onboarding: true,
      updated_at: now,
    }))
    .where('id', '=', userId)
    .returning(currentUserColumns)
    .executeTakeFirstOrThrow()

/** The first completed form determines the account's type. */
export async function updateOnboardedAsBusiness(tx: Tx, userId: string, businessType: BusinessType, now: Date): Promise<void> {
  await tx
    .updateTable('users')
    .set({ user_type: 'business', business_type: businessType, has_completed_onboarding: true, updated_at: now })
    .where('id', '=', userId)
    .where('has_completed_onboarding', '=', false)
    .execute()
  await markForSearch(tx, 'person', [userId])
}

export type PasskeyRow = Selectable<DB['passkeys']>

export const passkeysOf = (db: Db, userId: string): Promise<PasskeyRow[]> =>
  db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute()

export async function workingKeyNames(db: Db, userId: string, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('person_keys')
    .select('name')
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('id')
    .execute()
  return rows.map(({ name }) => name)
}

/** @returns how many of the passkeys belonged to the account */
export async function deletePasskeys(tx: Tx, userId: string, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const { numDeletedRows } = await tx.deleteFrom('passkeys').where('user_id', '=', userId).where('id', 'in', ids).executeTakeFirst()
  return Number(numDeletedRows)
}

export const findPasskey = (db: Db, credentialId: string): Promise<PasskeyRow | undefined> =>
  db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()

type Use = { counter: number; isSyncable: boolean; isSynced: boolean }

/**
 * A counter that does not increase indicates a cloned passkey; devices without a counter always send 0.
 * @returns false if the passkey was deleted, or if a clone was used first
 */
export async function markUsed(tx: Tx, id: string, { counter, isSyncable, isSynced }: Use, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ counter, is_syncable: isSyncable, is_synced: isSynced, last_used_at: now })
    .where('id', '=', id)
    .where((eb) => (counter === 0 ? eb('counter', '=', 0) : eb('counter', '<', counter)))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** A passkey counts as both factors: having the device and unlocking it. */
export async function markVerifiedByPasskey(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await tx.updateTable('sessions').set({ second_factor_at: now, proven_at: now }).where('id', '=', sessionId).execute()
}
