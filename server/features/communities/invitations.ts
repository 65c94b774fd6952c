import { sql } from 'kysely'
import type { listCommunityInvitations as listCall } from '#contracts/community-members.endpoints.ts'
import { type CommunityInvitation, maxOpenInvitations } from '#contracts/community-members.endpoints.ts'
import type { Parsed } from '#contracts/endpoint.ts'
import type { Person } from '#contracts/people.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import {
  bylineColumns,
  isAcquainted,
  isNamed,
  isNotBlocked,
  lockPeople,
  sortName,
  toPerson,
  visiblePeople,
} from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { auditCommunity, isBanned, isInvited, requireCommunity } from './community-access.ts'
import {
  communityRoleOf,
  countOpen,
  endOf,
  isBannedFrom,
  markRevoked,
  namedInvitation,
  newToken,
  openInvitations,
} from './memberships.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'events'>

type Row = { id: string; invited_by: string; invited_id: string | null; created_at: Date; expires_at: Date }

async function toInvitations(db: Db, viewerId: string, rows: readonly Row[]): Promise<CommunityInvitation[]> {
  const people = await visiblePeople(
    db,
    viewerId,
    rows.flatMap((row) => [row.invited_by, row.invited_id]),
  )
  return rows.map((row) => ({
    id: row.id,
    person: (row.invited_id !== null && people.get(row.invited_id)) || null,
    invitedBy: people.get(row.invited_by) ?? null,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }))
}

async function toInvitation(db: Db, viewerId: string, row: Row): Promise<CommunityInvitation> {
  const [invitation] = await toInvitations(db, viewerId, [row])
  return invitation as CommunityInvitation
}

/** @throws AppError not_found, forbidden, invalid_input about the cursor */
export async function listInvitations(
  db: Db,
  actor: Actor,
  communityId: string,
  query: Parsed<(typeof listCall)['query']>,
  now: Date,
): Promise<Page<CommunityInvitation>> {
  await requireCommunity(db, actor, communityId, 'moderate', now)
  const after = decodeCursor(query.cursor, ['time', 'id'])
  const rows = await openInvitations(db, { communityId, viewerId: actor.id, now }, after, query.limit + 1)
  const { items, nextCursor } = toPage(rows, query.limit, ({ created_at, id }) => [created_at.toISOString(), id])
  return { items: await toInvitations(db, actor.id, items), nextCursor }
}

/**
 * Invites a person by name and notifies them once. Idempotent while the invitation is open.
 * @throws AppError not_found for the community or a person hidden by a block, forbidden, conflict for members, banned people and at
 * the limit
 */
export async function inviteByName(
  ctx: Ctx,
  actor: Actor,
  communityId: string,
  { personId, days }: { personId: string; days: number },
): Promise<CommunityInvitation> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    await requireCommunity(tx, actor, communityId, 'moderate', now, { lock: 'update' })
    // Serializes with a concurrent block, which would otherwise miss this invitation.
    await lockPeople(tx, [actor.id, personId])
    await requireAcquaintance(tx, actor.id, personId)
    await refuseInside(tx, communityId, personId, now)
    const before = await namedInvitation(tx, communityId, personId)
    if (before && before.expires_at > now) return toInvitation(tx, actor.id, before)
    await requireRoom(tx, communityId, now)
    if (before) await tx.deleteFrom('community_invitations').where('id', '=', before.id).execute()
    const row = {
      id: newId(),
      community_id: communityId,
      invited_by: actor.id,
      invited_id: personId,
      created_at: now,
      expires_at: endOf(now, days),
    }
    await tx.insertInto('community_invitations').values(row).execute()
    await ctx.events.publish(tx, 'community.invited', { invitationId: row.id })
    const invitation = await toInvitation(tx, actor.id, row)
    await auditCommunity(tx, actor, 'community.invited', communityId, now, { invitation: row.id, person: personId })
    return invitation
  })
}

