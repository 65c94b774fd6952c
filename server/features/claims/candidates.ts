import { type findClaimCandidates, mostCandidates } from '../../../contracts/claims.ts'
import type { ResponseOf } from '../../../contracts/endpoint.ts'
import type { Db } from '../../db/connect.ts'
import { resolvePlace } from '../../kernel/geo/place-search.ts'
import { usStates } from '../../kernel/geo/us-states.ts'
import { licenseNumberKey, nameKey } from '../../kernel/license-keys.ts'
import { listBusinesses, listingsNamed, loadSummaries, readLocation } from '../businesses/index.ts'
import { listingsWithLicense, unclaimed } from './claims.queries.ts'

type Question = { licenseNumber?: string | undefined; state?: string | undefined; name?: string | undefined; place?: string | undefined }
type Candidates = ResponseOf<typeof findClaimCandidates>

/** Shorter numbers and names match half the register. */
const shortestNumber = 4
const shortestName = 3

/** The unclaimed listings that a business could be: those with its license first, then its name in its city, then its name nearby. */
export async function findCandidates(db: Db, question: Question, now: Date): Promise<Candidates> {
  const byLicense = await withLicense(db, question)
  const byName = byLicense.length < mostCandidates ? await withName(db, question, now) : []
  const all = [
    ...byLicense.map((id) => ({ id, matchedBy: 'license' as const })),
    ...byName.filter((id) => !byLicense.includes(id)).map((id) => ({ id, matchedBy: 'name' as const })),
  ].slice(0, mostCandidates)
  const summaries = new Map(
    (
      await loadSummaries(
        db,
        all.map(({ id }) => id),
        now,
      )
    ).map((business) => [business.id, business]),
  )
  return all.flatMap(({ id, matchedBy }) => {
    const business = summaries.get(id)
    return business ? [{ business, matchedBy }] : []
  })
}

async function withLicense(db: Db, { licenseNumber = '', state }: Question): Promise<string[]> {
  const key = licenseNumberKey(licenseNumber)
  if (key.length < shortestNumber) return []
  // Each by itself: the index begins with the state.
  return listingsWithLicense(db, key, state ? [state] : usStates.map(({ code }) => code))
}

/** Words that half of all names have, and that one spelling has and the other has not. */
const commonWords = new Set([
  ...['the', 'and', 'of', 'co', 'company', 'cannabis', 'marijuana', 'dispensary', 'dispensaries', 'farm', 'farms', 'collective'],
  ...['weed', 'store', 'shop', 'delivery', 'recreational', 'medical', 'rec', 'wellness', 'garden', 'gardens', 'group', 'holdings'],
])

async function withName(db: Db, { name = '', place = '' }: Question, now: Date): Promise<string[]> {
  const words = nameKey(name).split(' ').filter(Boolean)
  const telling = words.filter((word) => !commonWords.has(word))
  const found = resolvePlace(place)
  if (words.join('').length < shortestName || !found) return []
  const { city, state } = readLocation(found.label, 'dispensary')
  const exact = city && state ? (await listingsNamed(db, { name, city, state })).map(({ id }) => id) : []
  for (const tried of [words, telling]) {
    if (tried.join('').length < shortestName) continue
    const { items } = await listBusinesses(db, { q: tried.join(' '), near: found.label, sort: 'highest_rated', limit: 50 }, now)
    const ids = await unclaimed(db, [...new Set([...exact, ...items.map(({ id }) => id)])])
    if (ids.length > 0) return ids
  }
  return []
}
