import { type RawBuilder, sql } from 'kysely'
import type { BusinessGroup, GroupedBusiness, GroupMember } from '#contracts/groups.endpoints.ts'
import type { HelperRole } from '#contracts/team.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { bylineColumns, toPerson } from '#server/features/people/index.ts'
import { unansweredReviews } from '#server/features/reviews/index.ts'
import type { TeamRole } from '#server/features/team/index.ts'
import { decisiveVerification } from '#server/features/verification/index.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'

const noGroup = () => notFound('Group not found.')

/** The businesses of a group. Only the owner's row in `business_members` has the `group_id`. */
const ofGroup = (groupId: RawBuilder<unknown>) => sql`select business_id from business_members where group_id = ${groupId}`

/** Whether a person owns the group or works for one of its businesses. */
const isInside = (userId: string, groupId: RawBuilder<unknown>) => sql<boolean>`exists (
  select from business_members as own where own.user_id = ${userId}::uuid and own.business_id in (${ofGroup(groupId)}))`

const groupColumns = (viewerId: string) =>
  sql<BusinessGroup>`business_groups.id, business_groups.name, business_groups.owner_id = ${viewerId}::uuid as "isOwner", (
    select count(*)::integer from business_members where group_id = business_groups.id) as "businessCount"`

/** @throws AppError not_found for people outside the group */
export async function groupFor(db: Db, id: string, viewerId: string): Promise<BusinessGroup> {
  const { rows } = await sql<BusinessGroup>`
    select ${groupColumns(viewerId)} from business_groups
    where id = ${id}::uuid and ${isInside(viewerId, sql`business_groups.id`)}`.execute(db)
  const [group] = rows
  if (!group) throw noGroup()
  return group
}

type GroupKey = readonly [createdAt: string, id: string]

export async function groupsPage(
  db: Db,
  viewerId: string,
  after: GroupKey | null,
  limit: number,
): Promise<(BusinessGroup & { createdAt: Date })[]> {
  const { rows } = await sql<BusinessGroup & { createdAt: Date }>`
    select ${groupColumns(viewerId)}, business_groups.created_at as "createdAt" from business_groups
    where business_groups.id in (
      select owners.group_id from business_members as own join business_members as owners on owners.business_id = own.business_id
      where own.user_id = ${viewerId}::uuid and owners.group_id is not null)
      and ${after === null ? sql`true` : sql`(business_groups.created_at, business_groups.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`}
    order by business_groups.created_at desc, business_groups.id desc
    limit ${limit}::int`.execute(db)
  return rows
}

/** Locks a group for its owner. It comes first in the lock order, before its businesses by ID. @throws AppError not_found, forbidden */
export async function lockGroup(tx: Tx, id: string, actorId: string): Promise<void> {
  const { isOwner } = await groupFor(tx, id, actorId)
  if (!isOwner) throw new AppError('forbidden', { message: 'Only the owner of this group can change it.' })
  const locked = await tx.selectFrom('business_groups').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  if (!locked) throw noGroup()
}

/** Sorted by ID, the order in which they are locked. */
export async function businessesOfGroup(db: Db, id: string): Promise<string[]> {
  const rows = await db.selectFrom('business_members').select('business_id').where('group_id', '=', id).orderBy('business_id').execute()
  return rows.map((row) => row.business_id)
}

type NameKey = readonly [name: string, id: string]

export type OverviewRow = Pick<
  GroupedBusiness,
  'id' | 'slug' | 'name' | 'type' | 'location' | 'followerCount' | 'unansweredReviewCount'
> & {
  sort_name: string
  address: string | null
  image_id: string | null
  role: TeamRole
  item_count: number
  confirmed_at: Date | null
  license: string | null
  expires_on: string | null
}

/** The businesses of a group that a person works for, by name, with what needs attention. */
export async function overviewPage(
  db: Db,
  { groupId, viewerId }: { groupId: string; viewerId: string },
  after: NameKey | null,
  limit: number,
): Promise<OverviewRow[]> {
  const { rows } = await sql<OverviewRow>`
    select businesses.id, slug, name, lower(name) as sort_name, type, location, address, image_id, own.role,
      (select count(*)::integer from business_follows where business_id = businesses.id) as "followerCount",
      (select count(*)::integer from products where business_id = businesses.id and products.moderation is null) as item_count,
      (select min(confirmed_at) from products where business_id = businesses.id and products.moderation is null) as confirmed_at,
      ${unansweredReviews} as "unansweredReviewCount",
      verification.status as license, verification.expires_on
    from business_members as own
      join businesses on businesses.id = own.business_id
      left join lateral (${decisiveVerification}) as verification on true
    where own.user_id = ${viewerId}::uuid and own.business_id in (${ofGroup(sql`${groupId}::uuid`)})
      and ${after === null ? sql`true` : sql`(lower(name), businesses.id) > (${after[0]}, ${after[1]}::uuid)`}
    order by lower(name), businesses.id
    limit ${limit}::int`.execute(db)
  return rows
}

type Listing = {
  only?: string
  after: string | null
  limit: number
}

/** The people with a role for a group or on the teams of its businesses, except its owner, by ID. */
export async function groupMembers(db: Db, groupId: string, { only, after, limit }: Listing): Promise<GroupMember[]> {
  const rows = await db
    .selectFrom('users')
    .leftJoin('business_group_members', (join) =>
      join.onRef('business_group_members.user_id', '=', 'users.id').on('business_group_members.group_id', '=', groupId),
    )
    .select(bylineColumns)
    .select('business_group_members.role as group_role')
    .select(
      sql<{ id: string; role: HelperRole; isFromGroup: boolean }[]>`(
        select jsonb_agg(jsonb_build_object('id', business_id, 'role', role, 'isFromGroup', via_group_id is not null) order by business_id)
        from business_members as seat
        where seat.user_id = users.id and seat.role <> 'owner' and seat.business_id in (${ofGroup(sql`${groupId}::uuid`)}))`.as('seats'),
    )
    .where(
      sql<boolean>`users.id in (select seat.user_id from business_members as seat
        where seat.role <> 'owner' and seat.business_id in (${ofGroup(sql`${groupId}::uuid`)})
        union select user_id from business_group_members where group_id = ${groupId}::uuid)`,
    )
    .$if(only !== undefined, (query) => query.where('users.id', '=', only as string))
    .$if(after !== null, (query) => query.where('users.id', '>', after as string))
    .orderBy('users.id')
    .limit(limit)
    .execute()
  return rows.map(({ seats, group_role, ...row }) => ({ ...toPerson(row), role: group_role, businesses: seats ?? [] }))
}
