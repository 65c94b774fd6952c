import type { Selectable } from 'kysely'
import type { BusinessType } from '#contracts/business-types.ts'
import type { Closure } from '#contracts/businesses.ts'
import type { Tx } from '#server/db/connect.ts'
import { asLocked, type Locked } from '#server/db/locked.ts'
import type { DB } from '#server/db/schema.ts'
import { notFound } from '#server/kernel/errors.ts'
import { markForSearch } from '#server/kernel/search.ts'
import { closureColumns } from './businesses.queries.ts'
import { requireLicensedState } from './listing-state.ts'
import { pinColumns, placeColumns, readLocation } from './location.ts'
import { searchTextOf } from './search.ts'

export type ListingFact =
  | { kind: 'phone'; phone: string }
  | { kind: 'website'; website: string }
  | { kind: 'moved'; location: string; address: string }
  | { kind: 'closed'; by: Closure['by'] }
  | { kind: 'open' }

const columns = ['phone', 'website', ...placeColumns, ...closureColumns] as const
type Columns = Partial<Pick<Selectable<DB['businesses']>, (typeof columns)[number]>>

/** The columns that a correction changed, before and after, and the fields it marked as edited. Stored as JSON. */
export type ReplacedFacts = { before: Columns; after: Columns; edited: string[] }

export type CorrectableListing = Awaited<ReturnType<typeof lockFacts>>

export function isListed(listing: CorrectableListing, fact: ListingFact): boolean {
  const after = columnsOf(listing.type, fact, new Date(0))
  // The listing may have more than a label and a street, such as a ZIP code and a pin.
  if (fact.kind === 'moved' && after.zip === null) return listing.location === after.location && listing.address === after.address
  const says = (Object.keys(after) as (keyof Columns)[]).filter((name) => name !== 'closed_at' && name !== 'closed_by')
  return says.every((name) => listing[name] === after[name])
}

/** @throws AppError not_found if the business was merged in the meantime */
export async function lockFacts(tx: Tx, id: string) {
  const listing = await tx
    .selectFrom('businesses')
    .select(['id', 'name', 'description', 'type', 'is_demo', 'claimed_at', 'edited_fields', ...columns])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!listing) throw notFound('Business not found.')
  return { ...listing, id: asLocked('businesses', listing.id) }
}

/**
 * The change survives register imports, like an owner's.
 * @returns what it replaced, for `restoreListing`
 * @throws AppError invalid_input about `location` if the business would leave the states of its licenses
 */
export async function correctListing(tx: Tx, id: Locked<'businesses'>, fact: ListingFact, now: Date): Promise<ReplacedFacts> {
  const listing = await lockFacts(tx, id)
  const after = columnsOf(listing.type, fact, now)
  if (fact.kind === 'moved') {
    const { state = null, country = null } = after
    await requireLicensedState(tx, id, listing, { state, country })
  }
  const before: Columns = Object.fromEntries((Object.keys(after) as (keyof Columns)[]).map((name) => [name, listing[name]]))
  const edited = editedBy[fact.kind].filter((field) => !listing.edited_fields.includes(field))
  await write(tx, listing, after, [...listing.edited_fields, ...edited], now)
  return { before, after, edited }
}

/** @returns false if the listing has changed since, in which case nothing was restored */
export async function restoreListing(
  tx: Tx,
  id: Locked<'businesses'>,
  { before, after, edited }: ReplacedFacts,
  now: Date,
): Promise<boolean> {
  const listing = await lockFacts(tx, id)
  if ((Object.keys(after) as (keyof Columns)[]).some((name) => asJson(listing[name]) !== asJson(after[name]))) return false
  const kept = listing.edited_fields.filter((field) => !edited.includes(field))
  await write(tx, listing, before, kept, now)
  return true
}

/** Compares as JSON, because stored times come back as text. */
const asJson = (value: unknown) => JSON.stringify(value ?? null)

async function write(tx: Tx, listing: CorrectableListing, changes: Columns, editedFields: string[], now: Date): Promise<void> {
  await tx
    .updateTable('businesses')
    .set({
      ...changes,
      search_text: searchTextOf({ ...listing, ...changes }),
      edited_fields: editedFields.toSorted(),
      updated_at: now,
    })
    .where('id', '=', listing.id)
    .execute()
  await markForSearch(tx, 'business', [listing.id])
}

const editedBy: Record<ListingFact['kind'], readonly string[]> = {
  phone: ['phone'],
  website: ['website'],
  moved: ['location', 'address'],
  closed: [],
  open: [],
}

const inBusiness = { closure: null, closed_at: null, closed_by: null, reopens_on: null } as const

function columnsOf(type: BusinessType, fact: ListingFact, now: Date): Columns {
  switch (fact.kind) {
    case 'phone':
      return { phone: fact.phone }
    case 'website':
      return { website: fact.website }
    case 'closed':
      return { ...inBusiness, closure: 'permanent', closed_at: now, closed_by: fact.by }
    case 'open':
      return inBusiness
    case 'moved': {
      const { pin, ...place } = readLocation(fact.location, type)
      return {
        ...place,
        // A farm's address is never stored.
        address: type === 'farm' ? null : fact.address || null,
        ...pinColumns(pin),
      }
    }
  }
}
