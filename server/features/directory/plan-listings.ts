import type { Selectable } from 'kysely'
import { type BusinessType, businessTypes } from '#contracts/business-types.ts'
import type { Precision } from '#contracts/businesses.ts'
import type { DB } from '#server/db/schema.ts'
import { type ChangedListing, factNames, type Listing, type ListingFacts, searchTextOf } from '#server/features/businesses/index.ts'
import { cityCenter, cityOfZip, findZip } from '#server/kernel/geo/gazetteer.ts'
import { findState } from '#server/kernel/geo/us-states.ts'
import type { LicenseAtPlace } from './register.queries.ts'

export type ListingPlan = {
  /** Places with licenses but no listing yet. */
  added: { place: string; facts: ListingFacts; licenseIds: string[] }[]
  changed: ChangedListing[]
  /** Listings without any license. */
  left: Listing[]
  /** Processed licenses with their listing; those of `added` get theirs once it has an ID. */
  settled: { id: string; business_id: string | null }[]
}

/**
 * Computes what the listings at some places must become, from all licenses and listings related to them.
 * Pure and independent of the order of rows.
 */
export function planListings(licenses: readonly LicenseAtPlace[], listings: readonly Listing[]): ListingPlan {
  const byId = new Map(listings.map((listing) => [listing.id, listing]))
  const atPlace = new Map(listings.flatMap((listing) => (listing.register_place ? [[listing.register_place, listing] as const] : [])))
  // A business created by its owner has no place key: its licenses were linked by hand and stay linked.
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

/** A business that moved or changed its name keeps its listing, reviews and subscribers, if no license stays behind. */
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
  const merged = { ...facts, ...ownerFacts(listing) }
  const isSame = place === listing.register_place && factNames.every((name) => merged[name] === listing[name])
  if (isSame) return
  const search_text = searchTextOf({ name: merged.name, description: listing.description, location: merged.location })
  plan.changed.push({ id: listing.id, register_place: place, search_text, ...merged })
}

const where = ['location', 'city', 'state', 'country', 'zip', 'latitude', 'longitude', 'geo_precision'] as const
const pin = ['pin_latitude', 'pin_longitude', 'pin_precision'] as const

/** Facts that depend on a field the owner edits. */
const factsOfField: Record<string, readonly (keyof ListingFacts)[]> = {
  name: ['name'],
  // Farms are shown differently from stores, so the type also determines address and pin.
  type: ['type', 'address', ...pin],
  location: [...where, ...pin],
  address: ['address'],
  phone: ['phone'],
  website: ['website'],
}

/** Facts an import must not overwrite: everything but the license standing once there is an owner, else the edited fields. */
function ownerFacts(listing: Listing): Partial<ListingFacts> {
  const fields = listing.claimed_at ? Object.keys(factsOfField) : listing.edited_fields
  const names = fields.flatMap((field) => factsOfField[field] ?? [])
  return Object.fromEntries(names.map((name) => [name, listing[name]]))
}

type License = Selectable<DB['licenses']>
type Standing = License['standing']

/** The best standing wins: one license in force is enough for a business to be open. */
const standings: readonly Standing[] = ['listed', 'inactive', 'missing']

/**
 * Visitors' interest decides the type of a place: one with a store is a dispensary, even if it also grows and bakes. A
 * delivery service comes before a farm because people can order from it, a farm before makers and labs because its exact
 * location must stay hidden.
 */
const types: readonly BusinessType[] = [...new Set<BusinessType>(['dispensary', 'delivery', 'farm', 'food_service', ...businessTypes])]

const precisions: readonly Precision[] = ['premise', 'zip', 'city']

/** Merges all licenses of a business at a place into one listing. Order-independent. */
export function toListing(licenses: readonly License[]): ListingFacts {
  const ranked = [...licenses].sort(
    (a, b) =>
      standings.indexOf(a.standing) - standings.indexOf(b.standing) ||
      types.indexOf(a.business_type) - types.indexOf(b.business_type) ||
      rankOf(a.geo_precision) - rankOf(b.geo_precision) ||
      (a.register_key < b.register_key ? -1 : 1),
  )
  const main = ranked[0] as License
  const first = <K extends keyof License>(field: K): License[K] | null => ranked.find((license) => license[field] !== null)?.[field] ?? null
  const pinned = ranked
    .filter((license) => license.geo_precision !== null)
    .sort((a, b) => rankOf(a.geo_precision) - rankOf(b.geo_precision))[0]
  const city = first('city')
  const zip = first('zip')

  // A grow hides the address unless there is a public store at the same place.
  const isHidden = main.business_type !== 'dispensary' && licenses.some((license) => license.business_type === 'farm')
  const pin = isHidden ? cityPin(city, zip, main.state) : pinned ? { ...pinOf(pinned) } : null
  return {
    // Prefers "Green Door" over "Green Door LLC" if the licenses have both.
    name: licenses.map((license) => license.business_name).sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0] as string,
    type: main.business_type,
    location: `${city ?? first('county') ?? findState(main.state)?.name ?? main.state}${city || first('county') ? `, ${main.state}` : ''}`,
    address: isHidden ? null : first('street'),
    city,
    state: main.state,
    country: 'US',
    zip: isHidden ? null : zip,
    phone: first('phone'),
    website: first('website'),
    latitude: pinned?.latitude ?? null,
    longitude: pinned?.longitude ?? null,
    geo_precision: pinned?.geo_precision ?? null,
    pin_latitude: pin?.latitude ?? null,
    pin_longitude: pin?.longitude ?? null,
    pin_precision: pin?.precision ?? null,
    license_standing: main.standing,
  }
}

const rankOf = (precision: Precision | null) => (precision === null ? precisions.length : precisions.indexOf(precision))

type Pin = { latitude: number; longitude: number; precision: Precision }

const pinOf = ({ latitude, longitude, geo_precision }: License): Pin => ({
  latitude: latitude as number,
  longitude: longitude as number,
  precision: geo_precision as Precision,
})

function cityPin(city: string | null, zip: string | null, state: string): Pin | null {
  const zipPlace = zip ? findZip(zip) : null
  const center = (city ? cityCenter(city, state) : null) ?? (zipPlace ? cityCenter(cityOfZip(zipPlace), zipPlace.state) : null)
  return center && { ...center, precision: 'city' }
}
