import { sql } from 'kysely'
import type { BusinessType } from '#contracts/business-types.ts'
import type { Business, Move } from '#contracts/businesses.ts'
import type { NewMove } from '#contracts/locations.ts'
import { addDays } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inSavepoint, inTransaction } from '#server/db/transaction.ts'
import { type AuditEntry, recordAudit } from '#server/features/audit/index.ts'
import { getBusiness, lockFacts, requireLicensedState, setBusinessPlace } from '#server/features/businesses/index.ts'
import { businessWords, requireClean } from '#server/features/screening/index.ts'
import { requirePermission } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'
import type { JobHandlers, JobSchedule } from '#server/kernel/jobs.ts'
import { guessTimeZone, localTime } from '#server/kernel/time-zones.ts'
import { loadLocations, pinOf } from './locations.view.ts'
import { pinProblemOf, readPlace, saveMainLocation } from './write-location.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'locations.move-due': Record<string, never>
  }
}

type Ctx = Pick<Context, 'db' | 'clock' | 'cache'>

const maxDaysAhead = 366

/**
 * Announces a move. The page shows both addresses until `movesOn`, when the business's address and pin change.
 * @throws AppError not_found, forbidden, muted, invalid_input about `movesOn`, `pin`, refused text, or `location` if it is outside the
 * states of the business's licenses
 */
export function planMove(ctx: Ctx, actor: Actor, idOrSlug: string, { movesOn, ...typed }: NewMove): Promise<Business> {
  return changeMove(ctx, actor, idOrSlug, async (tx, listing, now) => {
    const before = await plannedMove(tx, listing.id)
    const { phone: _phone, pin, ...place } = readPlace({ ...typed, phone: '' }, listing.type, before)
    const { location, address } = place
    const pinProblem = pinProblemOf(typed, listing.type)
    if (pinProblem) throw invalidField('pin', pinProblem)
    if (location === listing.location && address === listing.address) {
      throw invalidField(listing.type === 'farm' ? 'location' : 'address', 'This is the current address')
    }
    const [main] = await loadLocations(tx, listing.id, now)
    const timeZone = main?.timeZone ?? guessTimeZone(listing)
    const today = localTime(timeZone, now).date
    if (movesOn <= today) throw invalidField('movesOn', 'Choose a day in the future')
    if (movesOn > addDays(today, maxDaysAhead)) throw invalidField('movesOn', 'Choose a date within a year')
    requireClean((await businessWords(tx, ctx, actor, 'business_profile', listing.id))({ location, address }))
    await requireLicensedState(tx, listing.id, listing, place)
    // The day of the move begins in the main location's time zone, so the zone must be stored.
    await saveMainLocation(tx, listing.id, main?.name ?? listing.name, timeZone, now)
    const move = {
      ...{ moves_on: movesOn, ...place },
      ...{ pin_latitude: pin?.latitude ?? null, pin_longitude: pin?.longitude ?? null, pin_precision: pin?.precision ?? null },
    }
    if (before && (Object.keys(move) as (keyof typeof move)[]).every((name) => before[name] === move[name])) return null
    await tx
      .insertInto('business_moves')
      .values({ business_id: listing.id, ...move, created_at: now })
      .onConflict((conflict) => conflict.column('business_id').doUpdateSet(move))
      .execute()
    return { action: 'business.move_planned', details: { on: movesOn } }
  })
}

/** @throws AppError not_found, forbidden */
export const cancelMove = (ctx: Ctx, actor: Actor, idOrSlug: string): Promise<Business> =>
  changeMove(ctx, actor, idOrSlug, async (tx, { id }) => ((await dropMove(tx, id)) ? { action: 'business.move_canceled' } : null))

type Listing = Awaited<ReturnType<typeof lockFacts>>
type Noted = Pick<AuditEntry, 'action' | 'details'>

/** `write` returns null if nothing changes. */
async function changeMove(
  ctx: Ctx,
  actor: Actor,
  idOrSlug: string,
  write: (tx: Tx, listing: Listing, now: Date) => Promise<Noted | null>,
): Promise<Business> {
  const now = ctx.clock.now()
  const { id } = await requirePermission(ctx.db, actor, idOrSlug, 'profile')
  const answer = await inTransaction(ctx.db, async (tx) => {
    const listing = await lockFacts(tx, id)
    await requirePermission(tx, actor, id, 'profile', { lock: true })
    const noted = await write(tx, listing, now)
    const business = await getBusiness(tx, id, now)
    if (noted) await recordAudit(tx, { ...entryOf(id, now), ...noted, actorId: actor.id })
    return business
  })
  ctx.cache.invalidate('businesses')
  return answer
}

const entryOf = (id: string, now: Date) => ({ at: now, actorId: null, subjectType: 'business', subjectId: id, businessId: id })

