import { sql } from 'kysely'
import type { WaitingVerification } from '#contracts/verification.ts'
import type { Db } from '#server/db/connect.ts'
import { bylineColumns, peopleById, toPerson } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { concerning, type RegisterRow, registerRowsByIds, standingApprovals, type VerificationRow } from './verification.queries.ts'
import { toRegisterLicense, toVerifications } from './verification.view.ts'

type Query = { limit: number; cursor?: string | undefined }

/** Requests with a document that await two moderators, oldest first. Team members of the business see it too but can't decide. */
export async function listWaitingVerifications(db: Db, actor: Pick<Actor, 'id'>, query: Query): Promise<Page<WaitingVerification>> {
  const { items, nextCursor } = toPage(await waitingRows(db, query), query.limit, (row) => [row.created_at.toISOString(), row.id])
  const businessIds = items.map((row) => row.business_id)
  const registered = await registerRowsByIds(
    db,
    items.flatMap((row) => row.license_id ?? []),
  )
  const [verifications, businesses, people, approvals, own, holders] = await Promise.all([
    toVerifications(db, items),
    businessesOf(db, businessIds),
    peopleById(
      db,
      items.flatMap((row) => row.requested_by ?? []),
    ),
    approvalsOf(
      db,
      items.map((row) => row.id),
    ),
    concerning(
      db,
      actor.id,
      items.map((row) => row.id),
    ),
    holdersOf(db, items, registered),
  ])
  const registerById = new Map(registered.map((row) => [row.id, row]))
  return {
    nextCursor,
    items: items.flatMap((row, i) => {
      const business = businesses.get(row.business_id)
      const verification = verifications[i]
      if (!business || !verification) return []
      const given = approvals.filter((approval) => approval.verification_id === row.id)
      const mayReject = !own.has(row.id)
      const register = row.license_id ? registerById.get(row.license_id) : undefined
      return [
        {
          verification,
          business,
          requestedBy: (row.requested_by && people.get(row.requested_by)) || null,
          register: register ? toRegisterLicense(register) : null,
          holder: holders.get(row.id) ?? null,
          approvals: given.map((approval) => ({ person: toPerson(approval), approvedAt: approval.approved_at.toISOString() })),
          mayApprove: mayReject && !given.some((approval) => approval.id === actor.id),
          mayReject,
        },
      ]
    }),
  }
}

function waitingRows(db: Db, { limit, cursor }: Query): Promise<VerificationRow[]> {
  const after = decodeCursor(cursor, ['time', 'id'])
  return db
    .selectFrom('license_verifications')
    .selectAll()
    .where('status', '=', 'pending')
    .where('document_id', 'is not', null)
    .$if(after !== null, (query) => query.where(sql<boolean>`(created_at, id) > (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`))
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit + 1)
    .execute()
}

async function businessesOf(db: Db, ids: readonly string[]) {
  const rows = await db
    .selectFrom('businesses')
    .select(['id', 'slug', 'name', 'type', 'location'])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

const approvalsOf = (db: Db, ids: readonly string[]) =>
  standingApprovals(db)
    .select(bylineColumns)
    .select(['license_approvals.verification_id', 'license_approvals.created_at as approved_at'])
    .where(sql<boolean>`verification_id = any(${ids}::uuid[])`)
    .orderBy('license_approvals.created_at')
    .execute()

/** By request: the other business that is verified with the license or, failing that, has it as its listing. */
async function holdersOf(db: Db, requests: readonly VerificationRow[], registered: readonly RegisterRow[]) {
  const keys = requests.map((row) => `${row.state}:${row.license_number_key}`)
  const verified = await db
    .selectFrom('license_verifications')
    .select(['business_id', sql<string>`state || ':' || license_number_key`.as('key')])
    .where('status', '=', 'verified')
    .where(sql<boolean>`license_number_key = any(${requests.map((row) => row.license_number_key)}::text[])`)
    .where(sql<boolean>`state || ':' || license_number_key = any(${keys}::text[])`)
    .execute()
  const holderOf = (row: VerificationRow, i: number) => {
    const holder = verified.find((each) => each.key === keys[i] && each.business_id !== row.business_id)
    const listing = registered.find((each) => each.id === row.license_id)?.business_id ?? null
    if (holder) return { requestId: row.id, businessId: holder.business_id, isVerified: true }
    return listing && listing !== row.business_id ? { requestId: row.id, businessId: listing, isVerified: false } : null
  }
  const found = requests.flatMap((row, i) => holderOf(row, i) ?? [])
  const names = await businessesOf(
    db,
    found.map(({ businessId }) => businessId),
  )
  return new Map(
    found.flatMap(({ requestId, businessId, isVerified }) => {
      const business = names.get(businessId)
      return business ? [[requestId, { slug: business.slug, name: business.name, isVerified }] as const] : []
    }),
  )
}
