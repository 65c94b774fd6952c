import { isUuid } from '#contracts/addresses.ts'
import type { HelperRole, Team } from '#contracts/team.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type AuditEntry, recordAudit } from '#server/features/audit/index.ts'
import { lockPeople, toPerson, toPersonOrNull } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { canManage, type Permission, requirePermission, roleCan, type TeamBusiness } from './roles.ts'
import {
  lockGroupOf,
  membersOf,
  openInvitations,
  removeMember,
  requireRoomForOwner,
  revokeInvitationsBy,
  roleOf,
  setRole,
  takeOutOfGroup,
} from './team.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'jobs' | 'events'>

const notInTeam = 'This person isn’t on the team.'
const ownerStays = 'The owner can’t leave. Transfer the business to a team member first.'

/** @throws AppError not_found, forbidden, conflict for the owner, whose role can only be transferred */
export async function changeRole(ctx: Ctx, actor: Actor, idOrSlug: string, userId: string, role: HelperRole): Promise<Team> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const business = await lockTeam(tx, actor, idOrSlug, 'team')
    refuseDemo(business)
    const before = await roleOf(tx, business.id, userId)
    if (before === null) throw notFound(notInTeam)
    if (before === 'owner') throw new AppError('conflict', { message: 'To change the owner, transfer the business.' })
    if (before === role) return getTeam(tx, actor, business.id, now)
    await setRole(tx, business.id, userId, role)
    // Staff can't invite people, so the invitations they sent are revoked.
    if (role === 'staff') await revokeInvitationsBy(tx, business.id, userId, now)
    await ctx.jobs.enqueue('team.mail-change', { change: 'role', businessId: business.id, userId, aboutId: null }, { tx })
    const team = await getTeam(tx, actor, business.id, now)
    const entry = { actorId: actor.id, action: 'team.role_changed', subjectType: 'user', subjectId: userId } as const
    await recordAudit(tx, { ...entry, at: now, businessId: business.id, details: { before, role } })
    return team
  })
}

/**
 * Removes a member from the team; members can remove themselves to leave. Ends their role for the business's group, if any. No-op for
 * anyone not on the team.
 * @throws AppError not_found, forbidden, conflict for the owner
 */
export async function removeFromTeam(ctx: Ctx, actor: Actor, idOrSlug: string, userId: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const isLeaving = userId === actor.id
    // A person outside the team may have left already, so leaving again succeeds.
    if (isLeaving && (await isOutside(tx, idOrSlug, actor.id))) return
    const permission = isLeaving ? 'colleagues' : 'staff'
    const { id } = await requirePermission(tx, actor, idOrSlug, permission)
    await lockGroupOf(tx, id)
    const business = await lockTeam(tx, actor, id, permission)
    const role = await roleOf(tx, business.id, userId)
    if (role === null) return
    if (isLeaving) {
      if (role === 'owner') throw new AppError('conflict', { message: ownerStays })
    } else if (!canManage(business.role, role)) {
      throw new AppError('forbidden', { message: 'Managers can only remove staff. Ask the owner.' })
    }
    refuseDemo(business)
    const group = await removeMember(tx, business.id, userId)
    await revokeInvitationsBy(tx, business.id, userId, now)
    await ctx.events.publish(tx, 'team.changed', { businessId: business.id })
    if (!isLeaving)
      await ctx.jobs.enqueue('team.mail-change', { change: 'removed', businessId: business.id, userId, aboutId: null }, { tx })
    const action = isLeaving ? 'team.left' : 'team.removed'
    const entry = { actorId: actor.id, action, subjectType: 'user', subjectId: userId } as const
    await recordAudit(tx, { ...entry, at: now, businessId: business.id, details: group ? { role, group } : { role } })
  })
}

async function isOutside(tx: Tx, idOrSlug: string, userId: string): Promise<boolean> {
  const column = isUuid(idOrSlug) ? 'id' : 'slug'
  const business = await tx.selectFrom('businesses').select('id').where(column, '=', idOrSlug).executeTakeFirst()
  if (!business) throw notFound('Business not found.')
  return (await roleOf(tx, business.id, userId)) === null
}

/**
 * The member becomes the owner, and the owner a manager, in one step.
 * @throws AppError not_found, forbidden, conflict if the member already owns 20 businesses or is deleting their account
 */
export async function transferBusiness(ctx: Ctx, actor: Actor, idOrSlug: string, userId: string): Promise<Team> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const business = await lockTeam(tx, actor, idOrSlug, 'team')
    refuseDemo(business)
    if (userId === actor.id) return getTeam(tx, actor, business.id, now)
    const before = await roleOf(tx, business.id, userId)
    if (before === null) throw notFound(notInTeam)
    await lockPeople(tx, [actor.id, userId])
    await requireRoomForOwner(tx, userId)
    // Leaving the group removes roles that people had through it.
    await setRole(tx, business.id, userId, before)
    // The group belongs to the old owner, so the business leaves it.
    await takeOutOfGroup(tx, business.id, now)
    // Order matters: a business has at most one owner at any time.
    await setRole(tx, business.id, actor.id, 'manager')
    await setRole(tx, business.id, userId, 'owner')
    await ctx.events.publish(tx, 'team.changed', { businessId: business.id })
    for (const [concerned, other] of [
      [userId, actor.id],
      [actor.id, userId],
    ] as const) {
      const news = { change: 'transferred', businessId: business.id, userId: concerned, aboutId: other } as const
      await ctx.jobs.enqueue('team.mail-change', news, { tx })
    }
    const team = await getTeam(tx, actor, business.id, now)
    const entry = { actorId: actor.id, action: 'team.transferred', subjectType: 'user', subjectId: userId } as const
    await recordAudit(tx, { ...entry, at: now, businessId: business.id, details: { before } })
    return team
  })
}

