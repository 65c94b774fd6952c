import type { Db } from '../../db/connect.ts'
import { type Actor, ageOf } from '../../kernel/actor.ts'
import { maySeeProducts } from '../jurisdictions/index.ts'

/**
 * Who may see a product's picture or certificate: whoever may see the product, in its team or not. Never everybody: an unknown age
 * sees no products anywhere.
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
    .select(['businesses.country', 'businesses.state'])
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
  return actor && maySeeProducts(ageOf(actor, now), shop) ? 'allowed' : 'denied'
}
