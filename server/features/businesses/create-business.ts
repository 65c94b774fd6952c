import slugify from '@sindresorhus/slugify'
import { sql } from 'kysely'
import { isUuid } from '#contracts/addresses.ts'
import type { Business, NewBusiness } from '#contracts/businesses.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { completeOnboardingAsBusiness, provideBirthday } from '#server/features/accounts/index.ts'
import { fetchOutside } from '#server/features/media/index.ts'
import { flagForReview } from '#server/features/moderation/index.ts'
import { businessWords, requireClean } from '#server/features/screening/index.ts'
import { addOwner } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { licenseNumberKey, nameKey } from '#server/kernel/fold-text.ts'
import { compactName } from '#server/kernel/geo/place-names.ts'
import { usStates } from '#server/kernel/geo/us-states.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import { markForSearch } from '#server/kernel/search.ts'
import { nextSlugNumber } from './businesses.queries.ts'
import { pinColumns, readLocation, type TypedLocation } from './location.ts'
import { getBusiness } from './read-businesses.ts'
import { searchTextOf } from './search.ts'

/**
 * Creates a business. If its license number has a listing, that listing must be claimed instead. A business with the name
 * of a listing in its city is allowed, but reported to moderators as a possible duplicate, as soon as its location is known.
 * The contract defines when a location is required.
 * @throws AppError conflict if the license has a listing or the account is at its limit of 20, birthday_required, underage,
 * invalid_input for refused text, idempotency_mismatch
 */
export async function createBusiness(
  ctx: Pick<Context, 'db' | 'clock' | 'cache' | 'jobs'>,
  actor: Actor,
  input: NewBusiness,
  idempotency: IdempotencyKey | null,
): Promise<Business> {
  await provideBirthday(ctx, actor, input.birthday)
  const now = ctx.clock.now()
  const answer = await inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, now, async () => {
      await requireCleanPage(tx, ctx, input)
      const account = await lockAccount(tx, actor.id)
      const place = readLocation(input.location, input.businessType)
      // The number from the sign-up form applies to the first business, unless this form contains another.
      const stated = input.licenseNumber === undefined && !account.has_completed_onboarding ? account.license_number : input.licenseNumber
      if (stated) await requireNoListing(tx, stated, place.state)
      const id = await insertBusiness(tx, { ...input, licenseNumber: stated }, place, account.is_demo, now)
      if (!account.is_demo) await reportDuplicate(tx, { id, name: input.businessName, licenseNumber: null, ...place }, actor.id, now)
      await addOwner(tx, { businessId: id, userId: actor.id, now })
      if (input.imageUrl) await fetchOutside(tx, ctx, { url: input.imageUrl, ownerId: actor.id, attach: { businessId: id } })
      await completeOnboardingAsBusiness(tx, actor.id, input.businessType, now)
      return getBusiness(tx, id, now)
    }),
  )
  ctx.cache.invalidate('businesses')
  return answer
}

/** A new business has no verified license. @throws AppError invalid_input */
async function requireCleanPage(tx: Tx, ctx: Pick<Context, 'clock'>, input: NewBusiness): Promise<void> {
  const { country, state } = readLocation(input.location, input.businessType)
  const business = { place: { country, state }, isLicensed: false, licenseNumber: null }
  const { businessName, description, location, address, phone, website } = input
  const words = { businessName, description, location, address, phone, website }
  // Muted people were refused earlier.
  requireClean((await businessWords(tx, ctx, null, 'business_profile', business))(words))
}