async function refuseInside(tx: Tx, communityId: string, personId: string, now: Date): Promise<void> {
  if (await communityRoleOf(tx, communityId, personId)) {
    throw new AppError('conflict', { message: 'This person is already in the community.' })
  }
  if (await isBannedFrom(tx, communityId, personId, now)) {
    throw new AppError('conflict', { message: 'This person is banned from the community. Lift the ban first.' })
  }
}

async function requireRoom(tx: Tx, communityId: string, now: Date): Promise<void> {
  if ((await countOpen(tx, communityId, now)) < maxOpenInvitations) return
  throw new AppError('conflict', { message: `Up to ${maxOpenInvitations} invitations can be open at once. Cancel some first.` })
}

/** Creates a link that lets one person in. Only this response contains its secret. @throws AppError not_found, forbidden, conflict */
export async function makeLink(
  ctx: Pick<Ctx, 'db' | 'clock'>,
  actor: Actor,
  communityId: string,
  days: number,
): Promise<{ invitation: CommunityInvitation; token: string }> {
  const now = ctx.clock.now()
  const { token, hash } = newToken()
  return inTransaction(ctx.db, async (tx) => {
    await requireCommunity(tx, actor, communityId, 'moderate', now, { lock: 'update' })
    await requireRoom(tx, communityId, now)
    const row = {
      id: newId(),
      community_id: communityId,
      invited_by: actor.id,
      invited_id: null,
      token_hash: hash,
      created_at: now,
      expires_at: endOf(now, days),
    }
    await tx.insertInto('community_invitations').values(row).execute()
    const invitation = await toInvitation(tx, actor.id, row)
    await auditCommunity(tx, actor, 'community.link_made', communityId, now, { invitation: row.id })
    return { invitation, token }
  })
}

/** Idempotent, even if the invitation has ended or never existed. @throws AppError not_found, forbidden */
export async function revokeInvitation(ctx: Pick<Ctx, 'db' | 'clock'>, actor: Actor, communityId: string, id: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    await requireCommunity(tx, actor, communityId, 'moderate', now, { lock: 'update' })
    if (!(await markRevoked(tx, communityId, id, now))) return
    await auditCommunity(tx, actor, 'community.invitation_revoked', communityId, now, { invitation: id })
  })
}

/** People who follow or are followed by the actor and could be invited. @throws AppError not_found, forbidden */
export async function suggestPeopleToInvite(
  db: Db,
  actor: Actor,
  communityId: string,
  query: { search: string; limit: number },
  now: Date,
): Promise<Person[]> {
  await requireCommunity(db, actor, communityId, 'moderate', now)
  const own = sql`${actor.id}::uuid`
  const community = sql`${communityId}::uuid`
  const at = sql<Date>`${now}::timestamptz`
  const rows = await db
    .selectFrom('users')
    .select(bylineColumns)
    .where(isAcquainted(own))
    .where(isNotBlocked(own, sql`users.id`))
    .where(
      sql<boolean>`not exists (select from community_members
        where community_members.community_id = ${community} and community_members.user_id = users.id)`,
    )
    .where(sql<boolean>`not ${isInvited(sql`users.id`, community, at)}`)
    .where(sql<boolean>`not ${isBanned(sql`users.id`, community, at)}`)
    .where(isNamed(query.search))
    .orderBy(sortName)
    .orderBy('users.id')
    .limit(query.limit)
    .execute()
  return rows.map(toPerson)
}

/** Only people connected by a follow in either direction can be invited. @throws AppError not_found, forbidden */
async function requireAcquaintance(tx: Tx, actorId: string, personId: string): Promise<void> {
  if (personId === actorId) throw new AppError('forbidden', { message: 'You’re already in this community.' })
  const own = sql`${actorId}::uuid`
  const { rows } = await sql<{ is_acquainted: boolean }>`
    select ${isAcquainted(own)} as is_acquainted
    from users where users.id = ${personId}::uuid and ${isNotBlocked(own, sql`users.id`)}`.execute(tx)
  const [person] = rows
  if (!person) throw notFound('This person can’t be found or isn’t visible to you.')
  if (!person.is_acquainted) {
    throw new AppError('forbidden', { message: 'You can invite people you follow and people who follow you.' })
  }
}
