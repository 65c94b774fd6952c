import type { Hunt, HuntChange } from '../../../contracts/hunts.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { distinctNames } from './create-hunt.ts'
import { requireHunt } from './hunt-access.ts'
import { requireDayPassed } from './hunt-rules.ts'
import { requireHuntWords } from './hunt-words.ts'
import { huntSearchText, updateHunt } from './hunts.queries.ts'
import { loadHunt } from './read-hunts.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/**
 * Changes the facts of a hunt; what is not given stays.
 * @throws AppError not_found, forbidden, invalid_input, conflict when somebody changed it meanwhile
 */
export async function changeHunt(ctx: Ctx, actor: Actor, huntId: string, input: HuntChange): Promise<Hunt> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'write', { lock: 'update' })
    await requireHuntWords(tx, actor, huntId, input)
    const before = await tx
      .selectFrom('hunts')
      .select(['hunt_name', 'breeders', 'version'])
      .where('id', '=', huntId)
      .executeTakeFirstOrThrow()
    if (before.version !== input.version) {
      throw new AppError('conflict', { message: 'Somebody changed this hunt meanwhile. Load it again to see what is new.' })
    }
    if (input.germinationDate) requireDayPassed('germinationDate', input.germinationDate, now)
    const names = {
      hunt_name: input.huntName ?? before.hunt_name,
      breeders: input.breeders === undefined ? before.breeders : distinctNames(input.breeders),
    }
    await updateHunt(tx, huntId, {
      ...names,
      search_text: huntSearchText(names),
      ...(input.seedCount === undefined ? {} : { seed_count: input.seedCount }),
      ...(input.growEnvironment === undefined ? {} : { grow_environment: input.growEnvironment }),
      ...(input.germinationDate === undefined ? {} : { germination_date: input.germinationDate }),
      ...(input.goals === undefined ? {} : { goals: input.goals }),
      ...(input.plantLimit === undefined ? {} : { plant_limit: input.plantLimit }),
      updated_at: now,
    })
    return loadHunt(tx, actor, huntId)
  })
}
