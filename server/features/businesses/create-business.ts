import type { Business, NewBusiness } from '../../../contracts/businesses.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { type IdempotencyKey, once } from '../../kernel/idempotency.ts'
import { newId } from '../../kernel/ids.ts'
import { markForSearch } from '../../kernel/search.ts'
import { completeOnboardingAsBusiness, provideBirthday } from '../accounts/index.ts'
import { fetchOutside } from '../media/index.ts'
import { flagForReview } from '../moderation/index.ts'
import { businessWords, requireClean } from '../screening/index.ts'
import { addOwner } from '../team/index.ts'
import { claimPath, listingsNamed, listingWithLicense } from './existing-listings.ts'
import { getBusiness } from './get-business.ts'
import { readLocation, type TypedLocation } from './location.ts'
import { nextSlugNumber } from './slugs.queries.ts'
import { numberedSlug, slugBase } from './slugs.ts'
import { searchTextOf } from './text-filter.ts'

/**
 * A license number that has a listing makes no second one: the listing must be claimed. A namesake in the same city may be made, and is
 * shown to the moderators as a possible duplicate.
 * The contracts say whether a location is needed.
 * @throws AppError conflict when the license has a listing or the account has its 20, birthday_required, underage,
 * invalid_input about words that are refused
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
      // The number from the sign-up is the first business's, unless its form says otherwise.
      const stated = input.licenseNumber === undefined && !account.has_completed_onboarding ? account.license_number : input.licenseNumber
      if (stated) await requireNoListing(tx, stated, place.state)
      const id = await insertBusiness(tx, { ...input, licenseNumber: stated }, place, account.is_demo, now)
      if (!account.is_demo) await reportDuplicate(tx, { id, name: input.businessName, ...place }, actor.id, now)
      await addOwner(tx, { businessId: id, userId: actor.id, now })
      if (input.imageUrl) await fetchOutside(tx, ctx, { url: input.imageUrl, ownerId: actor.id, attach: { businessId: id } })
      await completeOnboardingAsBusiness(tx, actor.id, input.businessType, now)
      return getBusiness(tx, id, now)
    }),
  )
  ctx.cache.invalidate('businesses')
  return answer
}

/** It has no license yet that was verified. @throws AppError invalid_input */
async function requireCleanPage(tx: Tx, ctx: Pick<Context, 'clock'>, input: NewBusiness): Promise<void> {
  const { country, state } = readLocation(input.location, input.businessType)
  const business = { place: { country, state }, isLicensed: false, licenseNumber: null }
  const { businessName, description, location, address, phone, website } = input
  const words = { businessName, description, location, address, phone, website }
  // Those who are muted were refused before.
  requireClean((await businessWords(tx, ctx, null, 'business_profile', business))(words))
}

/** Locked until the end: how many businesses it has is counted in between. */
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
  const message = `This license number belongs to “${listing.name}”. If that's your business, claim it. If not, correct the number or leave it empty.`
  const links = [{ title: `Claim ${listing.name}`, path: claimPath(listing.slug) }]
  throw new AppError('conflict', { message, fields: { licenseNumber: message }, links })
}

type Named = { id: string; name: string; city: string | null; state: string | null }

/** Opens one case where the register has a listing of this name in this city. */
async function reportDuplicate(tx: Tx, { id, name, city, state }: Named, userId: string, now: Date): Promise<void> {
  if (city === null || state === null) return
  const [listing] = await listingsNamed(tx, { name, city, state })
  if (!listing) return
  const says = `It has the name and the city of the listing “${listing.name}”. If it's the same business, hide this one.`
  const finding = { rule: 'possible_duplicate', says, path: `/business/${listing.slug}` }
  await flagForReview(tx, { subject: 'business', subjectId: id, userId, communityId: null, now, finding })
}

async function insertBusiness(tx: Tx, input: NewBusiness, place: TypedLocation, isDemo: boolean, now: Date): Promise<string> {
  const row = {
    id: newId(),
    name: input.businessName,
    type: input.businessType,
    description: input.description || null,
    location: place.location || null,
    // Nobody's grow is given away, not even by a form.
    address: input.businessType === 'farm' ? null : input.address || null,
    city: place.city,
    state: place.state,
    country: place.country,
    zip: place.zip,
    phone: input.phone || null,
    website: input.website || null,
    image_url: input.imageUrl || null,
    stated_license_number: input.licenseNumber || null,
    latitude: place.pin?.latitude ?? null,
    longitude: place.pin?.longitude ?? null,
    geo_precision: place.pin?.precision ?? null,
    pin_latitude: place.pin?.latitude ?? null,
    pin_longitude: place.pin?.longitude ?? null,
    pin_precision: place.pin?.precision ?? null,
    claimed_at: now,
    // What a demo account makes goes when the demo goes.
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
