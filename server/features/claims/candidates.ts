import type { findClaimCandidates } from '#contracts/claims.endpoints.ts'
import { type ClaimOptions, maxCandidates } from '#contracts/claims.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { getShownBusiness, listBusinesses, listingsNamed, loadSummaries, readLocation } from '#server/features/businesses/index.ts'
import { ownerOf, roleOf } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { resolvePlace } from '#server/kernel/geo/place-search.ts'
import { usStates } from '#server/kernel/geo/us-states.ts'
import { licenseNumberKey, nameKey } from '#server/kernel/license-keys.ts'
import { latestClaim, listedContacts, listingsWithLicense, unclaimed } from './claims.queries.ts'
import { emailDomainsOf } from './domains.ts'
import { toClaim } from './open-claim.ts'

type Question = { licenseNumber?: string | undefined; state?: string | undefined; name?: string | undefined; place?: string | undefined }
type Candidates = ResponseOf<typeof findClaimCandidates>

/** Shorter numbers and names would match half the register. */
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
  // One lookup per state, because the index starts with it.
  return listingsWithLicense(db, key, state ? [state] : usStates.map(({ code }) => code))
}

/** Words that occur in half of all names, and often in only one of two spellings of the same name. */
const commonWords = new Set([
  ...['the', 'and', 'of', 'co', 'company', 'cannabis', 'marijuana', 'dispensary', 'dispensaries', 'farm', 'farms', 'collective'],
  ...['weed', 'store', 'shop', 'delivery', 'recreational', 'medical', 'rec', 'wellness', 'garden', 'gardens', 'group', 'holdings'],
])

async function withName(db: Db, { name = '', place = '' }: Question, now: Date): Promise<string[]> {
  const words = nameKey(name).split(' ').filter(Boolean)
  const notifyAbout = words.filter((word) => !commonWords.has(word))
  const found = resolvePlace(place)
  if (words.join('').length < shortestName || !found) return []
  const { city, state } = readLocation(found.label, 'dispensary')
  const exact = city && state ? (await listingsNamed(db, { name, city, state })).map(({ id }) => id) : []
  for (const tried of [words, notifyAbout]) {
    if (tried.join('').length < shortestName) continue
    const { items } = await listBusinesses(db, { q: tried.join(' '), near: found.label, sort: 'highest_rated', limit: 50 }, now)
    const ids = await unclaimed(db, [...new Set([...exact, ...items.map(({ id }) => id)])])
    if (ids.length > 0) return ids
  }
  return []
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
  // If it has an owner, the only way is a dispute, so don't offer the others.
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