/** Serializes concurrent calls, so that they can't exceed the limit on businesses. */
const lockAccount = (tx: Tx, userId: string) =>
  tx
    .selectFrom('users')
    .select(['is_demo', 'has_completed_onboarding', 'license_number'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()

/** @throws AppError conflict with a link to claim the listing */
async function requireNoListing(tx: Tx, licenseNumber: string, state: string | null): Promise<void> {
  const listing = await listingWithLicense(tx, licenseNumber, state)
  if (!listing) return
  const message = `This license number belongs to “${listing.name}”. If that’s your business, claim it. If not, correct the number or leave it empty.`
  const links = [{ title: `Claim ${listing.name}`, path: claimPath(listing.slug) }]
  throw new AppError('conflict', { message, fields: { licenseNumber: message }, links })
}

type Registered = { id: string; name: string; city: string | null; state: string | null; licenseNumber: string | null }

/** Opens a case if the register has a listing with the business's license number in its state, or with its name in its city. */
export async function reportDuplicate(
  tx: Tx,
  { id, name, city, state, licenseNumber }: Registered,
  userId: string,
  now: Date,
): Promise<void> {
  if (state === null) return
  const licensed = licenseNumber === null ? null : await listingWithLicense(tx, licenseNumber, state)
  const listing = licensed ?? (await listingsNamed(tx, { name, city, state }))[0]
  if (!listing) return
  const shared = licensed ? 'license number' : city === null ? 'name and the state' : 'name and the city'
  const says = `It has the ${shared} of the listing “${listing.name}”. If it’s the same business, hide this one.`
  const finding = { rule: 'possible_duplicate', says, path: `/business/${listing.slug}` }
  await flagForReview(tx, { subject: 'business', subjectId: id, userId, businessId: id, communityId: null, now, finding })
}

async function insertBusiness(tx: Tx, input: NewBusiness, place: TypedLocation, isDemo: boolean, now: Date): Promise<string> {
  const row = {
    id: newId(),
    name: input.businessName,
    type: input.businessType,
    description: input.description || null,
    location: place.location || null,
    // Never store a farm's address, even if the form sends one.
    address: input.businessType === 'farm' ? null : input.address || null,
    city: place.city,
    state: place.state,
    country: place.country,
    zip: place.zip,
    phone: input.phone || null,
    website: input.website || null,
    image_url: input.imageUrl || null,
    stated_license_number: input.licenseNumber || null,
    ...pinColumns(place.pin),
    claimed_at: now,
    // A demo account's business is deleted with the demo.
    is_demo: isDemo,
    created_at: now,
    updated_at: now,
  }
  const base = slugBase(row.name, row.city)
  for (let number = await nextSlugNumber(tx, base); ; number++) {
    const inserted = await tx
      .insertInto('businesses')
      .values({ ...row, slug: numberedSlug(base, number), search_text: searchTextOf(row) })
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!inserted) continue
    await markForSearch(tx, 'business', [inserted.id])
    return inserted.id
  }
}

type ExistingListing = { id: string; slug: string; name: string }

export const claimPath = (slug: string): string => `/business/register?${new URLSearchParams({ claim: slug })}`

/** Shorter numbers occur in many states. */
const minNumberLength = 4

/** The business with a license of this number in this state. Without a state, the number must be unique across all states. */
async function listingWithLicense(db: Db, licenseNumber: string, state: string | null): Promise<ExistingListing | null> {
  const key = licenseNumberKey(licenseNumber)
  if (key === '' || (state === null && key.length < minNumberLength)) return null
  // This looks up each state, because the index starts with the state.
  const states = state === null ? usStates.map(({ code }) => code) : [state]
  const found = await listings(db)
    .where(sql<boolean>`licenses.state = any(${states}::text[])`)
    .where('licenses.license_number_key', '=', key)
    .orderBy('businesses.id')
    .limit(2)
    .execute()
  return state !== null || found.length === 1 ? (found[0] ?? null) : null
}

/** Register listings with this name in this city or, without a city, in this state; ignores case, punctuation and legal form. */
export async function listingsNamed(
  db: Db,
  { name, city, state }: { name: string; city: string | null; state: string },
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
    .filter((row) => city === null || (row.city !== null && compactName(row.city) === compactName(city)))
    .map(({ id, slug, name }) => ({ id, slug, name }))
}

const listings = (db: Db) =>
  db
    .selectFrom('licenses')
    .innerJoin('businesses', 'businesses.id', 'licenses.business_id')
    .select(['businesses.id', 'businesses.slug', 'businesses.name'])
    .distinct()
    .where('licenses.business_id', 'is not', null)
    .where('businesses.is_demo', '=', false)
    .where('businesses.moderation', 'is', null)

const maxLength = 100
/** Used by routes of the API (`/api/businesses/map`) and of the web app (`/business/register`). */
const reserved = new Set(['map', 'mine', 'register', 'setups'])

/** Name and city in plain ASCII. The first business gets this slug; later ones are numbered from 2. */
export function slugBase(name: string, city: string | null): string {
  const slug = slugify(city ? `${name} ${city}` : name, { decamelize: false })
    .slice(0, maxLength)
    .replace(/-$/, '')
  if (slug === '') return 'business'
  // Paths accept an ID or a slug, so a slug must not look like an ID.
  return reserved.has(slug) || isUuid(slug) ? `${slug}-business` : slug
}

export const numberedSlug = (base: string, number: number): string => (number === 1 ? base : `${base}-${number}`)
