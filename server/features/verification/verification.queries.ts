import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import type { Locked } from '#server/db/locked.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { rolesThatCan } from '#server/features/team/index.ts'
import { type NotifiedSubject, notifiedId } from '#server/kernel/notified-subject.ts'

export type VerificationRow = NonNullable<Awaited<ReturnType<typeof verificationRow>>>
export type RegisterRow = Awaited<ReturnType<typeof registerRows>>[number]

const selectVerifications = (db: Db) => db.selectFrom('license_verifications').selectAll()

export const verificationRow = (db: Db, id: string) => selectVerifications(db).where('id', '=', id).executeTakeFirst()

/** A locked request, whose business is also locked. */
export type LockedVerification = VerificationRow & { business_id: Locked<'businesses'> }

export async function lockVerification(tx: Tx, businessId: Locked<'businesses'>, id: string): Promise<LockedVerification> {
  const row = await selectVerifications(tx).where('id', '=', id).where('business_id', '=', businessId).forUpdate().executeTakeFirstOrThrow()
  return { ...row, business_id: businessId }
}

export const verifiedOf = (db: Db, businessId: string) =>
  selectVerifications(db).where('business_id', '=', businessId).where('status', '=', 'verified').executeTakeFirst()

export const pendingOf = (db: Db, businessId: string) =>
  selectVerifications(db).where('business_id', '=', businessId).where('status', '=', 'pending').executeTakeFirst()

export const historyOf = (db: Db, businessId: string, limit: number) =>
  selectVerifications(db).where('business_id', '=', businessId).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()

/** The request that determines the verification status of a business in the outer query: the verified one, or else the last. */
export const decisiveVerification = sql`
  select status, document_id, expires_on from license_verifications
  where business_id = businesses.id
  order by status = 'verified' desc, created_at desc, id desc
  limit 1`

export const lastEnded = (db: Db, businessId: string, state: string, numberKey: string) =>
  selectVerifications(db)
    .where('business_id', '=', businessId)
    .where('state', '=', state)
    .where('license_number_key', '=', numberKey)
    .where('status', 'in', ['expired', 'revoked', 'superseded'])
    .orderBy('ended_at', 'desc')
    .limit(1)
    .executeTakeFirst()

export const holderOf = (db: Db, state: string, numberKey: string) =>
  selectVerifications(db)
    .where('state', '=', state)
    .where('license_number_key', '=', numberKey)
    .where('status', '=', 'verified')
    .executeTakeFirst()

const registerColumns = [
  'id',
  'business_id',
  'register_place',
  'license_number',
  'license_number_key',
  'name_key',
  'business_name',
  'license_type',
  'business_type',
  'status',
  'designation',
  'standing',
  'state',
  'authority',
  'source',
  'source_date',
  'expires_on',
  'website',
  'phone',
] as const

export const registerRows = (db: Db, state: string, numberKey: string) =>
  db
    .selectFrom('licenses')
    .select(registerColumns)
    .where('state', '=', state)
    .where('license_number_key', '=', numberKey)
    .orderBy('id')
    .execute()

export const registerRow = (db: Db, id: string) => db.selectFrom('licenses').select(registerColumns).where('id', '=', id).executeTakeFirst()

export const registerRowsByIds = (db: Db, ids: readonly string[]) =>
  db.selectFrom('licenses').select(registerColumns).where(sql<boolean>`id = any(${ids}::uuid[])`).execute()

/** Locks a register row, so that if two businesses submit the same license at once, the second sees that the first is verified. */
export const lockRegisterRow = (tx: Tx, id: string) =>
  tx.selectFrom('licenses').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

export const linkedRows = (db: Db, businessId: string) =>
  db
    .selectFrom('licenses')
    .select(registerColumns)
    .where('business_id', '=', businessId)
    .where('license_number_key', 'is not', null)
    .orderBy('license_number')
    .orderBy('id')
    .limit(20)
    .execute()

/**
 * Whether a person can't decide a request, because they made it or belong to a business involved: the requesting one (now or at any time
 * since the request), the one verified with the license, or the one that has it as its listing. Never null, not even without a requester.
 */
