import { sql } from 'kysely'
import type { CommunityRequest, listCommunityRequests as listCall } from '../../../contracts/community-members.ts'
import type { Parsed } from '../../../contracts/endpoint.ts'
import type { Db } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { bylineColumns, isNotBlocked, toPerson } from '../people/index.ts'
import { auditCommunity } from './audit.ts'
import { requireCommunity } from './community-access.ts'
import { addMember, communityRoleOf, removeRequest } from './memberships.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'events'>

/** The first who asked first, without those whom a block keeps from the viewer. @throws AppError not_found, forbidden */
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

/** Lets somebody in who asked, and tells them. @throws AppError not_found where nobody asks, forbidden, conflict */
export async function acceptRequest(ctx: Ctx, actor: Actor, communityId: string, personId: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    await requireCommunity(tx, actor, communityId, 'moderate', now, { lock: 'update' })
    const hasAsked = await removeRequest(tx, communityId, personId)
    if (!hasAsked) {
      if (await communityRoleOf(tx, communityId, personId)) return
      throw notFound('This person does not ask to be let in any more.')
    }
    await addMember(tx, { communityId, userId: personId, role: 'member', now })
    await ctx.events.publish(tx, 'community.joined', { communityId, userId: personId })
    await auditCommunity(tx, actor, 'community.request_accepted', communityId, now, { person: personId })
  })
}

/** Whoever asked is not told, and may ask again. @throws AppError not_found, forbidden */
export async function declineRequest(ctx: Pick<Ctx, 'db' | 'clock'>, actor: Actor, communityId: string, personId: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    await requireCommunity(tx, actor, communityId, 'moderate', now, { lock: 'update' })
    if (!(await removeRequest(tx, communityId, personId))) return
    await auditCommunity(tx, actor, 'community.request_declined', communityId, now, { person: personId })
  })
}
