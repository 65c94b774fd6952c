import { type RawBuilder, sql } from 'kysely'
import type { HuntAccess } from '../../../contracts/hunts.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { isNotBlocked } from '../people/index.ts'

const steps: readonly HuntAccess[] = ['view', 'write', 'own']
const includes = (held: HuntAccess, wanted: HuntAccess): boolean => steps.indexOf(held) >= steps.indexOf(wanted)

/**
 * The one rule for who may do what with a hunt, as SQL over `hunts`: `own`, `write` or `view`, or null for whom it does not exist.
 * The owner owns it; a share gives what it says; a public hunt can be viewed by everybody signed in whom no block keeps from its
 * owner. A block ends a share, too. What moderators took from view is its owner's alone. Moderators get no more than others: a private hunt is nobody's business.
 */
export const huntAccess = (personId: RawBuilder<unknown>): RawBuilder<HuntAccess | null> => sql<HuntAccess | null>`(case
  when hunts.owner_id = ${personId} then 'own'
  when hunts.moderation is not null then null
  when not ${isNotBlocked(personId, sql`hunts.owner_id`)} then null
  else coalesce(
    (select hunt_shares.access from hunt_shares where hunt_shares.hunt_id = hunts.id and hunt_shares.user_id = ${personId}),
    case when hunts.visibility = 'public' then 'view' end)
  end)`

export type AccessibleHunt = {
  id: string
  owner_id: string
  hunt_name: string
  visibility: 'private' | 'public'
  is_active: boolean
  is_demo: boolean
  access: HuntAccess
}

/**
 * The gate of every call about a hunt and what is in it. With a lock the hunt's row is held against being shared, unshared or deleted
 * until the transaction ends (`lock: 'share'`), or against every other write to the hunt as well (`lock: 'update'`).
 * @throws AppError not_found for whom the hunt does not exist, forbidden for whoever may see it but not do this
 */
export async function requireHunt(
  db: Db,
  actor: Pick<Actor, 'id'>,
  huntId: string,
  wanted: HuntAccess,
  options: { lock?: 'share' | 'update' } = {},
): Promise<AccessibleHunt> {
  if (options.lock) await lockHunt(db, huntId, options.lock)
  const hunt = await db
    .selectFrom('hunts')
    .select(['id', 'owner_id', 'hunt_name', 'visibility', 'is_active', 'is_demo'])
    .select(huntAccess(sql`${actor.id}::uuid`).as('access'))
    .where('id', '=', huntId)
    .executeTakeFirst()
  if (!hunt?.access) throw notFound('There is no such hunt.')
  const { access } = hunt
  if (!includes(access, wanted)) {
    throw new AppError('forbidden', {
      message: wanted === 'own' ? 'Only the owner of this hunt can do this.' : 'This hunt is shared with you to look at, not to change.',
    })
  }
  return { ...hunt, access }
}

/**
 * The same for something in a hunt that is addressed by its own id: `row` is what was found by it. Whether it is absent, or in a hunt
 * that does not exist for this person, is not told apart.
 * @throws AppError not_found with `missing` as its message, forbidden
 */
export async function requireHuntOfRow(
  db: Db,
  actor: Pick<Actor, 'id'>,
  row: { hunt_id: string } | undefined,
  missing: string,
  wanted: HuntAccess,
  options: { lock?: 'share' | 'update' } = {},
): Promise<AccessibleHunt> {
  if (!row) throw notFound(missing)
  return requireHunt(db, actor, row.hunt_id, wanted, options).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'not_found' ? notFound(missing) : error
  })
}

/** Whoever changes shares, visibility or the hunt itself holds it for update: a write through a share that ends waits, and is refused. */
export const lockHunt = (db: Db, huntId: string, lock: 'share' | 'update') =>
  db
    .selectFrom('hunts')
    .select('id')
    .where('id', '=', huntId)
    .$if(lock === 'share', (query) => query.forShare())
    .$if(lock === 'update', (query) => query.forUpdate())
    .execute()
