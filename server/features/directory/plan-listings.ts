import { type ChangedListing, factNames, type Listing, type ListingFacts, searchTextOf } from '../businesses/index.ts'
import { toListing } from './listing.ts'
import type { LicenseAtPlace } from './placed-licenses.queries.ts'

export type ListingPlan = {
  /** Places that have licenses and no listing yet. */
  added: { place: string; facts: ListingFacts; licenseIds: string[] }[]
  changed: ChangedListing[]
  /** Listings on which no license stands any more. */
  left: Listing[]
  /** Licenses that are done with, and the listing they belong to; those of `added` get theirs when it has an id. */
  settled: { id: string; business_id: string | null }[]
}

/**
 * Works out what the listings at some places must become, from all the licenses and listings that have to do with them.
 * Pure: the same answer for the same rows in any order.
 */
export function planListings(licenses: readonly LicenseAtPlace[], listings: readonly Listing[]): ListingPlan {
  const byId = new Map(listings.map((listing) => [listing.id, listing]))
  const atPlace = new Map(listings.flatMap((listing) => (listing.register_place ? [[listing.register_place, listing] as const] : [])))
  // A business that an owner made has no place key: its licenses were linked by hand and stay with it.
  const ownerOf = (license: LicenseAtPlace) => {
    const business = license.business_id ? byId.get(license.business_id) : undefined
    return business?.register_place === null ? business : undefined
  }
  const plan: ListingPlan = { added: [], changed: [], left: [], settled: [] }
  const groups = new Map<string, LicenseAtPlace[]>()
  const ofOwner = new Map<Listing, LicenseAtPlace[]>()
  for (const license of licenses) {
    const owner = ownerOf(license)
    if (owner) ofOwner.set(owner, [...(ofOwner.get(owner) ?? []), license])
    else if (license.register_place === null) settle(plan, [license], null)
    else groups.set(license.register_place, [...(groups.get(license.register_place) ?? []), license])
  }

  const moved = new Set<Listing>()
  for (const [place, group] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const facts = toListing(group)
    const listing = atPlace.get(place) ?? listingThatMoved(group, groups, byId, moved)
    if (!listing) plan.added.push({ place, facts, licenseIds: group.map((license) => license.id) })
    else {
      moved.add(listing)
      change(plan, listing, place, facts)
      settle(plan, group, listing.id)
    }
  }
  for (const [listing, group] of ofOwner) {
    change(plan, listing, null, { ...listing, license_standing: toListing(group).license_standing })
    settle(plan, group, listing.id)
  }
  plan.left = listings.filter((listing) => listing.register_place !== null && !moved.has(listing) && !groups.has(listing.register_place))
  return plan
}

/** A business that moved or changed its name keeps its listing, with its reviews and subscribers, when no license stays behind. */
function listingThatMoved(
  group: LicenseAtPlace[],
  groups: Map<string, LicenseAtPlace[]>,
  byId: Map<string, Listing>,
  moved: Set<Listing>,
): Listing | undefined {
  return group
    .flatMap((license) => (license.business_id ? [byId.get(license.business_id)] : []))
    .filter((listing) => listing !== undefined)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .find((listing) => !moved.has(listing) && !groups.has(listing.register_place ?? ''))
}

function settle(plan: ListingPlan, licenses: LicenseAtPlace[], businessId: string | null): void {
  for (const license of licenses) {
    if (license.listing_due || license.business_id !== businessId) plan.settled.push({ id: license.id, business_id: businessId })
  }
}

function change(plan: ListingPlan, listing: Listing, place: string | null, facts: ListingFacts): void {
  const merged = { ...facts, ...keptByOwner(listing) }
  const isSame = place === listing.register_place && factNames.every((name) => merged[name] === listing[name])
  if (isSame) return
  const search_text = searchTextOf({ name: merged.name, description: listing.description, location: merged.location })
  plan.changed.push({ id: listing.id, register_place: place, search_text, ...merged })
}

const where = ['location', 'city', 'state', 'country', 'zip', 'latitude', 'longitude', 'geo_precision'] as const
const pin = ['pin_latitude', 'pin_longitude', 'pin_precision'] as const

/** The facts that go with a field which the owner edits. */
const factsOfField: Record<string, readonly (keyof ListingFacts)[]> = {
  name: ['name'],
  // A farm is shown otherwise than a store, so the type decides about address and pin too.
  type: ['type', 'address', ...pin],
  location: [...where, ...pin],
  address: ['address'],
  phone: ['phone'],
  website: ['website'],
}

/** What an import must not write: everything but the standing once there is an owner, else the fields that were edited. */
function keptByOwner(listing: Listing): Partial<ListingFacts> {
  const fields = listing.claimed_at ? Object.keys(factsOfField) : listing.edited_fields
  const names = fields.flatMap((field) => factsOfField[field] ?? [])
  return Object.fromEntries(names.map((name) => [name, listing[name]]))
}
