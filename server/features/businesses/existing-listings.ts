import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { compactName } from '../../kernel/geo/place-names.ts'
import { usStates } from '../../kernel/geo/us-states.ts'
import { licenseNumberKey, nameKey } from '../../kernel/license-keys.ts'

/** What the directory has already of a business that is about to be registered. */

export type ExistingListing = { id: string; slug: string; name: string }

/** The page on which a listing is claimed. */
export const claimPath = (slug: string): string => `/business/register?${new URLSearchParams({ claim: slug })}`

/** Shorter numbers are common to many states. */
const minNumberLength = 4

/**
 * The business that has a license of this number in this state. Without a state, it must be the only one that has such a number
 * anywhere.
 */
export async function listingWithLicense(db: Db, licenseNumber: string, state: string | null): Promise<ExistingListing | null> {
  const key = licenseNumberKey(licenseNumber)
  if (key === '' || (state === null && key.length < minNumberLength)) return null
  // Each state by itself: the index begins with it.
  const states = state === null ? usStates.map(({ code }) => code) : [state]
  const found = await listings(db)
    .where(sql<boolean>`licenses.state = any(${states}::text[])`)
    .where('licenses.license_number_key', '=', key)
    .orderBy('businesses.id')
    .limit(2)
    .execute()
  return state !== null || found.length === 1 ? (found[0] ?? null) : null
}

/** The listings of the register with this name in this city, whatever the case, the punctuation and the legal form. */
export async function listingsNamed(
  db: Db,
  { name, city, state }: { name: string; city: string; state: string },
): Promise<ExistingListing[]> {
  const key = nameKey(name)
  if (key === '') return []
  const rows = await listings(db)
    .select('businesses.city')
    .where('licenses.state', '=', state)
    .where('licenses.name_key', '=', key)
    .orderBy('businesses.id')
    .limit(100)
    .execute()
  return rows
    .filter((row) => row.city !== null && compactName(row.city) === compactName(city))
    .map(({ id, slug, name }) => ({ id, slug, name }))
}

/** Real businesses that everyone sees, with the licenses that the register has for them. */
const listings = (db: Db) =>
  db
    .selectFrom('licenses')
    .innerJoin('businesses', 'businesses.id', 'licenses.business_id')
    .select(['businesses.id', 'businesses.slug', 'businesses.name'])
    .distinct()
    .where('licenses.business_id', 'is not', null)
    .where('businesses.is_demo', '=', false)
    .where('businesses.moderation', 'is', null)
