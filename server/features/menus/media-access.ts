import { sql } from 'kysely'
import { theseIds } from '../../db/these-ids.ts'
import { ageOf } from '../../kernel/actor.ts'
import { maySeeProducts } from '../jurisdictions/index.ts'
import type { MayReadMedia } from '../media/index.ts'

/**
 * A product's picture or certificate is for those who may see the product, in its team or not. Never for everyone: an unknown age sees no
 * products anywhere.
 */
export const mayReadProductMedia: MayReadMedia = async (db, actor, productIds, now) => {
  const shops = await db
    .selectFrom('products')
    .innerJoin('businesses', 'businesses.id', 'products.business_id')
    .select(['businesses.country', 'businesses.state'])
    .where(sql<boolean>`products.id = ${theseIds(productIds)}`)
    // Only its team sees anything of a business that moderators hid.
    .where(
      sql<boolean>`(businesses.moderation is null or exists (select from business_members
        where business_members.business_id = businesses.id and business_members.user_id = ${actor.id}::uuid))`,
    )
    .execute()
  return shops.some((shop) => maySeeProducts(ageOf(actor, now), shop))
}
