import { type RawBuilder, sql } from 'kysely'
import type { HuntAccess } from '#contracts/hunts.ts'
import type { Db } from '#server/db/connect.ts'
import { isNotBlocked } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { type Authorized, asAuthorized } from '#server/kernel/authorized.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'

const steps: readonly HuntAccess[] = ['view', 'write', 'own']
const includes = (access: HuntAccess, wanted: HuntAccess): boolean => steps.indexOf(access) >= steps.indexOf(wanted)

/**
 * The single rule for access to a hunt, as SQL over `hunts`: `own`, `write`, `view`, or null if the hunt must look missing. A share grants
 * its access; signed-in people can view a public hunt unless a block separates them from its owner. A block also overrides a share. Only
 * the owner sees a hidden or removed hunt. Moderators get no extra access.
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
  id: Authorized<'hunts'>
  owner_id: string
  hunt_name: string
  visibility: 'private' | 'public'
  is_active: boolean
  is_demo: boolean
  access: HuntAccess
}

/**
 * Checks access for every call about a hunt or its contents. Until the transaction ends, `lock: 'share'` keeps the hunt from being shared,
 * unshared or deleted, and `lock: 'update'` prevents all other writes to it.
 * @throws AppError not_found if the hunt is missing or invisible, forbidden if the actor may see it but not do this
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
  if (!hunt?.access) throw notFound('Hunt not found.')
  const { access } = hunt
  if (!includes(access, wanted)) {
    throw new AppError('forbidden', {
      message: wanted === 'own' ? 'Only the owner of this hunt can do this.' : 'You can view this hunt but not edit it.',
    })
  }
  return { ...hunt, id: asAuthorized('hunts', hunt.id), access }
}

/**
 * Like `requireHunt`, for something in a hunt that is addressed by its own ID; `row` is the lookup's result. The error doesn't reveal
 * whether the row is missing or its hunt is invisible to the actor.
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

/** Oldest first. Excludes shared hunts that the actor can't see. */
export async function ownAndSharedHunts(db: Db, actor: Pick<Actor, 'id'>): Promise<{ id: Authorized<'hunts'>; access: HuntAccess }[]> {
  const person = sql`${actor.id}::uuid`
  const { rows } = await sql<{ id: string; access: HuntAccess | null }>`
    select hunts.id, ${huntAccess(person)} as access
    from hunts
    where hunts.id in (
      select id from hunts where owner_id = ${person} union all select hunt_id from hunt_shares where user_id = ${person})
    order by hunts.created_at, hunts.id`.execute(db)
  return rows.flatMap(({ id, access }) => (access === null ? [] : { id: asAuthorized('hunts', id), access }))
}

export async function ownHuntIds(db: Db, ownerId: string): Promise<Authorized<'hunts'>[]> {
  const hunts = await db.selectFrom('hunts').select('id').where('owner_id', '=', ownerId).orderBy('id').execute()
  return hunts.map(({ id }) => asAuthorized('hunts', id))
}

/**
 * Changes to shares, visibility or the hunt itself lock for update: a concurrent write that relies on an ending share waits and is then
 * refused.
 */
export const lockHunt = (db: Db, huntId: string, lock: 'share' | 'update') =>
  db
    .selectFrom('hunts')
    .select('id')
    .where('id', '=', huntId)
    .$if(lock === 'share', (query) => query.forShare())
    .$if(lock === 'update', (query) => query.forUpdate())
    .execute()
