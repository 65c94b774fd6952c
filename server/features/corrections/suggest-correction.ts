import type { Correction, NewCorrection } from '#contracts/corrections.endpoints.ts'
import { dayMs } from '#contracts/time.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { type CorrectableListing, isListed, lockFacts, readLocation, requireBusiness } from '#server/features/businesses/index.ts'
import { loadLocations } from '#server/features/locations/index.ts'
import { lockPerson } from '#server/features/people/index.ts'
import { businessWords, requireClean } from '#server/features/screening/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { foldText } from '#server/kernel/fold-text.ts'
import { newId } from '#server/kernel/ids.ts'
import { isConfirmed, suggestRefusal, voteRefusal } from './corrections.policy.ts'
import {
  type CorrectionRow,
  copyObjections,
  countOpen,
  countSuggestedSince,
  type LockedCorrection,
  lockCorrection,
  openCorrection,
  saveVote,
  voterAt,
  votesOf,
  wasRejected,
} from './corrections.queries.ts'
import { viewCorrection } from './corrections.view.ts'
import { applyCorrection, requireCorrection } from './settle-correction.ts'

declare module '#server/kernel/events.ts' {
  interface EventData {
    'correction.suggested': { correctionId: string }
  }
}

type Ctx = Pick<Context, 'db' | 'clock' | 'cache' | 'events'>

const maxPerDay = 10
const maxOpenPerBusiness = 20

/**
 * If the value is already suggested, the person agrees with that suggestion instead, which may apply it.
 * @throws AppError not_found, forbidden, invalid_input, conflict, too_many_requests
 */
export async function suggestCorrection(ctx: Ctx, actor: Actor, idOrSlug: string, input: NewCorrection): Promise<Correction> {
  const now = ctx.clock.now()
  const { id: businessId } = await requireBusiness(ctx.db, idOrSlug)
  const row = await inTransaction(ctx.db, async (tx) => {
    const listing = await lockFacts(tx, businessId)
    if (listing.is_demo) throw new AppError('conflict', { message: 'This is a fictional business, so there’s nothing to correct.' })
    const voter = await voterAt(tx, actor.id, businessId)
    const refusal = suggestRefusal({ ...voter, isMuted: actor.mutedUntil !== null })
    if (refusal !== null) throw new AppError('forbidden', { message: refusal })
    const value = await normalized(tx, listing, input)
    await requireCleanValue(tx, ctx, actor, listing, value)
    if (await isKnown(tx, listing, value, now)) throw new AppError('conflict', { message: 'The listing already says this.' })
    const valueKey = keyOf(value)
    const open = await openCorrection(tx, listing.id, value.kind, valueKey)
    if (open) return open.user_id === actor.id ? open : castVote(tx, ctx, actor, { correction: open, listing, agrees: true, now })
    await requireRoom(tx, actor.id, businessId, now)
    if (await wasRejected(tx, businessId, value.kind, valueKey, now)) {
      throw new AppError('conflict', {
        message: 'This was recently rejected or undone. You can suggest it again 30 days after that decision.',
      })
    }
    const id = newId()
    await tx
      .insertInto('corrections')
      .values({
        ...{ id, business_id: businessId, user_id: actor.id, kind: value.kind, value: JSON.stringify(value) },
        ...{ value_key: valueKey, created_at: now },
      })
      .execute()
    await copyObjections(tx, { id, businessId, kind: value.kind, valueKey, authorId: actor.id }, now)
    if (listing.claimed_at !== null) await ctx.events.publish(tx, 'correction.suggested', { correctionId: id })
    const made = await lockCorrection(tx, listing.id, id)
    await recordAudit(tx, {
      ...{ at: now, actorId: actor.id, action: 'correction.suggested', subjectType: 'correction', subjectId: id, businessId },
      details: { kind: value.kind },
    })
    return made
  })
  if (row.state === 'applied') ctx.cache.invalidate('businesses')
  return viewCorrection(ctx.db, actor, row, now)
}

/** @throws AppError too_many_requests, conflict */
async function requireRoom(tx: Tx, userId: string, businessId: string, now: Date): Promise<void> {
  // Otherwise, concurrent suggestions about different businesses could exceed the limit.
  await lockPerson(tx, userId)
  if ((await countSuggestedSince(tx, userId, new Date(now.getTime() - dayMs))) >= maxPerDay) {
    const message = `You’ve suggested ${maxPerDay} changes in a day. Come back tomorrow.`
    throw new AppError('too_many_requests', { message, retryAfterSeconds: dayMs / 1000 })
  }
  if ((await countOpen(tx, businessId)) >= maxOpenPerBusiness) {
    throw new AppError('conflict', {
      message: 'Many suggestions about this business are waiting for a decision. Come back once some are settled.',
    })
  }
}

/**
 * The value as it would be stored.
 * @throws AppError invalid_input about `location`, not_found or conflict about the other listing of a duplicate
 */
async function normalized(tx: Tx, listing: CorrectableListing, value: NewCorrection): Promise<NewCorrection> {
  if (value.kind === 'duplicate') {
    const { id: of } = await requireBusiness(tx, value.of)
    if (of === listing.id) throw new AppError('conflict', { message: 'That’s this listing. Choose the other one.' })
    return { kind: 'duplicate', of }
  }
  // Sorts the hours as the database returns them, because undoing a correction compares the two.
  if (value.kind === 'hours') return { ...value, hours: value.hours.map((day) => day.toSorted((one, other) => one.opens - other.opens)) }
  if (value.kind !== 'moved') return value
  const { location, zip } = readLocation(value.location, listing.type)
  // A farm's address is never shown, not even in a suggestion.
  return { ...value, location: zip === null ? location : `${location} ${zip}`, address: listing.type === 'farm' ? '' : value.address }
}

