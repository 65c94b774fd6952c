import type { Hunt, NewHunt, NewHuntCross } from '../../../contracts/hunts.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { type IdempotencyKey, once } from '../../kernel/idempotency.ts'
import { newId } from '../../kernel/ids.ts'
import { recordHuntEvents } from './hunt-events.ts'
import { requireDayPassed, today } from './hunt-rules.ts'
import { insertHunt } from './hunts.queries.ts'
import { loadHunt } from './read-hunts.ts'

/**
 * Numbers a new hunt's seeds and makes a plant of each. It belongs to another feature, which knows this one; `server/app` brings the
 * two together.
 */
export type AddFirstSeeds = (
  tx: Tx,
  seeds: { huntId: string; count: number; cross: NewHuntCross | null; startedOn: string | null; recordedBy: string; now: Date },
) => Promise<void>

/** Of one person, so that nobody fills the server with empty ones. */
export const maxHunts = 1_000

/**
 * Begins a hunt with its seeds. It is private.
 * @throws AppError invalid_input, conflict where there are too many, idempotency_mismatch
 */
export async function createHunt(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  input: NewHunt,
  idempotency: IdempotencyKey | null,
  addFirstSeeds: AddFirstSeeds,
): Promise<Hunt> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, now, async () => {
      if (input.germinationDate !== null) requireDayPassed('germinationDate', input.germinationDate, now)
      await requireRoomForHunt(tx, actor.id)
      const huntId = newId()
      await insertHunt(tx, {
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
      })
      const happened = { huntId, recordedBy: actor.id, now }
      await recordHuntEvents(tx, [{ ...happened, kind: 'hunt.created', happenedOn: input.germinationDate ?? today(now) }])
      if (input.seedCount > 0 || input.cross !== null) {
        await addFirstSeeds(tx, { ...happened, count: input.seedCount, cross: input.cross, startedOn: input.germinationDate })
      }
      return loadHunt(tx, actor, huntId)
    }),
  )
}

/** Two at once may pass by one: the limit is there against floods. @throws AppError conflict */
export async function requireRoomForHunt(tx: Tx, personId: string): Promise<void> {
  const { count } = await tx
    .selectFrom('hunts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', personId)
    .executeTakeFirstOrThrow()
  if (count >= maxHunts) throw new AppError('conflict', { message: `You have ${maxHunts} hunts already. Delete some first.` })
}

/** Each once, however it is written; the first way is kept. */
export const distinctNames = (names: readonly string[]): string[] =>
  [...new Map(names.toReversed().map((name) => [name.toLowerCase(), name])).values()].toReversed()
