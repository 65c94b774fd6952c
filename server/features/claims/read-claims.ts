import { sql } from 'kysely'
import type { findClaimCandidates } from '#contracts/claims.endpoints.ts'
import { type ClaimOptions, codeAttempts, maxCandidates, type WaitingClaim } from '#contracts/claims.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { accountStatusOf } from '#server/features/accounts/index.ts'
import {
  getShownBusiness,
  licensesOfAll,
  listBusinesses,
  listingsNamed,
  loadSummaries,
  readLocation,
} from '#server/features/businesses/index.ts'
import { mediaOf } from '#server/features/media/index.ts'
import { bylineColumns, toPerson } from '#server/features/people/index.ts'
import { ownerOf, roleOf } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { licenseNumberKey, nameKey } from '#server/kernel/fold-text.ts'
import { resolvePlace } from '#server/kernel/geo/place-search.ts'
import { usStates } from '#server/kernel/geo/us-states.ts'
import { decodeCursor, oldestAfter, type Page, toPage } from '#server/kernel/keyset.ts'
import { isStillAsked, latestClaim, licensesToProve, listedContacts, listingsWithLicense, unclaimed } from './claims.queries.ts'
import { emailDomainsOf } from './domains.ts'
import { codeOf } from './enter-code.ts'
import { toClaim } from './open-claim.ts'

type Question = { licenseNumber?: string | undefined; state?: string | undefined; name?: string | undefined; place?: string | undefined }
type Candidates = ResponseOf<typeof findClaimCandidates>

/** Shorter numbers and names would match too many listings. */
const shortestNumber = 4
const shortestName = 3

/** Unclaimed listings that may be the business in question: first by license, then by name in its city, then by name nearby. */
export async function findCandidates(db: Db, question: Question, now: Date): Promise<Candidates> {
  const byLicense = await withLicense(db, question)
  const byName = byLicense.length < maxCandidates ? await withName(db, question, now) : []
  const all = [
    ...byLicense.map((id) => ({ id, matchedBy: 'license' as const })),
    ...byName.filter((id) => !byLicense.includes(id)).map((id) => ({ id, matchedBy: 'name' as const })),
  ].slice(0, maxCandidates)
  const ids = all.map(({ id }) => id)
  const summaries = new Map((await loadSummaries(db, ids, now)).map((business) => [business.id, business]))
  return all.flatMap(({ id, matchedBy }) => {
    const business = summaries.get(id)
    return business ? [{ business, matchedBy }] : []
  })
}

async function withLicense(db: Db, { licenseNumber = '', state }: Question): Promise<string[]> {
  const key = licenseNumberKey(licenseNumber)
  if (key.length < shortestNumber) return []
  // This looks up each state, because the index starts with the state.
  return listingsWithLicense(db, key, state ? [state] : usStates.map(({ code }) => code))
}

/** Words that many names have, often in only one of two spellings of the same name. */
const commonWords = new Set([
  ...['the', 'and', 'of', 'co', 'company', 'cannabis', 'marijuana', 'dispensary', 'dispensaries', 'farm', 'farms', 'collective'],
  ...['weed', 'store', 'shop', 'delivery', 'recreational', 'medical', 'rec', 'wellness', 'garden', 'gardens', 'group', 'holdings'],
])

async function withName(db: Db, { name = '', place = '' }: Question, now: Date): Promise<string[]> {
  const words = nameKey(name).split(' ').filter(Boolean)
  const distinctive = words.filter((word) => !commonWords.has(word))
  const found = resolvePlace(place)
  if (words.join('').length < shortestName) return []
  // Registers name places that the list of cities lacks, such as boroughs. The state alone is still enough to find an exact name.
  const { city, state } = found ? readLocation(found.label, 'dispensary') : { city: null, state: stateAtEnd(place) }
  const exact = state && (city || !found) ? (await listingsNamed(db, { name, city, state })).map(({ id }) => id) : []
  if (!found) return unclaimed(db, exact)
  for (const tried of [words, distinctive]) {
    if (tried.join('').length < shortestName) continue
    const { items } = await listBusinesses(db, { q: tried.join(' '), near: found.label, sort: 'highest_rated', limit: 50 }, now)
    const ids = await unclaimed(db, [...new Set([...exact, ...items.map(({ id }) => id)])])
    if (ids.length > 0) return ids
  }
  return []
}

/** Such as "AK" in "Matanuska-Susitna Borough, AK". */
function stateAtEnd(place: string): string | null {
  const found = resolvePlace(place.split(',').at(-1) ?? '')
  return found?.kind === 'state' ? found.state : null
}

