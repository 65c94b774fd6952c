import { sql } from 'kysely'
import type { Parsed, ResponseOf } from '#contracts/endpoint.ts'
import type { NewHuntCross } from '#contracts/hunts.ts'
import type { addSeeds as contract } from '#contracts/plants.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordHuntEvents, requireDayPassed, requireHunt, takeNumbers, today } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { invalidField } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import { freshCodes } from './plant-codes.ts'
import { plantRoom, readGenotypes } from './plants.view.ts'

type Seeds = {
  huntId: string
  count: number
  seedLotId: string | null
  /** When germination started; null if not yet or unknown. */
  startedOn: string | null
  recordedBy: string
  now: Date
}

/**
 * Numbers seeds: each is a genotype with one plant. The caller has locked the hunt for update or just created it. Returns the genotype ids
 * by number.
 * @throws AppError not_found
 */
export async function addSeeds(tx: Tx, { huntId, count, seedLotId, startedOn, recordedBy, now }: Seeds): Promise<string[]> {
  if (count === 0) return []
  const first = await takeNumbers(tx, huntId, count)
  const ids = Array.from({ length: count }, newId)
  await sql`
    insert into genotypes (id, hunt_id, seed_lot_id, number, created_at)
    select id, ${huntId}::uuid, ${seedLotId}::uuid, ${first}::integer + position - 1, ${now}::timestamptz
    from unnest(${ids}::uuid[]) with ordinality as seed (id, position)`.execute(tx)
  const codes = await freshCodes(tx, count)
  await sql`
    insert into plants (id, hunt_id, genotype_id, kind, copy, code, started_on, created_at)
    select id, ${huntId}::uuid, genotype_id, 'seed', 0, code, ${startedOn}::date, ${now}::timestamptz
    from unnest(${Array.from({ length: count }, newId)}::uuid[], ${ids}::uuid[], ${codes}::text[]) as seed (id, genotype_id, code)`.execute(
    tx,
  )
  // One event for all of them; each genotype's own history starts with the genotype itself.
  const detail = { count, from: first, to: first + count - 1 }
  await recordHuntEvents(tx, [{ huntId, kind: 'seeds.added', detail, happenedOn: startedOn ?? today(now), recordedBy, now }])
  return ids
}

/** For a hunt being created, with a seed lot if the cross is known. */
export async function addFirstSeeds(tx: Tx, { cross, ...seeds }: Omit<Seeds, 'seedLotId'> & { cross: NewHuntCross | null }): Promise<void> {
  const seedLotId = cross ? newId() : null
  if (cross && seedLotId !== null) {
    await tx
      .insertInto('seed_lots')
      .values({
        id: seedLotId,
        hunt_id: seeds.huntId,
        mother: cross.mother,
        father: cross.isSelfed ? '' : cross.father,
        is_selfed: cross.isSelfed,
        generation: cross.generation,
        seed_type: cross.seedType,
        seed_count: seeds.count,
        created_at: seeds.now,
      })
      .execute()
  }
  await addSeeds(tx, { ...seeds, seedLotId })
}

/** @throws AppError not_found, forbidden, invalid_input, idempotency_mismatch */
export async function addMoreSeeds(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  huntId: string,
  input: Parsed<(typeof contract)['body']>,
  idempotency: IdempotencyKey | null,
): Promise<ResponseOf<typeof contract>> {
  const now = ctx.clock.now()
  if (input.startedOn !== null) requireDayPassed('startedOn', input.startedOn, now)
  return inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'write', { lock: 'update' })
    return once(tx, actor.id, idempotency, now, async () => {
      if (input.seedLotId !== null) await requireLot(tx, huntId, input.seedLotId)
      const ids = await addSeeds(tx, { huntId, ...input, recordedBy: actor.id, now })
      return { genotypes: await readGenotypes(tx, ids), room: await plantRoom(tx, huntId) }
    })
  })
}

/** Locks a lot of this hunt against deletion. @throws AppError invalid_input */
export async function requireLot(tx: Tx, huntId: string, lotId: string): Promise<void> {
  const lot = await tx
    .selectFrom('seed_lots')
    .select('id')
    .where('id', '=', lotId)
    .where('hunt_id', '=', huntId)
    .forKeyShare()
    .executeTakeFirst()
  if (!lot) throw invalidField('seedLotId', 'Choose a seed lot of this hunt')
}
