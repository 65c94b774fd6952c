import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { cityCenter, findZip } from '../../kernel/geo/gazetteer.ts'
import { newId } from '../../kernel/ids.ts'
import { hashPassword, insertAccount } from '../accounts/index.ts'
import { nextSlugNumber, numberedSlug, searchTextOf, slugBase } from '../businesses/index.ts'
import { type DemoBusiness, demoBusinesses } from './demo-businesses.ts'
import { type DemoPerson, demoEmailDomain, demoPassword, demoPeople } from './demo-people.ts'
import { demoPosts } from './demo-posts.ts'
import { demoFavorites, demoReviews, demoSubscriptions } from './demo-reviews.ts'

type Ids = Map<string, string>

/** Loads the demo content, all of it or none. Answers false when it is there already. */
export async function loadDemo({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<boolean> {
  if (await isLoaded(db)) return false
  // One password for all, and hashing takes long: once, and before the transaction.
  const passwordHash = await hashPassword(demoPassword)
  const now = clock.now()
  return inTransaction(db, async (tx) => {
    const people: Ids = new Map()
    for (const person of demoPeople) people.set(person.key, await addPerson(tx, person, passwordHash, now))
    const businesses: Ids = new Map()
    for (const business of demoBusinesses) businesses.set(business.key, await addBusiness(tx, business, people, now))
    await addPosts(tx, people, businesses, now)
    await addReviews(tx, people, businesses, now)
    await addFollowing(tx, people, businesses, now)
    return true
  })
}

async function isLoaded(db: Context['db']): Promise<boolean> {
  const one = await db.selectFrom('users').select('id').where('is_demo', '=', true).limit(1).executeTakeFirst()
  return one !== undefined
}

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * 24 * 60 * 60 * 1000)

/** The id behind a key of the demo content; a key that names nothing is a slip in these files. */
function idOf(ids: Ids, key: string): string {
  const id = ids.get(key)
  if (id === undefined) throw new Error(`The demo content names “${key}”, which is not in it.`)
  return id
}

async function addPerson(tx: Tx, person: DemoPerson, passwordHash: string, now: Date): Promise<string> {
  const joined = daysBefore(now, person.joinedDaysAgo)
  const { firstName, lastName, birthday, userType } = person
  const owned = demoBusinesses.find((business) => business.owner === person.key)
  const account = {
    email: `${person.key}@${demoEmailDomain}`,
    firstName,
    lastName,
    birthday,
    userType,
    businessType: owned?.type ?? null,
    passwordHash,
  }
  const id = await insertAccount(tx, account, joined)
  if (id === null) throw new Error(`The address ${account.email} has an account that is not of the demo content.`)
  await tx
    .updateTable('users')
    .set({
      is_demo: true,
      email_verified: true,
      has_completed_onboarding: true,
      location: person.location,
      bio: person.bio || null,
      interests: person.interests,
      is_profile_public: person.isPublic,
      following_count: demoSubscriptions[person.key]?.length ?? 0,
      posts_count: demoPosts.filter((post) => demoBusinesses.some(({ key, owner }) => key === post.business && owner === person.key))
        .length,
    })
    .where('id', '=', id)
    .execute()
  return id
}

async function addBusiness(tx: Tx, business: DemoBusiness, people: Ids, now: Date): Promise<string> {
  const { key, owner, name, type, city, state, zip, phone, description } = business
  const opened = daysBefore(now, business.openedDaysAgo)
  const point = zip ? findZip(zip) : cityCenter(city, state)
  if (!point) throw new Error(`The gazetteer does not know ${city}, ${state} ${zip ?? ''}.`)
  const precision = zip ? ('zip' as const) : ('city' as const)
  const pin = { pin_latitude: point.latitude, pin_longitude: point.longitude, pin_precision: precision }
  const ratings = demoReviews.filter((review) => review.business === key)
  const location = `${city}, ${state}`
  const base = slugBase(name, city)
  const id = newId()
  await tx
    .insertInto('businesses')
    .values({
      id,
      slug: numberedSlug(base, await nextSlugNumber(tx, base)),
      name,
      type,
      description,
      location,
      city,
      state,
      country: 'US',
      zip,
      phone,
      ...pin,
      latitude: point.latitude,
      longitude: point.longitude,
      geo_precision: precision,
      search_text: searchTextOf({ name, description, location }),
      rating_sum: ratings.reduce((sum, { rating }) => sum + rating, 0),
      total_ratings: ratings.length,
      subscriber_count: Object.values(demoSubscriptions).filter((keys) => keys.includes(key)).length,
      claimed_at: opened,
      is_demo: true,
      created_at: opened,
      updated_at: opened,
    })
    .execute()
  await tx
    .insertInto('business_members')
    .values({ business_id: id, user_id: idOf(people, owner), role: 'owner', created_at: opened })
    .execute()
  if (business.products.length > 0) {
    const products = business.products.map((product, i) => ({
      id: newId(),
      business_id: id,
      name: product.name,
      price_cents: product.cents,
      description: product.description,
      category: product.category,
      is_available: product.isAvailable ?? true,
      // The first of the list is the newest.
      created_at: new Date(opened.getTime() + (business.products.length - i) * 60_000),
    }))
    await tx.insertInto('products').values(products).execute()
  }
  return id
}

async function addPosts(tx: Tx, people: Ids, businesses: Ids, now: Date): Promise<void> {
  const owners = new Map(demoBusinesses.map(({ key, owner }) => [key, owner]))
  const posts = demoPosts.map((post) => ({
    id: newId(),
    author_id: idOf(people, owners.get(post.business) ?? post.business),
    business_id: idOf(businesses, post.business),
    title: post.title,
    content: post.content,
    post_type: post.type,
    is_exclusive: post.isExclusive ?? false,
    created_at: daysBefore(now, post.daysAgo),
  }))
  await tx.insertInto('posts').values(posts).execute()
}

async function addReviews(tx: Tx, people: Ids, businesses: Ids, now: Date): Promise<void> {
  const reviews = demoReviews.map(({ person, business, rating, review, daysAgo }) => ({
    id: newId(),
    business_id: idOf(businesses, business),
    user_id: idOf(people, person),
    rating,
    review,
    created_at: daysBefore(now, daysAgo),
  }))
  await tx.insertInto('reviews').values(reviews).execute()
}

async function addFollowing(tx: Tx, people: Ids, businesses: Ids, now: Date): Promise<void> {
  const pairs = (of: Record<string, string[]>) =>
    Object.entries(of).flatMap(([person, keys]) =>
      keys.map((key, i) => ({ user_id: idOf(people, person), business_id: idOf(businesses, key), created_at: daysBefore(now, 50 - i) })),
    )
  await tx.insertInto('subscriptions').values(pairs(demoSubscriptions)).execute()
  await tx
    .insertInto('favorites')
    .values(pairs(demoFavorites).map((pair) => ({ id: newId(), ...pair })))
    .execute()
}
