import { sql } from 'kysely'
import { dayMs, licenseDay } from '#contracts/time.ts'
import type { LandingContent } from '#contracts/visitor-pages.ts'
import type { Db } from '#server/db/connect.ts'
import { loadSummaries } from '#server/features/businesses/index.ts'
import { largestCities, type PlaceCounts, withoutDemo } from '#server/features/places/index.ts'
import type { Context } from '#server/kernel/context.ts'

const citiesShown = 8
const menusShown = 4
const reviewsShown = 3
/** Menus are chosen from this many of the best-ranked businesses. */
const menuCandidates = 300
const reviewCandidates = 50
const freshMs = 7 * dayMs
/** In characters; shorter reviews say too little. */
const minReviewLength = 40
const maxReviewLength = 280

/** Real content for the start page and the landing page, never demo content. */
export async function readLanding({ db, clock }: Pick<Context, 'db' | 'clock'>, counts: PlaceCounts): Promise<LandingContent> {
  const now = clock.now()
  const [menus, reviews] = await Promise.all([freshMenus(db, now), newestReviews(db)])
  return { kind: 'landing', cities: largestCities(withoutDemo(counts), citiesShown), menus, reviews }
}

async function freshMenus(db: Db, now: Date): Promise<LandingContent['menus']> {
  const candidates = db
    .selectFrom('businesses')
    .select(['id', 'license_trust', 'rating_score'])
    .where('moderation', 'is', null)
    .where('closure', 'is', null)
    .where('is_demo', '=', false)
    .where('claimed_at', 'is not', null)
    .where('license_standing', '=', 'listed')
    .orderBy(sql`coalesce(license_verified_through >= ${licenseDay(now)}::date, false)`, 'desc')
    .orderBy('rating_score', 'desc')
    .orderBy('id', 'desc')
    .limit(menuCandidates)
    .as('candidates')
  const rows = await db
    .selectFrom(candidates)
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('products')
          .select((of) => of.fn.min('confirmed_at').as('confirmed_at'))
          .whereRef('products.business_id', '=', 'candidates.id')
          .where('products.moderation', 'is', null)
          .as('menu'),
      (join) => join.onTrue(),
    )
    .select(['candidates.id', 'menu.confirmed_at'])
    .where('menu.confirmed_at', '>=', new Date(now.getTime() - freshMs))
    .orderBy('candidates.license_trust', 'desc')
    .orderBy('candidates.rating_score', 'desc')
    .orderBy('candidates.id', 'desc')
    .limit(menusShown)
    .execute()
  const confirmed = new Map(rows.map((row) => [row.id, row.confirmed_at.toISOString()]))
  const businesses = await loadSummaries(db, [...confirmed.keys()], now)
  return businesses.map((business) => ({ ...business, menuConfirmedAt: confirmed.get(business.id) as string }))
}

async function newestReviews(db: Db): Promise<LandingContent['reviews']> {
  const rows = await db
    .selectFrom('reviews')
    .innerJoin('businesses', 'businesses.id', 'reviews.business_id')
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .select(['reviews.id', 'reviews.rating', 'reviews.review', 'reviews.created_at', 'reviews.business_id'])
    .select(['businesses.slug', 'businesses.name', 'businesses.city', 'businesses.state'])
    .where('reviews.moderation', 'is', null)
    .where('reviews.review', 'is not', null)
    .where('reviews.is_freebie', '=', false)
    .where('businesses.moderation', 'is', null)
    .where('businesses.closure', 'is', null)
    .where('businesses.is_demo', '=', false)
    .where('users.is_demo', '=', false)
    .orderBy('reviews.created_at', 'desc')
    .orderBy('reviews.id', 'desc')
    .limit(reviewCandidates)
    .execute()
  const seen = new Set<string>()
  const chosen = rows.filter(({ business_id, review }) => {
    if (seen.has(business_id) || !review || review.length < minReviewLength) return false
    seen.add(business_id)
    return true
  })
  return chosen.slice(0, reviewsShown).map((row) => ({
    id: row.id,
    rating: row.rating,
    text: shortened(row.review ?? ''),
    createdAt: row.created_at.toISOString(),
    business: { slug: row.slug, name: row.name, place: [row.city, row.state].filter(Boolean).join(', ') || null },
  }))
}

const shortened = (text: string): string =>
  text.length <= maxReviewLength ? text : `${text.slice(0, maxReviewLength).replace(/\s+\S*$/, '')}…`