const plannedMove = (db: Db, businessId: string) =>
  db
    .selectFrom('business_moves')
    .select(['moves_on', 'location', 'address', 'city', 'state', 'country', 'zip', 'pin_latitude', 'pin_longitude', 'pin_precision'])
    .where('business_id', '=', businessId)
    .executeTakeFirst()

type PlannedMove = NonNullable<Awaited<ReturnType<typeof plannedMove>>>

async function dropMove(tx: Tx, businessId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('business_moves').where('business_id', '=', businessId).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

type JobCtx = Ctx & Pick<Context, 'log' | 'events'>

export const locationJobs = (ctx: JobCtx): Pick<JobHandlers, 'locations.move-due'> => ({ 'locations.move-due': () => moveAllDue(ctx) })

/** A business moves within five minutes after its midnight, or when an outage is over, but never early. */
export const locationSchedules: readonly JobSchedule[] = [{ name: 'locations.move-due', cron: '*/5 * * * *', data: {} }]

const batch = 50

async function moveAllDue(ctx: JobCtx): Promise<void> {
  const now = ctx.clock.now()
  for (let after: DueMove | undefined; ; ) {
    const due = await dueMoves(ctx.db, now, after)
    for (const { business_id } of due) await moveOne(ctx, business_id, now)
    after = due.at(-1)
    if (due.length < batch) return
  }
}

/** A failed move doesn't block others. It's retried in five minutes. */
async function moveOne(ctx: JobCtx, businessId: string, now: Date): Promise<void> {
  try {
    await moveOrRefuse(ctx, businessId, now)
  } catch (error) {
    return ctx.log.error({ err: error, businessId }, 'a planned move of a business failed')
  }
  ctx.cache.invalidate('businesses')
}

async function moveOrRefuse({ db, events }: JobCtx, businessId: string, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    const listing = await lockFacts(tx, businessId)
    const move = await plannedMove(tx, businessId)
    const [main] = await loadLocations(tx, businessId, now)
    // The move was canceled, postponed or done in the meantime.
    if (!move || !main || move.moves_on > localTime(main.timeZone, now).date) return
    // The owner may have entered the new address early, with the pin at the door.
    const isThere = listing.location === move.location && listing.address === move.address && listing.pin_precision === 'premise'
    const place = isThere ? listing : await setPlaceIfAllowed(tx, listing, move, now)
    if (!place) {
      // Drops the move under the same lock, because the owner may be planning another one.
      await dropMove(tx, businessId)
      await recordAudit(tx, { ...entryOf(businessId, now), action: 'business.move_refused' })
      return
    }
    // A zone other than the guessed one was chosen manually. Guesses used to know only the state.
    const guesses = [guessTimeZone(listing), guessTimeZone({ country: listing.country, state: listing.state })]
    const isGuessed = guesses.includes(main.timeZone)
    if (isGuessed) {
      await setTimeZone(tx, businessId, guessTimeZone(place))
      await events.publish(tx, 'location.zone-changed', { businessId })
    }
    await dropMove(tx, businessId)
    await recordAudit(tx, { ...entryOf(businessId, now), action: 'business.moved' })
  })
}

/** @returns null if the move is now refused, for example because the business got a license in another state */
async function setPlaceIfAllowed(tx: Tx, listing: Listing, move: PlannedMove, now: Date) {
  try {
    const place = { ...placeOfMove(move, listing.type), phone: listing.phone }
    await inSavepoint(tx, () => setBusinessPlace(tx, listing.id, place, now))
    return place
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return null
    throw error
  }
}

function placeOfMove(move: PlannedMove, type: BusinessType) {
  const { moves_on: _, pin_latitude, pin_longitude, pin_precision, ...place } = move
  // The business may have become a farm in the meantime.
  if (type === 'farm') return readPlace({ location: place.location, address: '', phone: '', pin: null }, type)
  return { ...place, pin: pinOf(move) }
}

const setTimeZone = (tx: Tx, locationId: string, timeZone: string) =>
  tx.updateTable('locations').set({ time_zone: timeZone }).where('id', '=', locationId).execute()

type DueMove = { business_id: string; moves_on: Move['movesOn'] }

/** The first condition uses the index: no clock is more than 14 hours ahead of UTC. */
async function dueMoves(db: Db, now: Date, after: DueMove | undefined): Promise<DueMove[]> {
  const { rows } = await sql<DueMove>`
    select moving.business_id, moves_on from business_moves moving join locations on locations.id = moving.business_id
    where moves_on <= ((${now}::timestamptz + interval '14 hours') at time zone 'UTC')::date
      and moves_on::timestamp at time zone time_zone <= ${now}::timestamptz
      and ${after ? sql`(moves_on, moving.business_id) > (${after.moves_on}::date, ${after.business_id}::uuid)` : sql`true`}
    order by moves_on, moving.business_id
    limit ${batch}`.execute(db)
  return rows
}
