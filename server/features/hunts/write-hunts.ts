import { sql } from 'kysely'
import { figure } from '#contracts/fields.ts'
import type { Hunt, HuntChange, HuntVisibility, NewHunt, NewHuntCross } from '#contracts/hunts.ts'
import { hourMs } from '#contracts/time.ts'
import type { Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { inTransaction, retryOn } from '#server/db/transaction.ts'
import { type Actor, requireNotMuted } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { lockHunt, requireHunt } from './hunt-access.ts'
import { recordHuntEvents } from './hunt-activity.ts'
import { requireHuntWords, requireShowableHunt } from './hunt-words.ts'
import { huntSearchText, insertHunt, removeHunt, updateHuntRow } from './hunts.queries.ts'
import { loadHunt } from './read-hunts.ts'

/**
 * Numbers a new hunt's seeds and creates their plants. Injected by `server/app`, because it belongs to a feature that depends on this one.
 */
export type AddFirstSeeds = (
  tx: Tx,
  seeds: { huntId: string; count: number; cross: NewHuntCross | null; startedOn: string | null; recordedBy: string; now: Date },
) => Promise<void>

/** Gives the seeds that started on the hunt's germination date its new date. Injected like {@link AddFirstSeeds}. */
export type MoveSeedStarts = (
  tx: Tx,
  move: { huntId: string; before: string; after: string | null; recordedBy: string; now: Date },
) => Promise<void>

/** Limit per person, to stop floods of new hunts. */
export const maxHunts = 1_000

/**
 * Creates a private hunt with its seeds. If the person already has a hunt with this ID, returns it.
 * @throws AppError invalid_input, conflict at the limit of hunts or if another person's hunt has the ID, idempotency_mismatch
 */
export async function createHunt(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  { id: huntId = newId(), ...input }: NewHunt & { id?: string },
  idempotency: IdempotencyKey | null,
  addFirstSeeds: AddFirstSeeds,
): Promise<Hunt> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, now, async () => {
      if (input.germinationDate !== null) requireDayPassed('germinationDate', input.germinationDate, now)
      const there = await tx.selectFrom('hunts').select('owner_id').where('id', '=', huntId).executeTakeFirst()
      if (there && there.owner_id !== actor.id) throw new AppError('conflict', { message: 'This ID is taken. Send another one.' })
      if (there) return loadHunt(tx, actor, huntId)
      await requireRoomForHunt(tx, actor.id)
      const hunt = {
        id: huntId,
        owner_id: actor.id,
        hunt_name: input.huntName,
        breeders: distinctNames(input.breeders),
        seed_count: input.seedCount,
        grow_environment: input.growEnvironment,
        germination_date: input.germinationDate,
        goals: input.goals,
        plant_limit: input.plantLimit,
        created_at: now,
        updated_at: now,
      }
      await retryOn('hunts_pkey', insertHunt(tx, hunt))
      const happened = { huntId, recordedBy: actor.id, now }
      await recordHuntEvents(tx, [{ ...happened, kind: 'hunt.created', happenedOn: input.germinationDate ?? today(now) }])
      if (input.seedCount > 0 || input.cross !== null) {
        await addFirstSeeds(tx, { ...happened, count: input.seedCount, cross: input.cross, startedOn: input.germinationDate })
      }
      return loadHunt(tx, actor, huntId)
    }),
  )
}

/** Concurrent requests may slightly exceed the limit, which is harmless: the limit only stops floods. */
export async function requireRoomForHunt(tx: Tx, personId: string): Promise<void> {
  const count = await countRows(tx.selectFrom('hunts').where('owner_id', '=', personId))
  if (count >= maxHunts) throw new AppError('conflict', { message: `You can have up to ${figure(maxHunts)} hunts. Delete some first.` })
}

/** Deduplicates case-insensitively; the first spelling wins. */
export const distinctNames = (names: readonly string[]): string[] =>
  [...new Map(names.toReversed().map((name) => [name.toLowerCase(), name])).values()].toReversed()

type Ctx = Pick<Context, 'db' | 'clock'>