/** @throws AppError not_found */
export async function getClaimOptions(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Pick<Actor, 'id'>,
  idOrSlug: string,
): Promise<ClaimOptions> {
  const now = clock.now()
  const business = await getShownBusiness(db, idOrSlug, now)
  const { websites, phone } = await listedContacts(db, business.id)
  const isOwned = (await ownerOf(db, business.id)) !== null
  const claim = await latestClaim(db, actor.id, business.id)
  // A business with an owner can be claimed only through a dispute, so don't offer the other ways.
  const isOpen = !(business.isDemo || isOwned)
  return {
    business,
    licenses: business.licenses,
    isOwned,
    isOwnTeam: (await roleOf(db, business.id, actor.id)) !== null,
    isClosed: business.isDemo,
    emailDomains: isOpen ? emailDomainsOf(websites) : [],
    phone: isOpen ? phone : null,
    claim: claim ? toClaim(claim, now) : null,
  }
}

type Query = { limit: number; cursor?: string | undefined }

/** The moderators' queue, oldest first. Excludes a moderator's own claims and those about their businesses. */
export async function listWaitingClaims(
  { db, clock, config }: Pick<Context, 'db' | 'clock' | 'config'>,
  actor: Pick<Actor, 'id'>,
  query: Query,
): Promise<Page<WaitingClaim>> {
  const now = clock.now()
  const rows = await waitingRows(db, actor.id, query, now)
  const { items, nextCursor } = toPage(rows, query.limit, (row) => [row.created_at.toISOString(), row.claim_id])
  const ids = [...new Set(items.map((row) => row.business_id))]
  const businesses = new Map((await loadSummaries(db, ids, now)).map((business) => [business.id, business]))
  const licenses = await licensesOfAll(db, ids)
  const owners = await ownersOf(db, ids)
  const verificationIds = items.flatMap((row) => row.verification_id ?? [])
  const proven = await licensesToProve(db, verificationIds)
  const documentIds = items.flatMap((row) => row.document_id ?? [])
  const documents = await mediaOf(db, documentIds)
  return {
    nextCursor,
    items: items.flatMap((row) => {
      const business = businesses.get(row.business_id)
      if (!business || row.method === 'email') return []
      const code = row.method === 'phone' ? codeOf(config.sessionSecret, { ...row, id: row.claim_id }) : null
      return [
        {
          id: row.claim_id,
          method: row.method,
          isDispute: row.is_dispute,
          business,
          licenses: licenses.get(business.id) ?? [],
          proves: (row.verification_id && proven.get(row.verification_id)) || null,
          claimant: toPerson(row),
          memberSince: row.member_since.toISOString(),
          isEmailConfirmed: row.email_verified,
          accountStatus: statusOfClaimant(row, now),
          phone: row.phone,
          code,
          codeExpiresAt: row.code_expires_at?.toISOString() ?? null,
          attemptsLeft: codeAttempts - row.attempts,
          statement: row.statement,
          document: (row.document_id && documents.get(row.document_id)) || null,
          owner: owners.get(business.id) ?? null,
          createdAt: row.created_at.toISOString(),
        },
      ]
    }),
  }
}

function statusOfClaimant(row: Parameters<typeof accountStatusOf>[0], now: Date): WaitingClaim['accountStatus'] {
  const { mutedUntil, suspendedUntil } = accountStatusOf(row, now)
  if (suspendedUntil !== null) return suspendedUntil === 'forever' ? 'banned' : 'suspended'
  return mutedUntil === null ? null : 'muted'
}

function waitingRows(db: Db, viewerId: string, { limit, cursor }: Query, now: Date) {
  const after = decodeCursor(cursor, ['time', 'id'])
  return db
    .selectFrom('claims')
    .innerJoin('users', 'users.id', 'claims.user_id')
    .select(bylineColumns)
    .select(['users.created_at as member_since', 'users.email_verified'])
    .select(['users.muted_until', 'users.suspended_until', 'users.banned_at'])
    .select([
      'claims.id as claim_id',
      'claims.business_id',
      'claims.verification_id',
      'claims.method',
      'claims.is_dispute',
      'claims.email',
      'claims.phone',
    ])
    .select([
      'claims.code_number',
      'claims.code_expires_at',
      'claims.attempts',
      'claims.statement',
      'claims.document_id',
      'claims.created_at',
    ])
    .where('claims.status', '=', 'open')
    .where('claims.method', '!=', 'email')
    .where(isStillAsked)
    .where((eb) => eb.or([eb('claims.code_expires_at', 'is', null), eb('claims.code_expires_at', '>', now)]))
    .where('claims.user_id', '!=', viewerId)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('business_members')
            .select('role')
            .whereRef('business_members.business_id', '=', 'claims.business_id')
            .where('business_members.user_id', '=', viewerId),
        ),
      ),
    )
    .$call((rows) => oldestAfter(rows, 'claims.created_at', 'claims.id', after))
    .limit(limit + 1)
    .execute()
}

async function ownersOf(db: Db, businessIds: readonly string[]) {
  const rows = await db
    .selectFrom('business_members')
    .innerJoin('users', 'users.id', 'business_members.user_id')
    .select(bylineColumns)
    .select('business_id')
    .where(sql<boolean>`business_id = any(${businessIds}::uuid[])`)
    .where('business_members.role', '=', 'owner')
    .execute()
  return new Map(rows.map((row) => [row.business_id, toPerson(row)]))
}
