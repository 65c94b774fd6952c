import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'

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

/** Those of these that are listings of the register without an owner, in the same order. */
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

/** How the register says that a business is reached: never what somebody typed here. */
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

/** Its business must be locked before: whoever decides about one claim decides about all of that business. */
export const lockClaim = (tx: Tx, id: string) =>
  tx.selectFrom('claims').select(columns).where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

export const latestClaim = (db: Db, userId: string, businessId: string) =>
  db
    .selectFrom('claims')
    .select(columns)
    .where('user_id', '=', userId)
    .where('business_id', '=', businessId)
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
    .forUpdate()
    .executeTakeFirst()

export async function countClaims(tx: Tx, of: { userId: string } | { codesOf: string }, since: Date): Promise<number> {
  const recent = tx
    .selectFrom('claims')
    .select((eb) => eb.fn.countAll<number>().as('claims'))
    .where('created_at', '>', since)
  const counted =
    'userId' in of ? recent.where('user_id', '=', of.userId) : recent.where('business_id', '=', of.codesOf).where('method', '!=', 'review')
  const { claims } = await counted.executeTakeFirstOrThrow()
  return claims
}

/** What is shown to prove something is not kept longer than it is needed: what nothing refers to is swept. */
export const over = { document_id: null } as const

export const closeClaim = (tx: Tx, id: string, closed_because: 'attempts' | 'expired' | 'claimed' | 'withdrawn', now: Date) =>
  tx
    .updateTable('claims')
    .set({ ...over, status: 'closed', closed_because, decided_at: now })
    .where('id', '=', id)
    .execute()