/** @throws AppError not_found, forbidden, muted, invalid_input, conflict if the hunt was changed in the meantime */
export async function updateHunt(ctx: Ctx, actor: Actor, huntId: string, input: HuntChange, moveSeedStarts: MoveSeedStarts): Promise<Hunt> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'write', { lock: 'update' })
    await requireHuntWords(tx, actor, huntId, input)
    const before = await tx
      .selectFrom('hunts')
      .select(['hunt_name', 'breeders', 'germination_date', 'version'])
      .where('id', '=', huntId)
      .executeTakeFirstOrThrow()
    if (before.version !== input.version) {
      throw new AppError('conflict', { message: 'This hunt was changed in the meantime. Reload it to see what’s new.' })
    }
    if (input.germinationDate) requireDayPassed('germinationDate', input.germinationDate, now)
    const names = {
      hunt_name: input.huntName ?? before.hunt_name,
      breeders: input.breeders === undefined ? before.breeders : distinctNames(input.breeders),
    }
    await updateHuntRow(tx, huntId, {
      ...names,
      search_text: huntSearchText(names),
      ...(input.seedCount === undefined ? {} : { seed_count: input.seedCount }),
      ...(input.growEnvironment === undefined ? {} : { grow_environment: input.growEnvironment }),
      ...(input.germinationDate === undefined ? {} : { germination_date: input.germinationDate }),
      ...(input.goals === undefined ? {} : { goals: input.goals }),
      ...(input.plantLimit === undefined ? {} : { plant_limit: input.plantLimit }),
      ...(input.selectsMales === undefined ? {} : { selects_males: input.selectsMales }),
      ...(input.ranksHarvested === undefined ? {} : { ranks_harvested: input.ranksHarvested }),
      updated_at: now,
    })
    if (before.germination_date !== null && input.germinationDate !== undefined && input.germinationDate !== before.germination_date) {
      const move = { huntId, before: before.germination_date, after: input.germinationDate }
      await moveSeedStarts(tx, { ...move, recordedBy: actor.id, now })
    }
    return loadHunt(tx, actor, huntId)
  })
}

/** Idempotent: keeps the first completion date. */
export async function completeHunt(ctx: Ctx, actor: Actor, huntId: string, given: string | undefined): Promise<Hunt> {
  const now = ctx.clock.now()
  const completedOn = given ?? today(now)
  requireDayPassed('completedOn', completedOn, now)
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHunt(tx, actor, huntId, 'own', { lock: 'update' })
    if (hunt.is_active) {
      await updateHuntRow(tx, huntId, { is_active: false, completed_on: completedOn, updated_at: now })
      await recordHuntEvents(tx, [{ huntId, kind: 'hunt.completed', happenedOn: completedOn, recordedBy: actor.id, now }])
    }
    return loadHunt(tx, actor, huntId)
  })
}

/** Idempotent. */
export async function reopenHunt(ctx: Ctx, actor: Actor, huntId: string): Promise<Hunt> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHunt(tx, actor, huntId, 'own', { lock: 'update' })
    if (!hunt.is_active) {
      await updateHuntRow(tx, huntId, { is_active: true, completed_on: null, updated_at: now })
      await recordHuntEvents(tx, [{ huntId, kind: 'hunt.reopened', happenedOn: today(now), recordedBy: actor.id, now }])
    }
    return loadHunt(tx, actor, huntId)
  })
}

/**
 * Sends no notifications: people find public hunts by browsing.
 * @throws AppError not_found, forbidden; muted and invalid_input about `visibility` if the hunt's text can't be public
 */
export async function setHuntVisibility(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  huntId: string,
  visibility: HuntVisibility,
): Promise<Hunt> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHunt(tx, actor, huntId, 'own', { lock: 'update' })
    if (hunt.visibility !== visibility) {
      if (visibility === 'public') {
        requireNotMuted(actor)
        await requireShowableHunt(tx, actor, huntId, 'visibility')
      }
      await updateHuntRow(tx, huntId, { visibility, published_at: visibility === 'public' ? now : null, updated_at: now })
    }
    return loadHunt(tx, actor, huntId)
  })
}

export async function deleteHunt(ctx: Pick<Context, 'db'>, actor: Actor, huntId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'own', { lock: 'update' })
    await removeHunt(tx, huntId)
  })
}

const huntsAtOnce = 5

/** Deletes the person's own hunts, including other people's records in them. */
export const eraseHunts: EraseStep = {
  name: 'hunts',
  async eraseSome(ctx, { id: userId }) {
    const rows = await ctx.db.selectFrom('hunts').select('id').where('owner_id', '=', userId).limit(huntsAtOnce).execute()
    for (const { id } of rows) {
      await inTransaction(ctx.db, async (tx) => {
        await lockHunt(tx, id, 'update')
        await removeHunt(tx, id)
      })
    }
    return rows.length
  },
}

/**
 * Reserves consecutive genotype numbers in a hunt and returns the first. Numbers are never reused, even if the genotypes are deleted. The
 * hunt must be locked for update, which prevents deadlocks.
 */
export async function reserveNumbers(tx: Tx, huntId: string, count: number): Promise<number> {
  const { rows } = await sql<{ first: number }>`
    update hunts set next_number = next_number + ${count} where id = ${huntId}::uuid returning next_number - ${count}::integer as first`.execute(
    tx,
  )
  const [row] = rows
  if (!row) throw notFound('Hunt not found.')
  return row.first
}

export const today = (now: Date): string => now.toISOString().slice(0, 10)

/** Today in the easternmost time zone (UTC+14). */
const lastDay = (now: Date): string => today(new Date(now.getTime() + 14 * hourMs))

export const hasBegun = (day: string, now: Date): boolean => day <= lastDay(now)

export function requireDayPassed(field: string, day: string, now: Date): void {
  if (!hasBegun(day, now)) throw invalidField(field, 'This day is in the future')
}
