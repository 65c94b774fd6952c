import { sql } from 'kysely'
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
    // Of a business that moderators took from view its own team alone sees anything.
    .select(
      sql<boolean>`(businesses.moderation is null or exists (select from business_members
        where business_members.business_id = businesses.id and business_members.user_id = ${actor?.id ?? null}::uuid))`.as('is_shown'),
    )
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
  return actor && shop.is_shown && maySeeProducts(ageOf(actor, now), shop) ? 'allowed' : 'denied'
}
