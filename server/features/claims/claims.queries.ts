import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/connect.ts'
import type { Locked } from '#server/db/locked.ts'
import { syncMediaUses } from '#server/features/media/index.ts'

export const listingsWithLicense = async (db: Db, numberKey: string, states: readonly string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('licenses')
    .innerJoin('businesses', 'businesses.id', 'licenses.business_id')
    .select('businesses.id')
    .distinct()
    .where(sql<boolean>`licenses.state = any(${states}::text[])`)
    .where('license_number_key', '=', numberKey)
    .where('claimed_at', 'is', null)
    .where('is_demo', '=', false)
    .orderBy('businesses.id')
    .limit(20)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the IDs of register listings without an owner, in the same order. */
export async function unclaimed(db: Db, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('businesses')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('claimed_at', 'is', null)
    .where('is_demo', '=', false)
    .execute()
  const open = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => open.has(id))
}

/** A business's contacts in the register, never ones entered on this site. */
export async function listedContacts(db: Db, businessId: string): Promise<{ websites: string[]; phone: string | null }> {
  const rows = await db
    .selectFrom('licenses')
    .select(['website', 'phone'])
    .where('business_id', '=', businessId)
    .orderBy((eb) => eb.case('standing').when('listed').then(0).when('inactive').then(1).else(2).end())
    .orderBy('source_date', (order) => order.desc().nullsLast())
    .orderBy('id')
    .execute()
  return {
    websites: rows.flatMap(({ website }) => website ?? []),
    phone: rows.find(({ phone }) => phone !== null)?.phone ?? null,
  }
}

const columns = [
  'id',
  'business_id',
  'verification_id',
  'user_id',
  'method',
  'status',
  'is_dispute',
  'email',
  'phone',
  'code_number',
  'code_expires_at',
  'attempts',
  'statement',
  'document_id',
  'closed_because',
  'reason',
  'created_at',
] as const

export type ClaimRow = NonNullable<Awaited<ReturnType<typeof claimRow>>>

export const claimRow = (db: Db, id: string) => db.selectFrom('claims').select(columns).where('id', '=', id).executeTakeFirst()

/** A locked claim whose business is also locked, because deciding one claim affects the business's other claims. */
export type LockedClaim = ClaimRow & { business_id: Locked<'businesses'> }
export type OpenClaim = LockedClaim & { status: 'open' }

export const lockClaim = (tx: Tx, id: string) =>
  tx.selectFrom('claims').select(columns).where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

export async function lockClaimOf(tx: Tx, businessId: Locked<'businesses'>, id: string): Promise<LockedClaim> {
  return { ...(await lockClaim(tx, id)), business_id: businessId }
}

export const latestClaim = (db: Db, userId: string, businessId: string) =>
  db
    .selectFrom('claims')
    .select(columns)
    .where('user_id', '=', userId)
    .where('business_id', '=', businessId)
    .where('verification_id', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export const openClaimOf = (tx: Tx, userId: string, businessId: string) =>
  tx
    .selectFrom('claims')
    .select(columns)
    .where('user_id', '=', userId)
    .where('business_id', '=', businessId)
    .where('status', '=', 'open')
    .where('verification_id', 'is', null)
    .forUpdate()
    .executeTakeFirst()

export const latestProof = (db: Db, userId: string, verificationId: string) =>
  db
    .selectFrom('claims')
    .select(columns)
    .where('user_id', '=', userId)
    .where('verification_id', '=', verificationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export const openProofOf = (tx: Tx, verificationId: string) =>
  tx
    .selectFrom('claims')
    .select(columns)
    .where('verification_id', '=', verificationId)
    .where('status', '=', 'open')
    .forUpdate()
    .executeTakeFirst()

/** Codes go to the contact of a listing or of a register license. */
export type CodesAt = { businessId: string } | { licenseId: string }

export async function countClaims(tx: Tx, of: { userId: string } | CodesAt, since: Date): Promise<number> {
  const recent = tx
    .selectFrom('claims')
    .select((eb) => eb.fn.countAll<number>().as('claims'))
    .where('claims.created_at', '>', since)
  const counted =
    'userId' in of
      ? recent.where('user_id', '=', of.userId)
      : 'businessId' in of
        ? recent.where('business_id', '=', of.businessId).where('verification_id', 'is', null).where('method', '!=', 'review')
        : recent
            .innerJoin('license_verifications', 'license_verifications.id', 'claims.verification_id')
            .where('license_verifications.license_id', '=', of.licenseId)
  const { claims } = await counted.executeTakeFirstOrThrow()
  return claims
}

/** SQL over `claims`: a claim of a listing, or a license proof whose verification request is still pending. */
export const isStillAsked = sql<boolean>`(claims.verification_id is null or exists (
  select from license_verifications where license_verifications.id = claims.verification_id and license_verifications.status = 'pending'))`

export async function licensesToProve(db: Db, verificationIds: readonly string[]) {
  if (verificationIds.length === 0) return new Map<string, never>()
  const rows = await db
    .selectFrom('license_verifications')
    .select(['id', 'license_number as licenseNumber', 'state', 'license_name as licenseName'])
    .where(sql<boolean>`id = any(${verificationIds}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, ...license }) => [id, license]))
}

/** Documents are kept only while they are needed. Unreferenced ones are swept. */
export const clearedDocument = { document_id: null } as const

export async function closeClaim(
  tx: Tx,
  id: string,
  closed_because: 'attempts' | 'expired' | 'claimed' | 'withdrawn',
  now: Date,
): Promise<void> {
  await tx
    .updateTable('claims')
    .set({ ...clearedDocument, status: 'closed', closed_because, decided_at: now })
    .where('id', '=', id)
    .execute()
  await syncMediaUses(tx, 'claim', [id])
}
