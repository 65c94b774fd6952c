import { type RawBuilder, type Selectable, sql } from 'kysely'
import { isUuid } from '#contracts/addresses.ts'
import { utcDate } from '#contracts/age.ts'
import type { Move } from '#contracts/businesses.ts'
import { plansWith } from '#contracts/entitlements.ts'
import { licenseDay } from '#contracts/time.ts'
import { compileOnce, compileShared, type Slots } from '#server/db/compile-once.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { asLocked, type Locked } from '#server/db/locked.ts'
import { pageIds } from '#server/db/page-ids.ts'
import type { DB } from '#server/db/schema.ts'
import { notFound } from '#server/kernel/errors.ts'
import { businessPictureId, bylinePicture } from '#server/kernel/media-address.ts'

export const closureColumns = ['closure', 'closed_at', 'closed_by', 'reopens_on'] as const

const summaryColumns = [
  'id',
  'slug',
  'name',
  'type',
  'description',
  'location',
  'address',
  'phone',
  'website',
  'image_id',
  'average_rating',
  'total_ratings',
  'subscriber_count',
  'claimed_at',
  'is_demo',
  'license_standing',
  'pin_latitude',
  'pin_longitude',
  'pin_precision',
  ...closureColumns,
  'created_at',
] as const

type Moment = { now: RawBuilder<Date>; today: RawBuilder<string>; licenseDay: RawBuilder<string> }

const momentOf = (now: Date): Moment => ({ now: sql`${now}`, today: sql`${utcDate(now)}`, licenseDay: sql`${licenseDay(now)}` })

/** An expired license shows as expired even before the job has run. */
const isLicenseVerified = (moment: Pick<Moment, 'licenseDay'>) =>
  sql<boolean>`coalesce(license_verified_through >= ${moment.licenseDay}::date, false)`

const badgePlans = plansWith('verified_badge')
/** Requires a verified license and the entitlement, which is looked up only for verified licenses. */
const hasVerifiedBadge = (moment: Moment) => sql<boolean>`case when ${isLicenseVerified(moment)} then exists (
  select from agreements where agreements.business_id = businesses.id
    and agreements.plan_id = any(${badgePlans}::text[]) and agreements.entitled_until > ${moment.now}::timestamptz) else false end`

/** The main location's hours, with enough special days to show when it opens or closes within a week. Null without hours. */
export const openingHours = (now: Date) => openingHoursAt(momentOf(now))

const openingHoursAt = ({ today }: Moment) => sql<OpeningHours | null>`(
  select json_build_object(
    'timeZone', locations.time_zone,
    'intervals', (select coalesce(json_agg(json_build_array(weekday, opens, closes) order by opens), '[]')
      from location_hours where location_id = locations.id),
    'specialDays', (select coalesce(json_agg(json_build_object('day', day, 'opens', opens, 'closes', closes, 'note', note)), '[]')
      from location_special_days where location_id = locations.id
        and day between ${today}::date - 2 and ${today}::date + 9))
  from locations where locations.id = businesses.id and locations.has_hours)`

export type OpeningHours = {
  timeZone: string
  intervals: [weekday: number, opens: number, closes: number][]
  specialDays: { day: string; opens: number[]; closes: number[]; note: string }[]
}

const plannedMove = sql<Move | null>`(
  select json_build_object('movesOn', moves_on, 'location', moving.location,
    'address', case when businesses.type <> 'farm' then moving.address end,
    'pin', case when businesses.type <> 'farm' and moving.pin_precision = 'premise'
      then json_build_object('latitude', moving.pin_latitude, 'longitude', moving.pin_longitude) end)
  from business_moves moving where moving.business_id = businesses.id)`

/** Ignores items that moderators hid, as the menu itself does. */
const menuConfirmedAt = sql<Date | null>`(
  select min(confirmed_at) from products where products.business_id = businesses.id and products.moderation is null)`

