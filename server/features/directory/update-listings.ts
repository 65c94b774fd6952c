import type { Selectable } from 'kysely'
import { type BusinessType, businessTypes } from '#contracts/business-types.ts'
import type { Precision } from '#contracts/businesses.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import type { DB } from '#server/db/schema.ts'
import { inTransaction } from '#server/db/transaction.ts'
import {
  type ChangedListing,
  deleteUnused,
  factNames,
  insertListings,
  type Listing,
  type ListingFacts,
  listingsAround,
  mergedPlaces,
  type NewListing,
  nextSlugNumber,
  numberedSlug,
  searchTextOf,
  slugBase,
  takenSlugs,
  updateListings,
} from '#server/features/businesses/index.ts'
import type { Clock } from '#server/kernel/context.ts'
import { cityCenter, cityOfZip, findZip } from '#server/kernel/geo/gazetteer.ts'
import { findState } from '#server/kernel/geo/us-states.ts'
import { newId } from '#server/kernel/ids.ts'
import { clearOffices, dueLicenses, type LicenseAtPlace, licensesAround, lockRegister, settleLicenses } from './register.queries.ts'

export type ListingCounts = { added: number; changed: number; removed: number }
type Batch = ListingCounts & { licenses: number }

const batchSize = 1000

/** An address that more of an authority's licensees share is an office: see `clearOffices`. A mall has fewer licensees. */
const maxPerAddress = 20

/** Recomputes all listings that are due. Can be stopped after any batch; the next call resumes. */
export async function placeLicenses(
  db: Db,
  clock: Clock,
  isStopped: () => boolean,
  onBatch: (done: number, total: number, counts: ListingCounts) => void,
): Promise<void> {
  const total = await countDue(db)
  const counts: ListingCounts = { added: 0, changed: 0, removed: 0 }
  let done = 0
  while (!isStopped()) {
    const batch = await updateNextListings(db, clock.now())
    if (!batch) break
    for (const name of Object.keys(counts) as (keyof ListingCounts)[]) counts[name] += batch[name]
    done += batch.licenses
    onBatch(done, total, counts)
  }
}

export const countDue = (db: Db): Promise<number> => countRows(db.selectFrom('licenses').where('listing_due', '=', true))

/** @returns null if no licenses are due */
function updateNextListings(db: Db, now: Date): Promise<Batch | null> {
  return inTransaction(db, async (tx) => {
    await lockRegister(tx)
    let due = await dueLicenses(tx, batchSize)
    while ((await clearOffices(tx, due, maxPerAddress)) > 0) due = await dueLicenses(tx, batchSize)
    if (due.length === 0) return null
    const businessIds = [...new Set(due.flatMap((license) => license.business_id ?? []))]
    const duePlaces = due.flatMap((license) => license.register_place ?? [])
    const merged = await mergedPlaces(tx, [...new Set(duePlaces)])
    const intoIds = [...merged.values()].map(({ businessId }) => businessId)
    const listings = await listingsAround(tx, [...new Set(duePlaces)], [...new Set([...businessIds, ...intoIds])])
    const places = [...new Set([...duePlaces, ...listings.flatMap((listing) => listing.register_place ?? [])])]
    const around = await licensesAround(
      tx,
      places,
      listings.map((listing) => listing.id),
    )
    const licenses = await afterMerges(tx, around)
    const dueIds = new Set(due.map((license) => license.id))
    const touched = new Set(licenses.map((license) => license.id))
    const plan = planListings(licenses, listings)
    // A license without a place or a listing matches none of the rows above and needs no listing.
    for (const id of dueIds) if (!touched.has(id)) plan.settled.push({ id, business_id: null })

    const settledByNew = await addListings(tx, plan.added, now)
    await updateListings(tx, plan.changed, now)
    await settleLicenses(tx, [...plan.settled, ...settledByNew])
    const removed = await leave(tx, plan.left, now)
    return { added: plan.added.length, changed: plan.changed.length, removed, licenses: due.length }
  })
}

