import type { BusinessType } from '../../../contracts/business-types.ts'
import type { Location, LocationDetails } from '../../../contracts/locations.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { type IdempotencyKey, once } from '../../kernel/idempotency.ts'
import { newId } from '../../kernel/ids.ts'
import { recordAudit } from '../audit/index.ts'
import { lockBusiness, setBusinessPlace } from '../businesses/index.ts'
import { businessWords, requireClean } from '../screening/index.ts'
import { requirePermission, type TeamBusiness } from '../team/index.ts'
import { type ReadPlace, readDetails } from './location-input.ts'
import { requireLocationRoom } from './location-room.ts'
import { locationIds, replaceHours, replaceSpecialDays } from './locations.queries.ts'
import { loadLocations } from './locations.view.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'cache'>

/** @throws AppError not_found, forbidden, muted, invalid_input, plan_limit */
export function addLocation(
  ctx: Ctx,
  actor: Actor,
  idOrSlug: string,
  details: LocationDetails,
  idempotency: IdempotencyKey | null,
): Promise<Location> {
  const now = ctx.clock.now()
  return changeLocations(ctx, actor, idOrSlug, (tx, business) =>
    once(tx, actor.id, idempotency, now, async () => {
      await requireLocationRoom(tx, business.id, now)
      await requireCleanDetails(tx, ctx, actor, business.id, null, details)
      const type = business.type as BusinessType
      const id = newId()
      await tx
        .insertInto('locations')
        .values({ id, business_id: business.id, ...columns(details, readDetails(details, type), type), created_at: now, updated_at: now })
        .execute()
      await writeTimes(tx, id, details)
      return oneLocation(tx, business.id, id, now)
    }),
  )
}

/**
 * Changes a location. What is said of the main one's place is said of the business, which is found by it.
 * @throws AppError not_found, forbidden, muted, invalid_input
 */
export async function saveLocation(ctx: Ctx, actor: Actor, idOrSlug: string, id: string, details: LocationDetails): Promise<Location> {
  const now = ctx.clock.now()
  const answer = await changeLocations(ctx, actor, idOrSlug, async (tx, business) => {
    const type = business.type as BusinessType
    const place = readDetails(details, type)
    await requireCleanDetails(tx, ctx, actor, business.id, id, details)
    const isMain = id === business.id
    if (isMain) await keepMainLocation(tx, business.id, details.name, details.timeZone, now)
    const { numUpdatedRows } = await tx
      .updateTable('locations')
      .set(isMain ? { ...names(details), updated_at: now } : { ...columns(details, place, type), updated_at: now })
      .where('id', '=', id)
      .where('business_id', '=', business.id)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw notFound('Location not found.')
    await writeTimes(tx, id, details)
    if (isMain) await writeThrough(tx, actor, business.id, place, now)
    return oneLocation(tx, business.id, id, now)
  })
  ctx.cache.invalidate('businesses')
  return answer
}

/** Hours and pins aren't words: muted people may change them. @throws AppError muted, invalid_input */
async function requireCleanDetails(tx: Tx, ctx: Ctx, actor: Actor, businessId: string, id: string | null, details: LocationDetails) {
  const before = id === null ? undefined : (await loadLocations(tx, businessId, ctx.clock.now())).find((each) => each.id === id)
  const { name, location, address, phone, specialDays } = details
  const notes = Object.fromEntries(specialDays.map(({ note }, i) => [`specialDays.${i}.note`, note]))
  const shown = before && [before.name, before.location, before.address, before.phone, ...before.specialDays.map(({ note }) => note)]
  const check = await businessWords(tx, ctx, actor, 'business_profile', businessId)
  requireClean(check({ name, location, address, phone, ...notes }, shown))
}

/** Of the business and of what its items cost there. @throws AppError not_found, forbidden, conflict for the main one */
export function removeLocation(ctx: Ctx, actor: Actor, idOrSlug: string, id: string): Promise<undefined> {
  return changeLocations(ctx, actor, idOrSlug, async (tx, business) => {
    if (id === business.id) {
      throw new AppError('conflict', { message: 'A business has one main location. Change it instead of removing it.' })
    }
    await tx.deleteFrom('locations').where('id', '=', id).where('business_id', '=', business.id).execute()
    return undefined
  })
}

/** The business is locked first, so that those who count its locations come one after the other. */
async function changeLocations<Answer>(
  { db }: Ctx,
  actor: Actor,
  idOrSlug: string,
  write: (tx: Tx, business: TeamBusiness) => Promise<Answer>,
): Promise<Answer> {
  const { id } = await requirePermission(db, actor, idOrSlug, 'profile')
  return inTransaction(db, async (tx) => {
    await lockBusiness(tx, id)
    return write(tx, await requirePermission(tx, actor, id, 'profile', { lock: true }))
  })
}

/** The row that hours and offers of the main location hang on. */
export async function keepMainLocation(tx: Tx, businessId: string, name: string, timeZone: string, now: Date): Promise<void> {
  await tx
    .insertInto('locations')
    .values({ id: businessId, business_id: businessId, name, time_zone: timeZone, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

const names = ({ name, timeZone, hours }: LocationDetails) => ({ name, time_zone: timeZone, has_hours: hours !== null })

const columns = (details: LocationDetails, { pin, ...place }: ReadPlace, type: BusinessType) => ({
  ...names(details),
  ...place,
  pin_latitude: pin?.latitude ?? null,
  pin_longitude: pin?.longitude ?? null,
  pin_precision: pin?.precision ?? null,
  is_farm: type === 'farm',
})

async function writeTimes(tx: Tx, id: string, { hours, specialDays }: LocationDetails): Promise<void> {
  await replaceHours(tx, id, hours)
  await replaceSpecialDays(tx, id, specialDays)
}

async function writeThrough(tx: Tx, actor: Actor, businessId: string, place: ReadPlace, now: Date): Promise<void> {
  const fields = await setBusinessPlace(tx, businessId, place, now)
  if (fields.length === 0) return
  const entry = { action: 'business.edited', subjectType: 'business', subjectId: businessId, businessId } as const
  await recordAudit(tx, { ...entry, at: now, actorId: actor.id, details: { fields: fields.join(' ') } })
}

async function oneLocation(tx: Tx, businessId: string, id: string, now: Date): Promise<Location> {
  return (await loadLocations(tx, businessId, now)).find((location) => location.id === id) as Location
}

/**
 * Which of these are locations of the business, for what an item costs there. The main one is among them: it gets its row.
 */
export async function locationsForOffers(tx: Tx, businessId: string, ids: readonly string[], now: Date): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  if (ids.includes(businessId)) {
    const main = (await loadLocations(tx, businessId, now))[0] as Location
    await keepMainLocation(tx, businessId, main.name, main.timeZone, now)
  }
  return new Set(await locationIds(tx, businessId))
}