const computed = (moment: Moment) =>
  [
    isLicenseVerified(moment).as('is_license_verified'),
    hasVerifiedBadge(moment).as('has_verified_badge'),
    openingHoursAt(moment).as('opening_hours'),
    menuConfirmedAt.as('menu_confirmed_at'),
  ] as const

export type SummaryRow = Awaited<ReturnType<typeof summaryRows>>[number]
export type DetailRow = NonNullable<Awaited<ReturnType<typeof detailRow>>>
export type VerificationRow = NonNullable<Awaited<ReturnType<typeof shownVerification>>>
export type LicenseRow = Awaited<ReturnType<typeof licensesOf>>[number]

export const summaryRows = (db: Db, ids: readonly string[], now: Date) =>
  readSummaryRows(db, { ids, now, today: utcDate(now), licenseDay: licenseDay(now) })

const readSummaryRows = compileOnce(
  ['ids', 'now', 'today', 'licenseDay'],
  (db, { ids, ...moment }: Slots<{ ids: readonly string[]; now: Date; today: string; licenseDay: string }>) =>
    db
      .selectFrom('businesses')
      .select(summaryColumns)
      .select(computed(moment))
      .where(sql<boolean>`id = ${pageIds(ids)}`)
      .where('moderation', 'is', null),
)

/** Includes hidden businesses. */
export const detailRow = (db: Db, id: string, now: Date) =>
  db
    .selectFrom('businesses')
    .select([...summaryColumns, 'city', 'state', 'country', 'zip', 'logo_id', 'amenities'])
    .select([...computed(momentOf(now)), plannedMove.as('move')])
    .where('id', '=', id)
    .executeTakeFirst()

