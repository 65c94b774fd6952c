import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { cityCenter, findZip } from '../../kernel/geo/gazetteer.ts'
import { newId } from '../../kernel/ids.ts'
import { askForSearchPass } from '../../kernel/search.ts'
import { hashPassword, insertAccount } from '../accounts/index.ts'
import { nextSlugNumber, numberedSlug, searchTextOf, slugBase } from '../businesses/index.ts'
import { countAgainFrom, makePartitions, rollUpVisits } from '../insights/index.ts'
import { addOwner } from '../team/index.ts'
import { type DemoBusiness, demoBusinesses } from './demo-businesses.ts'
import { demoSubscriptions } from './demo-follows.ts'
import { type DemoPerson, demoEmailDomain, demoPassword, demoPeople } from './demo-people.ts'
import { demoPeoplePosts } from './demo-people-posts.ts'
import { demoReviews } from './demo-reviews.ts'
import { addCommunities } from './load-communities.ts'
import { addEvents } from './load-events.ts'
import { addFollows, countsOf } from './load-follows.ts'
import { addHunts } from './load-hunts.ts'
import { addLicenses } from './load-licenses.ts'
import { addMenus } from './load-menus.ts'
import { addMessages } from './load-messages.ts'
import { addNotifications } from './load-notifications.ts'
import { addPosts } from './load-posts.ts'
import { addReviews } from './load-reviews.ts'
import { addVisits, visitedDays } from './load-visits.ts'
import { daysBefore, type Loading, needed } from './loading.ts'

/** Loads the demo content, all of it or none. Answers false when it is there already. */
export async function loadDemo({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<boolean> {
  if (await isLoaded(db)) return false
  // One password for all, and hashing takes long: once, and before the transaction.
  const passwordHash = await hashPassword(demoPassword)
  const now = clock.now()
  await makePartitions(db, now, daysBefore(now, visitedDays))
  await inTransaction(db, async (tx) => {
    const loading: Loading = { tx, now, people: new Map(), businesses: new Map() }
    for (const person of demoPeople) loading.people.set(person.key, await addPerson(loading, person, passwordHash))
    for (const business of demoBusinesses) loading.businesses.set(business.key, await addBusiness(loading, business))
    await addLicenses(loading)
    await addMenus(loading)
    await addHunts(loading)
    await addCommunities(loading)
    await addEvents(loading)
    await addMessages(loading)
    // What was done in each, of which people are told in the end.
    const deeds = [...(await addFollows(loading)), ...(await addReviews(loading)), ...(await addPosts(loading))]
    await addNotifications(loading, deeds)
    await addVisits(loading)
    await countAgainFrom(tx, daysBefore(now, visitedDays))
    await askForSearchPass(tx)
  })
  await rollUpVisits({ db, clock })
  return true
}

async function isLoaded(db: Context['db']): Promise<boolean> {
  const one = await db.selectFrom('users').select('id').where('is_demo', '=', true).limit(1).executeTakeFirst()
  return one !== undefined
}

/** What somebody wrote under the own name; what they wrote for their businesses is not counted. */
const postsOf = (person: string) => demoPeoplePosts.filter((post) => post.person === person).length

async function addPerson({ tx, now }: Loading, person: DemoPerson, passwordHash: string): Promise<string> {
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
      ...countsOf(person.key),
      posts_count: postsOf(person.key),
    })
    .where('id', '=', id)
    .execute()
  return id
}

async function addBusiness({ tx, people, now }: Loading, business: DemoBusiness): Promise<string> {
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
      rating_counts: [1, 2, 3, 4, 5].map((stars) => ratings.filter(({ rating }) => rating === stars).length),
      subscriber_count: Object.values(demoSubscriptions).filter((links) => key in links).length,
      claimed_at: opened,
      is_demo: true,
      created_at: opened,
      updated_at: opened,
    })
    .execute()
  await addOwner(tx, { businessId: id, userId: needed(people, owner), now: opened })
  return id
}