/** Licenses at the place of a merged listing count as those of the business that remains. */
async function afterMerges(tx: Tx, licenses: LicenseAtPlace[]): Promise<LicenseAtPlace[]> {
  const merged = await mergedPlaces(tx, [...new Set(licenses.flatMap((license) => license.register_place ?? []))])
  return licenses.map((license) => {
    const into = merged.get(license.register_place ?? '')
    return into ? { ...license, business_id: into.businessId, register_place: into.place } : license
  })
}

/** Deletes unused listings; listings with followers or content remain, without a license. */
async function leave(tx: Tx, left: ListingPlan['left'], now: Date): Promise<number> {
  const ids = left.map((listing) => listing.id)
  const gone = await deleteUnused(tx, ids)
  const remaining = left.filter((listing) => !gone.has(listing.id))
  await updateListings(
    tx,
    remaining.map((listing) => ({
      ...listing,
      register_place: null,
      license_standing: 'none' as const,
      search_text: searchTextOf(listing),
    })),
    now,
  )
  return gone.size
}

async function addListings(tx: Tx, added: ListingPlan['added'], now: Date): Promise<{ id: string; business_id: string }[]> {
  const ids = added.map(() => newId())
  let waiting = added.map(({ place, facts }, i) => ({
    ...facts,
    id: ids[i] as string,
    register_place: place,
    search_text: searchTextOf({ ...facts, description: null }),
  }))
  while (waiting.length > 0) {
    const inserted = await insertListings(tx, await withSlugs(tx, waiting), now)
    // The slug was taken concurrently; choose the next number.
    waiting = waiting.filter((listing) => !inserted.has(listing.id))
  }
  return added.flatMap(({ licenseIds }, i) => licenseIds.map((id) => ({ id, business_id: ids[i] as string })))
}

async function withSlugs(tx: Tx, listings: Omit<NewListing, 'slug'>[]): Promise<NewListing[]> {
  const bases = listings.map((listing) => slugBase(listing.name, listing.city))
  const taken = await takenSlugs(tx, [...new Set(bases)])
  const next = new Map<string, number>()
  for (const base of taken) next.set(base, await nextSlugNumber(tx, base))
  return listings.map((listing, i) => {
    const base = bases[i] as string
    const number = next.get(base) ?? 1
    next.set(base, number + 1)
    return { ...listing, slug: numberedSlug(base, number) }
  })
}

type ListingPlan = {
  /** Places with licenses but no listing yet. */
  added: { place: string; facts: ListingFacts; licenseIds: string[] }[]
  changed: ChangedListing[]
  /** Listings without any license. */
  left: Listing[]
  /** Processed licenses with their listing; those of `added` get theirs once it has an ID. */
  settled: { id: string; business_id: string | null }[]
}

/** Computes the new state of the listings at some places from all related licenses and listings. Pure, and independent of row order. */
export function planListings(licenses: readonly LicenseAtPlace[], listings: readonly Listing[]): ListingPlan {
  const byId = new Map(listings.map((listing) => [listing.id, listing]))
  const atPlace = new Map(listings.flatMap((listing) => (listing.register_place ? [[listing.register_place, listing] as const] : [])))
  // A business created by its owner has no place key. Its licenses were linked by verifications and stay linked.
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

/** Facts that an import must not overwrite: with an owner, everything but the license standing; otherwise, the edited fields. */
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
 * A place gets the type that matters most to visitors. If it has a store, it's a dispensary, even if it also grows and bakes.
 * Delivery comes before farm because people can order from it; farm comes before makers and labs because its exact location
 * must stay hidden.
 */
const types: readonly BusinessType[] = [...new Set<BusinessType>(['dispensary', 'delivery', 'farm', 'food_service', ...businessTypes])]

const precisions: readonly Precision[] = ['premise', 'zip', 'city']

/** Merges all licenses of a business at a place into one listing. Their order doesn't matter. */
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
