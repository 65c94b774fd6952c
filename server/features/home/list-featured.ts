import { sql } from 'kysely'
import type { BusinessSummary } from '../../../contracts/businesses.ts'
import type { Db } from '../../db/connect.ts'
import { loadSummaries } from '../businesses/index.ts'

const shown = 4

/**
 * With fewer reviews an average says more about who came first than about the business. The index `businesses_featured` holds
 * those with enough: whoever changes the number makes another index.
 */
const enoughReviews = 5

/** The best rated businesses of those with enough reviews, by the score that ranks the directory; fewer where fewer have enough. */
export async function listFeatured(db: Db, now: Date): Promise<BusinessSummary[]> {
  const rows = await db
    .selectFrom('businesses')
    .select('id')
    // Written out, not a parameter: a plan for any number could not use the partial index.
    .where('total_ratings', '>=', sql.lit(enoughReviews))
    .where('moderation', 'is', null)
    .orderBy('rating_score', 'desc')
    .orderBy('license_trust', 'desc')
    .orderBy('id', 'desc')
    .limit(shown)
    .execute()
  const ids = rows.map((row) => row.id)
  return loadSummaries(db, ids, now)
}