async function requireCleanValue(tx: Tx, ctx: Pick<Context, 'clock'>, actor: Actor, listing: CorrectableListing, value: NewCorrection) {
  if (value.kind === 'duplicate') return
  const { kind, hours, ...texts } = { hours: null, ...value }
  if (Object.keys(texts).length === 0) return
  requireClean((await businessWords(tx, ctx, actor, 'business_profile', listing.id))(texts))
}

async function isKnown(tx: Tx, listing: CorrectableListing, value: NewCorrection, now: Date): Promise<boolean> {
  if (value.kind === 'duplicate') return false
  if (value.kind === 'hours') {
    const [main] = await loadLocations(tx, listing.id, now)
    return main?.hours !== null && keyOf({ kind: 'hours', hours: main?.hours ?? [] }) === keyOf(value)
  }
  return isListed(listing, value.kind === 'closed' ? { kind: 'closed', by: 'members' } : value)
}

/** Equal for values that differ only in spelling. */
function keyOf(value: NewCorrection): string {
  switch (value.kind) {
    case 'phone':
      return value.phone.replace(/\D/g, '') || foldText(value.phone)
    case 'website':
      return value.website
        .toLowerCase()
        .replace(/^https?:\/\/(www\.)?/, '')
        .replace(/\/$/, '')
    case 'moved':
      // With or without the ZIP code, it's the same move.
      return [value.address, value.location.replace(/ \d{5}$/, '')]
        .map((text) =>
          foldText(text)
            .replace(/[^a-z0-9]+/g, ' ')
            .trim(),
        )
        .join('\n')
    case 'hours':
      return value.hours
        .map((day) =>
          day
            .map(({ opens, closes }) => `${opens}-${closes}`)
            .toSorted()
            .join(),
        )
        .join('\n')
    case 'duplicate':
      return value.of
    default:
      return ''
  }
}

/** @throws AppError not_found, forbidden for anyone but the author, conflict if the correction was settled */
export async function withdrawCorrection(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, id: string): Promise<void> {
  const found = await requireCorrection(ctx, actor, id)
  if (found.user_id !== actor.id) throw new AppError('forbidden', { message: 'Only the author can withdraw a suggestion.' })
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const listing = await lockFacts(tx, found.business_id)
    const { state } = await lockCorrection(tx, listing.id, id)
    if (state === 'withdrawn') return
    if (state !== 'open') throw new AppError('conflict', { message: 'This suggestion was already settled.' })
    await tx.updateTable('corrections').set({ state: 'withdrawn', settled_at: now }).where('id', '=', id).execute()
    const entry = { actorId: actor.id, action: 'correction.withdrawn', subjectType: 'correction', subjectId: id } as const
    await recordAudit(tx, { ...entry, at: now, businessId: found.business_id })
  })
}

/**
 * Records whether a person agrees with a correction. Idempotent. If no one runs the business, the first agreement applies it, unless
 * someone disagreed.
 * @throws AppError not_found, forbidden for its author, the team, new accounts and blocked or muted people, conflict once it is settled
 */
export async function voteOnCorrection(ctx: Ctx, actor: Actor, id: string, agrees: boolean): Promise<Correction> {
  const now = ctx.clock.now()
  const found = await requireCorrection(ctx, actor, id)
  const row = await inTransaction(ctx.db, async (tx) => {
    const listing = await lockFacts(tx, found.business_id)
    return castVote(tx, ctx, actor, { correction: await lockCorrection(tx, listing.id, id), listing, agrees, now })
  })
  if (row.state === 'applied') ctx.cache.invalidate('businesses')
  return viewCorrection(ctx.db, actor, row, now)
}

type Vote = { correction: LockedCorrection; listing: CorrectableListing; agrees: boolean; now: Date }

async function castVote(
  tx: Tx,
  ctx: Pick<Context, 'clock' | 'events'>,
  actor: Actor,
  { correction, listing, agrees, now }: Vote,
): Promise<CorrectionRow> {
  const voter = await voterAt(tx, actor.id, listing.id)
  const isAuthor = correction.user_id === actor.id
  const refusal = voteRefusal({ ...voter, isAuthor, isMuted: actor.mutedUntil !== null }, correction.value.kind, now)
  if (refusal !== null) throw new AppError('forbidden', { message: refusal })
  const before = (await votesOf(tx, [correction.id], actor.id))(correction.id)
  if (before.yourVote === agrees) return correction
  if (correction.state !== 'open') throw new AppError('conflict', { message: 'This suggestion was already settled.' })
  await saveVote(tx, { correctionId: correction.id, userId: actor.id, agrees }, now)
  const votes = (await votesOf(tx, [correction.id], actor.id))(correction.id)
  if (!isConfirmed({ kind: correction.value.kind, isClaimed: listing.claimed_at !== null, ...votes })) return correction
  return applyCorrection(tx, ctx, { correction, as: 'members', actorId: actor.id, now })
}
