import { sql } from 'kysely'
import type { Media } from '#contracts/media.ts'
import type { LicenseDifference, LicenseState, RegisterLicense, Verification, WaitingVerification } from '#contracts/verification.ts'
import type { Db } from '#server/db/connect.ts'
import { idsOf, pageIds } from '#server/db/page-ids.ts'
import { getBusiness } from '#server/features/businesses/index.ts'
import { type MayReadMedia, mediaOf } from '#server/features/media/index.ts'
import { bylineColumns, peopleById, toPerson } from '#server/features/people/index.ts'
import { requirePermission, roleCan } from '#server/features/team/index.ts'
import { type Actor, hasRole } from '#server/kernel/actor.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import {
  findConflictsOfInterest,
  historyOf,
  linkedRows,
  type RegisterRow,
  registerRowsByIds,
  standingApprovals,
  type VerificationRow,
} from './verification.queries.ts'

const maxHistory = 20

export async function getVerification(db: Db, actor: Actor, idOrSlug: string, now: Date): Promise<LicenseState> {
  const { id } = await requirePermission(db, actor, idOrSlug, 'license')
  const [business, rows, linked, stated] = await Promise.all([
    getBusiness(db, id, now),
    historyOf(db, id, maxHistory),
    linkedRows(db, id),
    db.selectFrom('businesses').select('stated_license_number').where('id', '=', id).executeTakeFirstOrThrow(),
  ])
  const history = await toVerifications(db, rows)
  const last = history[0]
  const row = linked[0]
  return {
    shown: business.verification,
    hasVerifiedBadge: business.hasVerifiedBadge,
    pending: history.find(({ status }) => status === 'pending') ?? null,
    history,
    linked: linked.map(toRegisterLicense),
    suggestion: {
      licenseNumber: last?.licenseNumber ?? row?.license_number ?? stated.stated_license_number ?? '',
      state: last?.state ?? row?.state ?? business.state ?? '',
      licenseName: last?.licenseName ?? row?.business_name ?? business.name,
      businessType: last?.businessType ?? row?.business_type ?? business.type,
    },
  }
}

type Query = { limit: number; cursor?: string | undefined }

/** Requests with a document that await two moderators, oldest first. Moderators on the team of a business involved can't decide. */
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
    approvalsOf(db, idsOf(items)),
    findConflictsOfInterest(db, actor.id, idsOf(items)),
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

/** For each request, the other business verified with its license or, failing that, the one that has it as its listing. */
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

/** License documents are visible to moderators, and to team members who may request verification. */
export const mayReadLicenseDocument: MayReadMedia = async (db, actor, verificationIds) => {
  if (hasRole(actor, 'moderator')) return true
  const memberships = await db
    .selectFrom('license_verifications')
    .innerJoin('business_members', 'business_members.business_id', 'license_verifications.business_id')
    .select('business_members.role')
    .where(sql<boolean>`license_verifications.id = ${pageIds(verificationIds)}`)
    .where('business_members.user_id', '=', actor.id)
    .execute()
  return memberships.some(({ role }) => roleCan(role, 'license'))
}

/** The view for moderators, and for team members who manage the license. */
export async function toVerifications(db: Db, rows: readonly VerificationRow[]): Promise<Verification[]> {
  const mediaIds = rows.flatMap((row) => row.document_id ?? [])
  const documents = await mediaOf(db, mediaIds)
  return rows.map((row) => toVerification(row, (row.document_id && documents.get(row.document_id)) || null))
}

const toVerification = (row: VerificationRow, document: Media | null): Verification => ({
  id: row.id,
  businessId: row.business_id,
  status: row.status,
  licenseNumber: row.license_number,
  state: row.state,
  licenseName: row.license_name,
  businessType: row.business_type,
  statedExpiresOn: row.stated_expires_on,
  document,
  match: row.match,
  differences: row.differences as LicenseDifference[],
  basis: row.basis,
  authority: row.authority,
  source: row.source,
  sourceDate: row.source_date,
  expiresOn: row.expires_on,
  expirySource: row.expiry_source,
  reason: row.reason,
  createdAt: row.created_at.toISOString(),
  verifiedAt: row.verified_at?.toISOString() ?? null,
  checkedAt: row.checked_at?.toISOString() ?? null,
  endedAt: row.ended_at?.toISOString() ?? null,
})

const toRegisterLicense = (row: RegisterRow): RegisterLicense => ({
  id: row.id,
  licenseNumber: row.license_number,
  licenseType: row.license_type,
  status: row.status,
  designation: row.designation,
  standing: row.standing,
  state: row.state,
  authority: row.authority,
  source: row.source,
  sourceDate: row.source_date,
  businessName: row.business_name,
  businessType: row.business_type,
  expiresOn: row.expires_on,
})