/** The current verification, or the last one that was valid. */
export const shownVerification = (db: Db, businessId: string, now: Date) =>
  db
    .selectFrom('license_verifications')
    .select(['status', 'license_number', 'state', 'authority', 'source', 'source_date', 'checked_at', 'expires_on', 'expiry_source'])
    .select(['basis', 'reason', sql<boolean>`coalesce(expires_on < ${licenseDay(now)}::date, false)`.as('is_over')])
    .where('business_id', '=', businessId)
    .where('status', 'in', ['verified', 'expired', 'revoked'])
    .orderBy((eb) => eb('status', '=', 'verified'), 'desc')
    .orderBy('ended_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()

const licenseColumns = [
  'id',
  'license_number',
  'license_type',
  'status',
  'designation',
  'standing',
  'state',
  'authority',
  'source',
  'source_date',
] as const

export const licensesOf = (db: Db, businessId: string) =>
  db.selectFrom('licenses').select(licenseColumns).where('business_id', '=', businessId).orderBy('license_number').orderBy('id').execute()

export const licensesOfBusinesses = (db: Db, businessIds: readonly string[]) =>
  db
    .selectFrom('licenses')
    .select([...licenseColumns, 'business_id'])
    .where(sql<boolean>`business_id = any(${businessIds}::uuid[])`)
    .orderBy('license_number')
    .orderBy('id')
    .execute()

type BusinessRef = Pick<Selectable<DB['businesses']>, 'id' | 'slug' | 'country' | 'state' | 'closure'>

/**
 * Finds the business of a call under `/api/businesses/:id/`; for a merged one, the business that remains. A hidden business is visible only
 * to its team.
 * @throws AppError not_found
 */
export async function requireBusiness(db: Db, idOrSlug: string, viewerId: string | null = null): Promise<BusinessRef> {
  const [business] = await (isUuid(idOrSlug) ? businessById : businessBySlug)(db, { idOrSlug, viewerId })
  return business ?? requireBusiness(db, await requireMerged(db, idOrSlug), viewerId)
}

type Wanted = { idOrSlug: string; viewerId: string | null }

const isShownTo = (viewerId: RawBuilder<string | null>) => sql<boolean>`(businesses.moderation is null or exists (
  select from business_members where business_members.business_id = businesses.id and business_members.user_id = ${viewerId}::uuid))`

const wantedBusiness = (db: Db, { idOrSlug, viewerId }: Slots<Wanted>, key: 'id' | 'slug') =>
  db
    .selectFrom('businesses')
    .select(['id', 'slug', 'country', 'state', 'closure'])
    .where(`businesses.${key}`, '=', idOrSlug)
    .where(isShownTo(viewerId))

/** SQL: the ID of the business that `requireBusiness` finds; null if it doesn't exist, isn't shown to the viewer, or was merged. */
export const wantedBusinessId = ({ idOrSlug, viewerId }: Slots<Wanted>, key: 'id' | 'slug') => sql<string | null>`(
  select businesses.id from businesses where ${sql.ref(`businesses.${key}`)} = ${idOrSlug} and ${isShownTo(viewerId)})`

const businessById = compileOnce(['idOrSlug', 'viewerId'], (db, slots: Slots<Wanted>) => wantedBusiness(db, slots, 'id'))
const businessBySlug = compileOnce(['idOrSlug', 'viewerId'], (db, slots: Slots<Wanted>) => wantedBusiness(db, slots, 'slug'))

/** @throws AppError not_found */
async function requireMerged(db: Db, idOrSlug: string): Promise<string> {
  const redirect = await db
    .selectFrom('business_redirects')
    .select('business_id')
    .where(isUuid(idOrSlug) ? 'from_id' : 'slug', '=', idOrSlug)
    .executeTakeFirst()
  if (!redirect) throw notFound('Business not found.')
  return redirect.business_id
}

type BusinessStatus = Awaited<ReturnType<typeof statusById>>[number]

/** @throws AppError not_found, like `requireBusiness` */
export async function readStatus(db: Db, viewerId: string, idOrSlug: string): Promise<BusinessStatus> {
  const [status] = await (isUuid(idOrSlug) ? statusById : statusBySlug)(db, { idOrSlug, viewerId })
  return status ?? readStatus(db, viewerId, await requireMerged(db, idOrSlug))
}

const statusRow = (db: Db, slots: Slots<Wanted>, key: 'id' | 'slug') =>
  db.selectFrom(wantedBusiness(db, slots, key).as('business')).select((eb) => {
    const isHere = (table: 'subscriptions' | 'favorites' | 'business_follows' | 'business_blocks' | 'business_mutes') =>
      eb
        .exists(eb.selectFrom(table).select('user_id').where('user_id', '=', slots.viewerId).whereRef('business_id', '=', 'business.id'))
        .$castTo<boolean>()
    return [
      isHere('subscriptions').as('isSubscribed'),
      isHere('favorites').as('isFavorited'),
      isHere('business_follows').as('isFollowing'),
      isHere('business_blocks').as('isBlocked'),
      isHere('business_mutes').as('isMuted'),
      eb
        .selectFrom('business_members')
        .select('role')
        .where('user_id', '=', slots.viewerId)
        .whereRef('business_id', '=', 'business.id')
        .as('role'),
    ]
  })

const statusById = compileShared({ idOrSlug: 'uuid', viewerId: 'uuid' }, (db, slots: Slots<Wanted>) => statusRow(db, slots, 'id'))
const statusBySlug = compileShared({ idOrSlug: 'text', viewerId: 'uuid' }, (db, slots: Slots<Wanted>) => statusRow(db, slots, 'slug'))

export async function businessesOfMember(db: Db, userId: string, now: Date) {
  const rows = await db
    .selectFrom('business_members')
    .innerJoin('businesses', 'businesses.id', 'business_members.business_id')
    .select(['businesses.id', 'slug', 'name', 'type', 'location', 'address', businessPictureId.as('image_id'), 'role'])
    .select(isLicenseVerified(momentOf(now)).as('isLicenseVerified'))
    .where('user_id', '=', userId)
    .orderBy('name')
    .orderBy('businesses.id')
    .execute()
  const labels = disambiguateNames(rows)
  return rows.map(({ image_id, location, address, ...row }) => ({
    ...row,
    label: labels.get(row.id) ?? row.name,
    imageUrl: bylinePicture(image_id),
  }))
}

/** The name that distinguishes one of a person's businesses from the others: see `disambiguateNames`. */
export async function labelForMember(db: Db, userId: string, business: { id: string; name: string }): Promise<string> {
  const rows = await db
    .selectFrom('business_members')
    .innerJoin('businesses', 'businesses.id', 'business_members.business_id')
    .select(['businesses.id', 'name', 'location', 'address'])
    .where('user_id', '=', userId)
    .execute()
  return disambiguateNames(rows).get(business.id) ?? business.name
}

/** Counts of 1 to 5 stars; null if there is no such business. Call before writing or deleting a review: see `lockSubscriberCount`. */
export async function lockRatingCounts(tx: Tx, businessId: string): Promise<number[] | null> {
  const business = await tx
    .selectFrom('businesses')
    .select('rating_counts')
    .where('id', '=', businessId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return business?.rating_counts ?? null
}

/** Total and sum are derived from the counts. */
export const setRatingCounts = (tx: Tx, businessId: string, counts: readonly number[]) =>
  tx
    .updateTable('businesses')
    .set({
      rating_counts: [...counts],
      total_ratings: counts.reduce((total, count) => total + count, 0),
      rating_sum: counts.reduce((sum, count, i) => sum + count * (i + 1), 0),
    })
    .where('id', '=', businessId)
    .execute()

export type CountedBusiness = { businessId: Locked<'businesses'>; subscriberCount: number }

/** Null if there is no such business. Every write to a business's counts must take this lock first, to prevent deadlocks. */
export async function lockSubscriberCount(tx: Tx, id: string): Promise<CountedBusiness | null> {
  const business = await tx.selectFrom('businesses').select('subscriber_count').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  return business ? { businessId: asLocked('businesses', id), subscriberCount: business.subscriber_count } : null
}

export const setSubscriberCount = (tx: Tx, businessId: Locked<'businesses'>, count: number) =>
  tx.updateTable('businesses').set({ subscriber_count: count }).where('id', '=', businessId).execute()

/** 1 if the slug is free, otherwise one more than its highest number in use. The unique key catches concurrent inserts. */
export async function nextSlugNumber(db: Db, base: string): Promise<number> {
  const slugs = db.selectFrom('businesses').select('slug').unionAll(db.selectFrom('business_redirects').select('slug'))
  const taken = await db
    .selectFrom(slugs.as('slugs'))
    .select('slug')
    .where((eb) =>
      eb.or([
        eb('slug', '=', base),
        eb.and([eb('slug', '>=', `${base}-0`), eb('slug', '<', `${base}-:`), eb('slug', '~', `^${base}-[0-9]+$`)]),
      ]),
    )
    .execute()
  if (!taken.some((row) => row.slug === base)) return 1
  return Math.max(1, ...taken.map((row) => Number(row.slug.slice(base.length + 1)))) + 1
}

type Named = { id: string; name: string; location: string | null; address: string | null }

/**
 * Names each business for people who choose among them. Adds the city if another has the same name, and the street if another
 * in that city does, too.
 */
export function disambiguateNames(businesses: readonly Named[]): Map<string, string> {
  const labels = new Map(businesses.map(({ id, name }) => [id, name]))
  const add = (more: (business: Named) => string | null) => {
    const taken = new Map<string, number>()
    for (const label of labels.values()) taken.set(key(label), (taken.get(key(label)) ?? 0) + 1)
    for (const business of businesses) {
      const label = labels.get(business.id) as string
      const addition = more(business)
      if ((taken.get(key(label)) ?? 0) > 1 && addition) labels.set(business.id, `${label}, ${addition}`)
    }
  }
  add(({ location }) => location)
  add(({ address }) => address)
  return labels
}

const key = (label: string) => label.trim().toLowerCase()
