import type { Business, NewBusiness } from '../../../contracts/businesses.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { type IdempotencyKey, once } from '../../kernel/idempotency.ts'
import { newId } from '../../kernel/ids.ts'
import { markForSearch } from '../../kernel/search.ts'
import { completeOnboardingAsBusiness, provideBirthday } from '../accounts/index.ts'
import { fetchOutside } from '../media/index.ts'
import { addOwner } from '../team/index.ts'
import { getBusiness } from './get-business.ts'
import { readLocation } from './location.ts'
import { nextSlugNumber } from './slugs.queries.ts'
import { numberedSlug, slugBase } from './slugs.ts'
import { searchTextOf } from './text-filter.ts'

/** @throws AppError conflict when the account has its 20, birthday_required, underage */
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
      const account = await lockAccount(tx, actor.id)
      const id = await insertBusiness(tx, input, account.is_demo, now)
      await addOwner(tx, { businessId: id, userId: actor.id, now })
      if (input.imageUrl) await fetchOutside(tx, ctx, { url: input.imageUrl, ownerId: actor.id, attach: { businessId: id } })
      await completeOnboardingAsBusiness(tx, actor.id, input.businessType, now)
      return getBusiness(tx, id)
    }),
  )
  ctx.cache.invalidate('businesses')
  return answer
}

/** Held until the end: how many businesses it has is counted in between. */
const lockAccount = (tx: Tx, userId: string) =>
  tx.selectFrom('users').select('is_demo').where('id', '=', userId).forUpdate().executeTakeFirstOrThrow()

async function insertBusiness(tx: Tx, input: NewBusiness, isDemo: boolean, now: Date): Promise<string> {
  const place = readLocation(input.location, input.businessType)
  const row = {
    id: newId(),
    name: input.businessName,
    type: input.businessType,
    description: input.description || null,
    location: place.location,
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
