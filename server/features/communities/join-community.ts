import { sql } from 'kysely'
import type { Community } from '#contracts/communities.ts'
import type { CommunityRequest, listCommunityRequests as listCall } from '#contracts/community-members.ts'
import type { Parsed } from '#contracts/endpoint.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { bylineColumns, isNotBlocked, toPerson } from '#server/features/people/index.ts'
import { type Actor, requireVoice } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { auditCommunity } from './audit.ts'
import { loadCommunity } from './communities.view.ts'
import { requireCommunity } from './community-access.ts'
import { addMember, communityRoleOf, removeMember, removeRequest } from './memberships.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'events'>

/**
 * Joins a public community or one with an open invitation by name, or requests to join an invite-only one, with a message to its
 * moderators. Idempotent.
 * @throws AppError not_found, forbidden if banned, muted for a message by a muted person, conflict at the limit of memberships
 */
export async function joinCommunity(ctx: Ctx, actor: Actor, communityId: string, message: string): Promise<Community> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    await requireCommunity(tx, actor, communityId, 'see', now, { lock: 'update' })
    const { abilities, visibility, myRole } = await loadCommunity(tx, actor, communityId, now)
    if (abilities.join) await addMember(tx, { communityId, userId: actor.id, role: 'member', now })
    else if (abilities.request) await ask(ctx, tx, actor, communityId, message, now)
    else if (myRole === null && !(await hasAsked(tx, communityId, actor.id))) {
      throw new AppError('forbidden', {
        message: visibility === 'public' ? "You can't join this community for now." : "You can't ask to join this community for now.",
      })
    }
    return loadCommunity(tx, actor, communityId, now)
  })
}

async function ask(ctx: Ctx, tx: Tx, actor: Actor, communityId: string, message: string, now: Date): Promise<void> {
  if (message !== '') requireVoice(actor)
  await tx.insertInto('community_requests').values({ community_id: communityId, user_id: actor.id, message, created_at: now }).execute()
  await ctx.events.publish(tx, 'community.requested', { communityId, userId: actor.id })
}

async function hasAsked(tx: Tx, communityId: string, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('community_requests')
    .select('user_id')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Leaves a community or withdraws a join request. Idempotent.
 * @throws AppError not_found, conflict for the owner
 */
export async function leaveCommunity(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, communityId: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    await requireCommunity(tx, actor, communityId, 'see', now, { lock: 'update' })
    if ((await communityRoleOf(tx, communityId, actor.id)) === 'owner') {
      throw new AppError('conflict', { message: 'A community needs an owner. Transfer it first, or delete it.' })
    }
    await removeMember(tx, communityId, actor.id, now)
    await removeRequest(tx, communityId, actor.id)
  })
}

/** Oldest request first, without people with a block between them and the viewer. @throws AppError not_found, forbidden */
export async function listRequests(
  db: Db,
  actor: Actor,
  communityId: string,
  query: Parsed<(typeof listCall)['query']>,
  now: Date,
): Promise<Page<CommunityRequest>> {
  await requireCommunity(db, actor, communityId, 'moderate', now)
  const after = decodeCursor(query.cursor, ['time', 'id'])
  const rows = await db
    .selectFrom('community_requests')
    .innerJoin('users', 'users.id', 'community_requests.user_id')
    .select(bylineColumns)
    .select(['community_requests.message', 'community_requests.created_at'])
    .where('community_requests.community_id', '=', communityId)
    .where(isNotBlocked(sql`${actor.id}::uuid`, sql`community_requests.user_id`))
    .$if(after !== null, (rows) =>
      rows.where(
        sql<boolean>`(community_requests.created_at, community_requests.user_id) > (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`,
      ),
    )
    .orderBy('community_requests.created_at')
    .orderBy('community_requests.user_id')
    .limit(query.limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, query.limit, ({ created_at, id }) => [created_at.toISOString(), id])
  return {
    items: items.map((row) => ({ person: toPerson(row), message: row.message, createdAt: row.created_at.toISOString() })),
    nextCursor,
  }
}

/** Accepts a join request and notifies the person. @throws AppError not_found if there is no request, forbidden, conflict */
export async function acceptRequest(ctx: Ctx, actor: Actor, communityId: string, personId: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    await requireCommunity(tx, actor, communityId, 'moderate', now, { lock: 'update' })
    const hasAsked = await removeRequest(tx, communityId, personId)
    if (!hasAsked) {
      if (await communityRoleOf(tx, communityId, personId)) return
      throw notFound('This person no longer asks to join.')
    }
    await addMember(tx, { communityId, userId: personId, role: 'member', now })
    await ctx.events.publish(tx, 'community.joined', { communityId, userId: personId })
    await auditCommunity(tx, actor, 'community.request_accepted', communityId, now, { person: personId })
  })
}

/** The person is not notified, and may request again. @throws AppError not_found, forbidden */
export async function declineRequest(ctx: Pick<Ctx, 'db' | 'clock'>, actor: Actor, communityId: string, personId: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    await requireCommunity(tx, actor, communityId, 'moderate', now, { lock: 'update' })
    if (!(await removeRequest(tx, communityId, personId))) return
    await auditCommunity(tx, actor, 'community.request_declined', communityId, now, { person: personId })
  })
}
