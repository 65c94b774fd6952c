import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { cityCenter } from '../../kernel/geo/gazetteer.ts'
import { newId } from '../../kernel/ids.ts'
import { hashPassword, insertAccount } from '../accounts/index.ts'
import { numberedSlug, searchTextOf, slugBase } from '../businesses/index.ts'
import { demoFavorites, demoReviews, demoSubscriptions } from './demo-activity.ts'
import { type DemoBusiness, demoBusinesses } from './demo-businesses.ts'
import { demoEmail, demoPassword, demoPeople } from './demo-people.ts'

const day = 86_400_000

/**
 * Loads the fictional people and businesses, all or nothing. Answers false when they are there already.
 * Demo content is written by this feature across the tables of others, as an import is; nothing else does that.
 */
export async function loadDemo(ctx: Pick<Context, 'db' | 'clock' | 'cache'>): Promise<boolean> {
  const passwordHash = await hashPassword(demoPassword)
  const now = ctx.clock.now()
  const isLoaded = await inTransaction(ctx.db, async (tx) => {
    const people = await insertPeople(tx, passwordHash, now)
    if (!people) return false
    const businesses = new Map<string, string>()
    for (const business of demoBusinesses) businesses.set(business.key, await insertBusiness(tx, business, people, now))
    await insertActivity(tx, people, businesses, now)
    return true
  })
  ctx.cache.invalidate('businesses')
  return isLoaded
}

type Ids = ReadonlyMap<string, string>

const idOf = (ids: Ids, key: string): string => {
  const id = ids.get(key)
  if (id === undefined) throw new Error(`The demo content names "${key}", which is not in it.`)
  return id
}

/** Null when there are demo people already, or somebody holds one of their addresses. */
async function insertPeople(tx: Tx, passwordHash: string, now: Date): Promise<Ids | null> {
  const joined = new Date(now.getTime() - 120 * day)
  const ids = new Map<string, string>()
  for (const person of demoPeople) {
    const id = await insertAccount(tx, { ...person, email: demoEmail(person), passwordHash }, joined)
    if (id === null) return null
    await tx
      .updateTable('users')
      .set({
        is_demo: true,
        email_verified: true,
        location: person.location,
        bio: person.bio,
        interests: person.interests,
        is_profile_public: true,
        has_completed_onboarding: true,
      })
      .where('id', '=', id)
      .execute()
    ids.set(person.key, id)
  }
  return ids
}

async function insertBusiness(tx: Tx, demo: DemoBusiness, people: Ids, now: Date): Promise<string> {
  const id = newId()
  const ownerId = idOf(people, demo.owner)
  const location = `${demo.city}, ${demo.state}`
  // A place that does not exist has no door: it stands at the center of its city.
  const center = cityCenter(demo.city, demo.state)
  const pin = { latitude: center?.latitude ?? null, longitude: center?.longitude ?? null, precision: center ? ('city' as const) : null }
  const created = new Date(now.getTime() - 100 * day)
  const row = {
    id,
    name: demo.name,
    type: demo.type,
    description: demo.description,
    location,
    city: demo.city,
    state: demo.state,
    country: 'US',
    latitude: pin.latitude,
    longitude: pin.longitude,
    geo_precision: pin.precision,
    pin_latitude: pin.latitude,
    pin_longitude: pin.longitude,
    pin_precision: pin.precision,
    claimed_at: created,
    is_demo: true,
    created_at: created,
    updated_at: created,
  }
  const slug = numberedSlug(`demo-${slugBase(demo.name, demo.city)}`, 1)
  await tx
    .insertInto('businesses')
    .values({ ...row, slug, search_text: searchTextOf(row) })
    .execute()
  await tx.insertInto('business_members').values({ business_id: id, user_id: ownerId, role: 'owner', created_at: created }).execute()
  await tx
    .insertInto('products')
    .values(
      demo.products.map((product, index) => ({
        id: newId(),
        business_id: id,
        name: product.name,
        price_cents: product.price,
        description: product.description,
        category: product.category,
        is_available: product.isAvailable ?? true,
        // The first of the list is the newest, and stands first on the menu.
        created_at: new Date(now.getTime() - (index + 1) * 60_000),
        updated_at: now,
      })),
    )
    .execute()
  await tx
    .insertInto('posts')
    .values(
      demo.posts.map((post) => {
        const posted = new Date(now.getTime() - post.daysAgo * day)
        return {
          id: newId(),
          author_id: ownerId,
          business_id: id,
          title: post.title,
          content: post.content,
          post_type: post.type,
          is_exclusive: post.isExclusive ?? false,
          created_at: posted,
          updated_at: posted,
        }
      }),
    )
    .execute()
  return id
}

async function insertActivity(tx: Tx, people: Ids, businesses: Ids, now: Date): Promise<void> {
  await tx
    .insertInto('reviews')
    .values(
      demoReviews.map((review) => {
        const written = new Date(now.getTime() - review.daysAgo * day)
        return {
          id: newId(),
          business_id: idOf(businesses, review.business),
          user_id: idOf(people, review.person),
          rating: review.rating,
          review: review.text,
          created_at: written,
          updated_at: written,
        }
      }),
    )
    .execute()
  const pairs = (list: readonly [string, string][]) =>
    list.map(([person, business], index) => ({
      user_id: idOf(people, person),
      business_id: idOf(businesses, business),
      created_at: new Date(now.getTime() - (index + 1) * 3_600_000),
    }))
  await tx.insertInto('subscriptions').values(pairs(demoSubscriptions)).execute()
  await tx
    .insertInto('favorites')
    .values(pairs(demoFavorites).map((favorite) => ({ id: newId(), ...favorite })))
    .execute()

  for (const businessId of businesses.values()) {
    await tx
      .updateTable('businesses')
      .set((eb) => ({
        rating_sum: eb
          .selectFrom('reviews')
          .select((review) => review.fn.coalesce(review.fn.sum<number>('rating'), review.lit(0)).as('sum'))
          .where('business_id', '=', businessId),
        total_ratings: eb
          .selectFrom('reviews')
          .select((review) => review.fn.countAll<number>().as('count'))
          .where('business_id', '=', businessId),
        subscriber_count: eb
          .selectFrom('subscriptions')
          .select((subscription) => subscription.fn.countAll<number>().as('count'))
          .where('business_id', '=', businessId),
      }))
      .where('id', '=', businessId)
      .execute()
  }
  for (const userId of people.values()) {
    await tx
      .updateTable('users')
      .set((eb) => ({
        following_count: eb
          .selectFrom('subscriptions')
          .select((subscription) => subscription.fn.countAll<number>().as('count'))
          .where('user_id', '=', userId),
        posts_count: eb
          .selectFrom('posts')
          .select((post) => post.fn.countAll<number>().as('count'))
          .where('author_id', '=', userId),
      }))
      .where('id', '=', userId)
      .execute()
  }
}
