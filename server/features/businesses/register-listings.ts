import { type Selectable, sql } from 'kysely'
import type { Tx } from '#server/db/connect.ts'
import type { DB } from '#server/db/schema.ts'
import { markForSearch } from '#server/kernel/search.ts'
import { placeColumns } from './location.ts'

const facts = ['name', 'type', ...placeColumns, 'phone', 'website', 'license_standing'] as const

export type ListingFacts = Pick<Selectable<DB['businesses']>, (typeof facts)[number]>

export type Listing = ListingFacts &
  Pick<Selectable<DB['businesses']>, 'id' | 'slug' | 'description' | 'register_place' | 'edited_fields' | 'claimed_at'>

export const factNames: readonly (keyof ListingFacts)[] = facts

export const listingsAround = (tx: Tx, places: string[], businessIds: string[]): Promise<Listing[]> =>
  tx
    .selectFrom('businesses')
    .select([...facts, 'id', 'slug', 'description', 'register_place', 'edited_fields', 'claimed_at'])
    .where((eb) => eb.or([sql<boolean>`register_place = any(${places}::text[])`, sql<boolean>`id = any(${businessIds}::uuid[])`]))
    // Serializes with claims and owner edits.
    .forNoKeyUpdate()
    .execute()

/** The places whose listing was merged, with the remaining business and its own place. */
export async function mergedPlaces(tx: Tx, places: string[]): Promise<Map<string, { businessId: string; place: string | null }>> {
  const rows = await tx
    .selectFrom('business_redirects')
    .innerJoin('businesses', 'businesses.id', 'business_redirects.business_id')
    .select(['business_redirects.register_place', 'businesses.id', 'businesses.register_place as into_place'])
    .where(sql<boolean>`business_redirects.register_place = any(${places}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.register_place as string, { businessId: row.id, place: row.into_place }]))
}

export type NewListing = ListingFacts & { id: string; slug: string; register_place: string; search_text: string }
export type ChangedListing = ListingFacts & { id: string; register_place: string | null; search_text: string }

const isDouble = /latitude|longitude/
const factTypes = facts.map((name) => `${name} ${isDouble.test(name) ? 'float8' : 'text'}`).join(', ')
const factList = facts.join(', ')

/** @returns the IDs of inserted listings; a slug may have been taken since it was chosen */
export async function insertListings(tx: Tx, listings: NewListing[], now: Date): Promise<Set<string>> {
  if (listings.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    insert into businesses (id, slug, register_place, search_text, ${sql.raw(factList)}, created_at, updated_at)
    select id, slug, register_place, search_text, ${sql.raw(factList)}, ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(listings)}::json) as row (id uuid, slug text, register_place text, search_text text, ${sql.raw(factTypes)})
    on conflict (slug) do nothing
    returning id`.execute(tx)
  const inserted = rows.map((row) => row.id)
  await markForSearch(tx, 'business', inserted)
  return new Set(inserted)
}

export async function updateListings(tx: Tx, listings: ChangedListing[], now: Date): Promise<void> {
  if (listings.length === 0) return
  await sql`
    update businesses set
      ${sql.raw(['register_place', 'search_text', ...facts].map((name) => `${name} = row.${name}`).join(', '))}, updated_at = ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(listings)}::json) as row (id uuid, register_place text, search_text text, ${sql.raw(factTypes)})
    where businesses.id = row.id`.execute(tx)
  await markForSearch(
    tx,
    'business',
    listings.map(({ id }) => id),
  )
}

/** Tables with user activity that would be deleted with a listing or leave wrong counts elsewhere. */
const uses = [
  'business_members',
  'business_follows',
  'business_blocks',
  'business_person_blocks',
  'subscriptions',
  'favorites',
  'reviews',
  'posts',
  'products',
  'claims',
  'agreements',
  'corrections',
  'business_redirects',
  'merged_reviews',
  'conversations',
  'events',
  'gallery_items',
] as const

/** Deletes listings that no one has claimed, followed, blocked, favorited or written about. Returns their IDs. */
export async function deleteUnused(tx: Tx, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  // A separate statement, so that the next one sees the follows and favorites that this one waited for.
  await sql`select from businesses where id = any(${ids}::uuid[]) order by id for update`.execute(tx)
  const deleted = await tx
    .deleteFrom('businesses')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('claimed_at', 'is', null)
    .where((eb) =>
      eb.and(
        uses.map((table) =>
          eb.not(eb.exists(eb.selectFrom(table).select('business_id').whereRef(`${table}.business_id`, '=', 'businesses.id'))),
        ),
      ),
    )
    .returning('id')
    .execute()
  return new Set(deleted.map((row) => row.id))
}

export async function takenSlugs(tx: Tx, slugs: string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('businesses')
    .select('slug')
    .where(sql<boolean>`slug = any(${slugs}::text[])`)
    // A merged business's slug remains a redirect.
    .unionAll(tx.selectFrom('business_redirects').select('slug').where(sql<boolean>`slug = any(${slugs}::text[])`))
    .execute()
  return new Set(rows.map((row) => row.slug))
}
