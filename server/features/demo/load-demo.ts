import type { EventAudience } from '#contracts/events.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { hashPassword, insertAccount } from '#server/features/accounts/index.ts'
import { nextSlugNumber, numberedSlug, searchTextOf, setLicenseVerified, slugBase } from '#server/features/businesses/index.ts'
import { remindAt } from '#server/features/events/index.ts'
import { countAgainFrom, makePartitions, rollUpVisits } from '#server/features/insights/index.ts'
import { addOwner } from '#server/features/team/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { cityCenter, findZip } from '#server/kernel/geo/gazetteer.ts'
import { newId } from '#server/kernel/ids.ts'
import { requestFullReindex } from '#server/kernel/search.ts'
import { localTime, momentOf } from '#server/kernel/time-zones.ts'
import { type DemoBusiness, demoBusinesses } from './demo-businesses.ts'
import { type DemoPerson, demoEmailDomain, demoPassword, demoPeople } from './demo-people.ts'
import { demoPeoplePosts } from './demo-people-posts.ts'
import { addCommunities } from './load-communities.ts'
import { addFollows, countsOf, demoSubscriptions } from './load-follows.ts'
import { addHunts } from './load-hunts.ts'
import { addMenus } from './load-menus.ts'
import { addMessages, addNotifications } from './load-messages.ts'
import { addPosts } from './load-posts.ts'
import { addReviews, demoReviews } from './load-reviews.ts'
import { addVisits, visitedDays } from './load-visits.ts'
import { daysBefore, type LoadContext, requireKey } from './loading.ts'

