import { sql } from 'kysely'
import type { Tx } from '#server/db/connect.ts'
import { asLocked, type Locked } from '#server/db/locked.ts'
import { invalidField, notFound } from '#server/kernel/errors.ts'
import { findState } from '#server/kernel/geo/us-states.ts'
import { markForSearch } from '#server/kernel/search.ts'

type Place = { state: string | null; country: string | null }

/**
 * A license is valid only in its state, and the minimum age for seeing products depends on the place. So a business with a license,
 * whether from the register or verified, can't be edited to leave the states of its licenses or to have no location. It may move
 * freely within its current state, whatever the register says.
 * @throws AppError invalid_input about `location`
 */
export async function requireLicensedState(tx: Tx, businessId: Locked<'businesses'>, before: Place, after: Place): Promise<void> {
  if (after.state === before.state && after.country === before.country) return
  const { rows } = await sql<{ state: string }>`
    select state from licenses where business_id = ${businessId}
    union select state from license_verifications where business_id = ${businessId} and status = 'verified'
    order by state`.execute(tx)
  if (rows.length === 0 || rows.some(({ state }) => state === after.state)) return
  const names = rows.map(({ state }) => findState(state)?.name ?? state).join(' or ')
  throw invalidField('location', `This business is licensed in ${names}: enter a place there, such as a city and its state`)
}

const noEnd = '9999-12-31'

type Verified = {
  /** The last valid day, or null if no end is stated. */
  through: string | null
}

/** Updates whether a business's license is verified. Without a register license, this also determines its license status. */
export async function setLicenseVerified(
  tx: Tx,
  businessId: string,
  verified: Verified | null,
  now: Date,
  /** Status of an unverified business without a register license. */
  standingWithout: 'inactive' | 'none' = 'inactive',
): Promise<void> {
  await tx
    .updateTable('businesses')
    .set((eb) => ({
      license_verified_through: verified && (verified.through ?? noEnd),
      license_standing: eb
        .case()
        .when(eb.exists(eb.selectFrom('licenses').select('licenses.id').where('licenses.business_id', '=', businessId)))
        .then(eb.ref('license_standing'))
        .else(verified ? ('listed' as const) : standingWithout)
        .end(),
      updated_at: now,
    }))
    .where('id', '=', businessId)
    .execute()
  // The license breaks ties in search, so the index must be updated.
  await markForSearch(tx, 'business', [businessId])
}

/** Serializes concurrent claims. */
export async function lockBusiness(tx: Tx, id: string) {
  const business = await tx
    .selectFrom('businesses')
    .select(['id', 'slug', 'name', 'type', 'is_demo', 'claimed_at'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return business && { ...business, id: asLocked('businesses', business.id) }
}

/**
 * Prevents the business from being deleted until the transaction ends.
 * @throws AppError not_found, also if moderators have hidden it, unless `mayBeHidden`
 */
export async function lockAgainstDeletion(tx: Tx, id: string, { mayBeHidden }: { mayBeHidden: boolean }): Promise<void> {
  const business = await tx
    .selectFrom('businesses')
    .select('id')
    .where('id', '=', id)
    .$if(!mayBeHidden, (query) => query.where('moderation', 'is', null))
    .forKeyShare()
    .executeTakeFirst()
  if (!business) throw notFound('Business not found.')
}

/** From now on the owner edits the listing; imports update only its register status. */
export const setClaimed = (tx: Tx, id: string, now: Date) =>
  tx
    .updateTable('businesses')
    .set((eb) => ({ claimed_at: eb.fn.coalesce('claimed_at', eb.val(now)), updated_at: now }))
    .where('id', '=', id)
    .execute()

/** For a business without a team. It stays in the directory, with its content. */
export const setUnclaimed = (tx: Tx, id: string, now: Date) =>
  tx.updateTable('businesses').set({ claimed_at: null, updated_at: now }).where('id', '=', id).where('claimed_at', 'is not', null).execute()
