import type { GroupedBusiness } from '#contracts/groups.endpoints.ts'
import * as contract from '#contracts/groups.endpoints.ts'
import { licenseDay } from '#contracts/time.ts'
import { disambiguateNames } from '#server/features/businesses/index.ts'
import { loadMainTimes } from '#server/features/locations/index.ts'
import { unreadByInbox } from '#server/features/messages/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { bylinePicture } from '#server/kernel/media-address.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { createGroup, joinGroup, leaveGroup, removeGroupRole, renameGroup, setGroupHours, setGroupRole } from './change-group.ts'
import { groupFor, groupMembers, groupsPage, type OverviewRow, overviewPage } from './groups.queries.ts'

type PageQuery = { limit: number; cursor?: string | undefined }
type Ctx = Pick<Context, 'db' | 'clock'>

export function registerGroups(api: Api): void {
  route(api, contract.listGroups, async ({ ctx, actor, query }) => {
    const groups = await groupsPage(ctx.db, actor.id, decodeCursor(query.cursor, ['time', 'id']), query.limit + 1)
    return toPage(groups, query.limit, ({ createdAt, id }) => [createdAt.toISOString(), id])
  })
  route(api, contract.createGroup, ({ ctx, actor, body, idempotency }) => createGroup(ctx, actor, body, idempotency))
  route(api, contract.getGroup, ({ ctx, actor, params }) => groupFor(ctx.db, params.id, actor.id))
  route(api, contract.renameGroup, ({ ctx, actor, params, body }) => renameGroup(ctx, actor, params.id, body.name))
  route(api, contract.listGroupBusinesses, ({ ctx, actor, params, query }) => listGroupBusinesses(ctx, actor, params.id, query))
  route(api, contract.joinGroup, ({ ctx, actor, params }) => joinGroup(ctx, actor, params.id, params.businessId))
  route(api, contract.leaveGroup, ({ ctx, actor, params }) => leaveGroup(ctx, actor, params.id, params.businessId))
  route(api, contract.listGroupMembers, async ({ ctx, actor, params, query }) => {
    const { isOwner } = await groupFor(ctx.db, params.id, actor.id)
    if (!isOwner) throw new AppError('forbidden', { message: 'Only the owner of this group can see all of its teams.' })
    const after = decodeCursor(query.cursor, ['id'])?.[0] ?? null
    return toPage(await groupMembers(ctx.db, params.id, { after, limit: query.limit + 1 }), query.limit, ({ id }) => [id])
  })
  route(api, contract.setGroupRole, ({ ctx, actor, params, body }) => setGroupRole(ctx, actor, params.id, params.userId, body.role))
  route(api, contract.removeGroupRole, ({ ctx, actor, params }) => removeGroupRole(ctx, actor, params.id, params.userId))
  route(api, contract.setGroupHours, ({ ctx, actor, params, body }) => setGroupHours(ctx, actor, params.id, body.businesses))
}

async function listGroupBusinesses(ctx: Ctx, actor: Actor, groupId: string, { limit, cursor }: PageQuery): Promise<Page<GroupedBusiness>> {
  await groupFor(ctx.db, groupId, actor.id)
  const after = decodeCursor(cursor, ['string', 'id'])
  const page = toPage(await overviewPage(ctx.db, { groupId, viewerId: actor.id }, after, limit + 1), limit, (row) => [
    row.sort_name,
    row.id,
  ])
  const now = ctx.clock.now()
  const [{ businesses: inboxes }, times] = await Promise.all([
    unreadByInbox(ctx.db, actor.id),
    loadMainTimes(
      ctx.db,
      page.items.map(({ id }) => id),
      now,
    ),
  ])
  const unread = new Map(inboxes.map(({ business, count }) => [business.id, count]))
  const labels = disambiguateNames(page.items)
  const items = page.items.map((row): GroupedBusiness => {
    const { hours = null, timeZone = 'UTC', openNow = null } = times.get(row.id) ?? {}
    return {
      id: row.id,
      slug: row.slug,
      name: row.name,
      label: labels.get(row.id) ?? row.name,
      type: row.type,
      location: row.location,
      imageUrl: bylinePicture(row.image_id),
      role: row.role,
      followerCount: row.followerCount,
      menu: { itemCount: row.item_count, confirmedAt: row.confirmed_at?.toISOString() ?? null },
      unansweredReviewCount: row.unansweredReviewCount,
      unreadMessageCount: unread.get(row.id) ?? 0,
      license: { status: licenseStatus(row, now), expiresOn: row.license === 'verified' ? row.expires_on : null },
      hours,
      timeZone,
      openNow,
    }
  })
  return { items, nextCursor: page.nextCursor }
}

function licenseStatus({ license, expires_on }: OverviewRow, now: Date): GroupedBusiness['license']['status'] {
  if (license === 'expired') return 'expired'
  if (license === 'verified') return expires_on !== null && expires_on < licenseDay(now) ? 'expired' : 'verified'
  return license === 'pending' ? 'pending' : 'none'
}