/** @returns false if the demo is already loaded */
export async function loadDemo({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<boolean> {
  if (await isLoaded(db)) return false
  // Hashing is slow: hash the shared password once, before the transaction.
  const passwordHash = await hashPassword(demoPassword)
  const now = clock.now()
  await makePartitions(db, now, daysBefore(now, visitedDays))
  await inTransaction(db, async (tx) => {
    const loading: LoadContext = { tx, now, people: new Map(), businesses: new Map() }
    for (const person of demoPeople) loading.people.set(person.key, await addPerson(loading, person, passwordHash))
    for (const business of demoBusinesses) loading.businesses.set(business.key, await addBusiness(loading, business))
    await addLicenses(loading)
    await addMenus(loading)
    await addHunts(loading)
    await addCommunities(loading)
    await addEvents(loading)
    await addMessages(loading)
    const activities = [...(await addFollows(loading)), ...(await addReviews(loading)), ...(await addPosts(loading))]
    await addNotifications(loading, activities)
    await addVisits(loading)
    await countAgainFrom(tx, daysBefore(now, visitedDays))
    await requestFullReindex(tx)
  })
  await rollUpVisits({ db, clock })
  return true
}

async function isLoaded(db: Context['db']): Promise<boolean> {
  const one = await db.selectFrom('users').select('id').where('is_demo', '=', true).limit(1).executeTakeFirst()
  return one !== undefined
}

/** How many posts a person wrote under their own name; `posts_count` excludes posts for a business and in communities. */
const postsOf = (person: string) => demoPeoplePosts.filter((post) => post.person === person).length

async function addPerson({ tx, now }: LoadContext, person: DemoPerson, passwordHash: string): Promise<string> {
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
  if (id === null) throw new Error(`The address ${account.email} belongs to an account outside the demo content.`)
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

async function addBusiness({ tx, people, now }: LoadContext, business: DemoBusiness): Promise<string> {
  const { key, owner, name, type, city, state, zip, address = null, phone, description } = business
  const opened = daysBefore(now, business.openedDaysAgo)
  const point = zip ? findZip(zip) : cityCenter(city, state)
  if (!point) throw new Error(`The gazetteer doesn’t contain ${city}, ${state} ${zip ?? ''}.`)
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
      address,
      phone,
      amenities: business.amenities ?? [],
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
  await addOwner(tx, { businessId: id, userId: requireKey(people, owner), now: opened })
  return id
}

type DemoEvent = {
  business: string
  title: string
  description: string
  audience: EventAudience
  timeZone: string
  /** Days after the load. `from` and `until` are hours in `timeZone`. */
  inDays: number
  from: number
  until: number
  venue: string | null
  capacity: number | null
  /** The people going, in the order of their RSVPs, one per day. */
  going: string[]
}

const demoEvents: DemoEvent[] = [
  {
    business: 'lanternfold',
    title: 'Meet the growers',
    description:
      'Three growers will be behind the counter for an evening to answer what the cards don’t. Bring your questions about drying, curing and why no two lots are alike. Ages 21 and over.',
    audience: 'everyone',
    timeZone: 'America/Denver',
    inDays: 5,
    from: 18,
    until: 20,
    venue: null,
    capacity: 40,
    going: ['desmond', 'lorne', 'wren', 'tobin'],
  },
  {
    business: 'quietwater',
    title: 'Reading certificates together',
    description:
      'We’ll put six certificates of analysis on the table and read them line by line. Afterward, you’ll know which questions to ask, here or anywhere else. Ages 21 and over.',
    audience: 'subscribers',
    timeZone: 'America/Denver',
    inDays: 12,
    from: 17,
    until: 19,
    venue: 'The room above the shop',
    capacity: 12,
    going: ['marisol', 'desmond'],
  },
  {
    business: 'slowfurrow',
    title: 'A morning in the rows',
    description:
      'A slow walk through the terraces with Odile, coffee included. Wear boots. We’ll meet at the grange and go on from there together. Ages 21 and over.',
    audience: 'vip',
    timeZone: 'America/Los_Angeles',
    inDays: 19,
    from: 9,
    until: 12,
    venue: 'Pine Grove Grange',
    capacity: 15,
    going: [],
  },
]

async function addEvents({ tx, now, people, businesses }: LoadContext): Promise<void> {
  for (const { business, timeZone, inDays, from, until, going, ...event } of demoEvents) {
    const {
      owner,
      type,
      city,
      state,
      address = null,
    } = demoBusinesses.find(({ key }) => key === business) as (typeof demoBusinesses)[number]
    const { date } = localTime(timeZone, daysBefore(now, -inDays))
    const at = (hour: number) => new Date(momentOf(timeZone, date, hour * 60))
    const businessId = requireKey(businesses, business)
    const { pin_latitude, pin_longitude } = await tx
      .selectFrom('businesses')
      .select(['pin_latitude', 'pin_longitude'])
      .where('id', '=', businessId)
      .executeTakeFirstOrThrow()
    const times = { starts_at: at(from), ends_at: at(until), time_zone: timeZone }
    const published = daysBefore(now, going.length + 1)
    const id = newId()
    await tx
      .insertInto('events')
      .values({
        id,
        business_id: businessId,
        created_by: requireKey(people, owner),
        ...event,
        ...times,
        // Events take place at the main location, except those of farms, whose location is private.
        ...(type === 'farm' ? {} : { location_id: businessId, address }),
        city: `${city}, ${state}`,
        pin_latitude,
        pin_longitude,
        is_farm: type === 'farm',
        going_count: going.length,
        created_at: published,
        updated_at: published,
      })
      .execute()
    const rsvps = going.map((person, i) => ({
      event_id: id,
      user_id: requireKey(people, person),
      created_at: daysBefore(now, going.length - i),
      remind_at: remindAt(times, now),
    }))
    if (rsvps.length > 0) await tx.insertInto('event_rsvps').values(rsvps).execute()
  }
}

/**
 * Some of the demo's posts advertise, which requires a verified license: its farms, dispensaries and kitchens have one. Their
 * license numbers are recognizably fake: no register has numbers like these.
 */
async function addLicenses({ tx, now, businesses }: LoadContext): Promise<void> {
  const licensed = demoBusinesses.filter(({ type }) => type === 'farm' || type === 'dispensary' || type === 'food_service')
  for (const [place, { key, name, state, type, openedDaysAgo }] of licensed.entries()) {
    const businessId = requireKey(businesses, key)
    const number = `DEMO-${String(place + 1).padStart(4, '0')}`
    const at = daysBefore(now, openedDaysAgo)
    await tx
      .insertInto('license_verifications')
      .values({
        id: newId(),
        business_id: businessId,
        license_number: number,
        license_number_key: number.replace('-', ''),
        state,
        license_name: name,
        business_type: type,
        match: 'none',
        status: 'verified',
        basis: 'document',
        authority: 'Invented for the demo',
        source: 'Demo content',
        created_at: at,
        verified_at: at,
        checked_at: at,
        updated_at: at,
      })
      .execute()
    await setLicenseVerified(tx, businessId, { through: null }, at)
  }
}
