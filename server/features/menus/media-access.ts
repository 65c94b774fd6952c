import type { Db } from '../../db/connect.ts'
import { type Actor, ageOf } from '../../kernel/actor.ts'
import { maySeeProducts } from '../jurisdictions/index.ts'

/**
 * Who may see a product's picture or certificate: whoever may see the product, and those who work for the business. Never
 * everybody: an unknown age sees no products anywhere.
 */
export async function mayReadProductMedia(
  db: Db,
  actor: Actor | null,
  mediaId: string,
  now: Date,
): Promise<'allowed' | 'denied' | 'unattached'> {
  const shop = await db
    .selectFrom('products')
    .innerJoin('businesses', 'businesses.id', 'products.business_id')
    .select(['businesses.id', 'businesses.country', 'businesses.state'])
    // Two indexes: with "or" the planner reads the whole table when it is small, and guesses when it is large.
    .where('products.id', 'in', (eb) =>
      eb
        .selectFrom('products as pictured')
        .select('pictured.id')
        .where('pictured.image_id', '=', mediaId)
        .union(eb.selectFrom('products as certified').select('certified.id').where('certified.certificate_id', '=', mediaId)),
    )
    .executeTakeFirst()
  if (!shop) return 'unattached'
  if (!actor) return 'denied'
  if (maySeeProducts(ageOf(actor, now), shop)) return 'allowed'
  const member = await db
    .selectFrom('business_members')
    .select('role')
    .where('business_id', '=', shop.id)
    .where('user_id', '=', actor.id)
    .executeTakeFirst()
  return member ? 'allowed' : 'denied'
}