const helperRoles: readonly HelperRole[] = ['manager', 'staff']

export async function getTeam(db: Db, actor: Pick<Actor, 'id'>, idOrSlug: string, now: Date): Promise<Team> {
  const { id, role } = await requirePermission(db, actor, idOrSlug, 'colleagues')
  const members = await membersOf(db, id)
  const invitations = roleCan(role, 'staff') ? await openInvitations(db, id) : []
  const isOwner = roleCan(role, 'team')
  return {
    businessId: id,
    role,
    members: members.map((row) => {
      const isSelf = row.id === actor.id
      return {
        ...toPerson(row),
        role: row.role,
        since: row.created_at.toISOString(),
        isSelf,
        abilities: {
          changeRole: !isSelf && isOwner,
          remove: !isSelf && canManage(role, row.role),
          makeOwner: !isSelf && isOwner,
        },
      }
    }),
    invitations: invitations.map((row) => ({
      id: row.invitation_id,
      email: row.email,
      role: row.role,
      invitedBy: toPersonOrNull(row)?.name ?? null,
      expiresAt: row.expires_at.toISOString(),
      isExpired: row.expires_at <= now,
      canChange: canManage(role, row.role),
    })),
    abilities: { invite: helperRoles.filter((helper) => canManage(role, helper)), leave: role !== 'owner', block: roleCan(role, 'blocks') },
  }
}

export async function lockTeam(tx: Tx, actor: Pick<Actor, 'id'>, idOrSlug: string, permission: Permission): Promise<TeamBusiness> {
  const { id } = await requirePermission(tx, actor, idOrSlug, permission)
  await lockBusiness(tx, id)
  // Checked again: a removal or a transfer may have happened first.
  return requirePermission(tx, actor, id, permission)
}

export const lockBusiness = (tx: Tx, id: string) =>
  tx.selectFrom('businesses').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** Anyone can use a demo account, so the team of a demo business can't be changed, and no one is invited by email. */
export function refuseDemo(business: Pick<TeamBusiness, 'is_demo'>): void {
  if (!business.is_demo) return
  throw new AppError('forbidden', { message: 'This is a fictional demo business. Its team can’t be changed.' })
}

const batch = 50

/** Changes a business whose last team member is leaving, in the transaction that removes them. Returns entries to record at its end. */
export type Release = (tx: Tx, ctx: Pick<Context, 'jobs'>, businessId: string, now: Date) => Promise<AuditEntry[]>

/**
 * Leaves every team. Owners had to transfer shared businesses first. If someone has joined since, the longest-serving member becomes the
 * owner, managers first. Otherwise, the business is released.
 */
export const eraseTeams = (release: Release): EraseStep => ({
  name: 'teams',
  async eraseSome(ctx, { id: userId, email }) {
    const rows = await ctx.db.selectFrom('business_members').select('business_id').where('user_id', '=', userId).limit(batch).execute()
    for (const { business_id: businessId } of rows) {
      await inTransaction(ctx.db, async (tx) => {
        await lockBusiness(tx, businessId)
        // Another process may be deleting the same account.
        const role = await roleOf(tx, businessId, userId)
        if (!role) return
        const at = ctx.clock.now()
        await removeMember(tx, businessId, userId)
        await revokeInvitationsBy(tx, businessId, userId, at)
        await ctx.events.publish(tx, 'team.changed', { businessId })
        const entries = role === 'owner' && !(await passOn(tx, businessId)) ? await release(tx, ctx, businessId, at) : []
        const entry = { actorId: userId, action: 'team.left', subjectType: 'user', subjectId: userId } as const
        for (const each of [...entries, { ...entry, at, businessId, details: { role } }]) await recordAudit(tx, each)
      })
    }
    const invitations = await ctx.db.deleteFrom('team_invitations').where('email', '=', email).executeTakeFirstOrThrow()
    if (rows.length > 0) ctx.cache.invalidate('businesses')
    return rows.length + Number(invitations.numDeletedRows)
  },
})

/** @returns whether anyone is left to own the business */
async function passOn(tx: Tx, businessId: string): Promise<boolean> {
  const next = await tx
    .selectFrom('business_members')
    .select('user_id')
    .where('business_id', '=', businessId)
    .orderBy((eb) => eb.case().when('role', '=', 'manager').then(0).else(1).end())
    .orderBy('created_at')
    .orderBy('user_id')
    .limit(1)
    .executeTakeFirst()
  if (next) await setRole(tx, businessId, next.user_id, 'owner')
  return next !== undefined
}