const hasConflictOfInterest = (userId: RawBuilder<unknown>) => sql<boolean>`(
  license_verifications.requested_by is not distinct from ${userId}
  or exists (
    select from business_members member where member.user_id = ${userId} and member.business_id in (
      select license_verifications.business_id
      union all select licenses.business_id from licenses where licenses.id = license_verifications.license_id
      union all select holder.business_id from license_verifications holder where holder.status = 'verified'
        and holder.state = license_verifications.state and holder.license_number_key = license_verifications.license_number_key))
  or exists (
    select from audit_log where subject_type = 'user' and subject_id = ${userId}
      and audit_log.business_id = license_verifications.business_id and action in ('team.left', 'team.removed')
      and at >= license_verifications.created_at))`

export async function findConflictsOfInterest(db: Db, userId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const requests = await db
    .selectFrom('license_verifications')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where(hasConflictOfInterest(sql`${userId}::uuid`))
    .execute()
  return new Set(idsOf(requests))
}

/** Excludes approvals by people who have since lost their role or may no longer decide. */
export const standingApprovals = (db: Db) =>
  db
    .selectFrom('license_approvals')
    .innerJoin('users', 'users.id', 'license_approvals.user_id')
    .innerJoin('license_verifications', 'license_verifications.id', 'license_approvals.verification_id')
    .where('users.role', '<>', 'member')
    .where((eb) => eb.not(hasConflictOfInterest(sql.ref('license_approvals.user_id'))))

/** Records an approval, once per person, and counts the valid approvals of different people. */
export async function approve(tx: Tx, verificationId: string, userId: string, now: Date): Promise<{ isNew: boolean; approvals: number }> {
  const added = await tx
    .insertInto('license_approvals')
    .values({ verification_id: verificationId, user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  const approvals = await countRows(standingApprovals(tx).where('verification_id', '=', verificationId))
  return { isNew: added !== undefined, approvals }
}

export async function verifiedIds(db: Db, after: string | null, limit: number): Promise<{ id: string; business_id: string }[]> {
  return db
    .selectFrom('license_verifications')
    .select(['id', 'business_id'])
    .where('status', '=', 'verified')
    .$if(after !== null, (query) => query.where('id', '>', after))
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Those on a business's team who can verify its license, except demo accounts. */
export const licenseManagers = (db: Db, businessId: string) =>
  db
    .selectFrom('business_members')
    .innerJoin('users', 'users.id', 'business_members.user_id')
    .select(['users.id', 'users.email'])
    .where('business_id', '=', businessId)
    .where('business_members.role', 'in', rolesThatCan('license'))
    .where('users.is_demo', '=', false)
    .orderBy('users.id')
    .execute()

/** `ended`: the license expired or was revoked. `unproven`: it matched the register, without other proof. */
export type LicenseChange = 'verified' | 'rejected' | 'expiring' | 'ended' | 'unproven'

/** The statuses in which news of a license is still true. */
export const statusesAfter: Record<LicenseChange, readonly VerificationRow['status'][]> = {
  verified: ['verified'],
  expiring: ['verified'],
  rejected: ['rejected'],
  unproven: ['unproven'],
  ended: ['expired', 'revoked'],
}

const isStillTrue = sql<boolean>`case asked.type ${sql.join(
  Object.entries(statusesAfter).map(
    ([change, statuses]) =>
      sql`when ${sql.lit(`license_${change}`)} then news.status in (${sql.join(statuses.map((status) => sql.lit(status)))})`,
  ),
  sql` `,
)} end`

/**
 * Shown to team members who manage the license, while the news is still true. A renewal hides the warning that the license is expiring, and
 * another verified license hides bad news about the others.
 */
export const notifiedLicenses: NotifiedSubject<null> = (asked, viewer) => sql`
  select asked.id, null::jsonb as facts
  from ${asked} asked join business_members on business_members.business_id = asked.business_id
    join license_verifications as news on news.id = ${notifiedId('verification_id', 3)}
  where business_members.user_id = ${viewer.id}::uuid and business_members.role = any(${rolesThatCan('license')}::text[])
    and ${isStillTrue} and (asked.type <> 'license_expiring' or split_part(asked.group_key, ':', 4) = news.expires_on::text)
    and (news.status = 'verified' or not exists (
      select from license_verifications as other where other.business_id = news.business_id and other.status = 'verified'))`
