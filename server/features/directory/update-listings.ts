import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import {
  deleteUnused,
  insertListings,
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
import type { Clock } from '#server/kernel/clock.ts'
import { newId } from '#server/kernel/ids.ts'
import { type ListingPlan, planListings } from './plan-listings.ts'
import { clearOffices, dueLicenses, type LicenseAtPlace, licensesAround, lockRegister, settleLicenses } from './register.queries.ts'

export type ListingCounts = { added: number; changed: number; removed: number }
type Batch = ListingCounts & { licenses: number }

const batchSize = 1000

/** With more businesses at an address of one authority, it is an office: see `clearOffices`. A mall has fewer licensees. */
const maxPerAddress = 20

/** Recomputes all listings that are due. Can stop after any batch and resumes when called again. */
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

export async function countDue(db: Db): Promise<number> {
  const { due } = await db
    .selectFrom('licenses')
    .select((eb) => eb.fn.countAll<number>().as('due'))
    .where('listing_due', '=', true)
    .executeTakeFirstOrThrow()
  return due
}

/** Updates the listings of the next thousand licenses. Returns null if none are due. */
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

/** Licenses at the place of a merged listing count as those of the business that stayed. */
async function afterMerges(tx: Tx, licenses: LicenseAtPlace[]): Promise<LicenseAtPlace[]> {
  const merged = await mergedPlaces(tx, [...new Set(licenses.flatMap((license) => license.register_place ?? []))])
  return licenses.map((license) => {
    const into = merged.get(license.register_place ?? '')
    return into ? { ...license, business_id: into.businessId, register_place: into.place } : license
  })
}

/** Deletes unused listings; listings with followers or content stay, without a license. */
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
