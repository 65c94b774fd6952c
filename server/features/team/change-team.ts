import { isUuid } from '../../../contracts/ids.ts'
import type { HelperRole, Team } from '../../../contracts/team.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { recordAudit } from '../audit/index.ts'
import { lockPeople } from '../people/index.ts'
import { getTeam } from './get-team.ts'
import { revokeInvitationsBy } from './invitations.queries.ts'
import { lockTeam, refuseDemo } from './lock-team.ts'
import { removeMember, requireRoomForOwner, roleOf, setRole } from './members.queries.ts'
import { mayManage } from './roles.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'jobs'>

const notInTeam = 'This person is not in the team.'
const ownerStays = 'The owner cannot leave. Hand the business over to somebody of the team first.'

/** @throws AppError not_found, forbidden, conflict for the owner, whose role is handed over */
export async function changeRole(ctx: Ctx, actor: Actor, idOrSlug: string, userId: string, role: HelperRole): Promise<Team> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const business = await lockTeam(tx, actor, idOrSlug, 'team')
    refuseDemo(business)
    const before = await roleOf(tx, business.id, userId)
    if (before === null) throw notFound(notInTeam)
    if (before === 'owner') throw new AppError('conflict', { message: 'Hand the business over to change its owner.' })
    if (before === role) return getTeam(tx, actor, business.id, now)
    await setRole(tx, business.id, userId, role)
    // Whoever may not invite any more has nobody on the way either.
    if (role === 'staff') await revokeInvitationsBy(tx, business.id, userId, now)
    await ctx.jobs.enqueue('team.mail-change', { change: 'role', businessId: business.id, userId, aboutId: null }, { tx })
    const team = await getTeam(tx, actor, business.id, now)
    const entry = { actorId: actor.id, action: 'team.role_changed', subjectType: 'user', subjectId: userId } as const
    await recordAudit(tx, { ...entry, at: now, businessId: business.id, details: { before, role } })
    return team
  })
}

/**
 * Removes somebody from the team; oneself, that is leaving. Where they are not in it, nothing changes.
 * @throws AppError not_found, forbidden, conflict for the owner
 */
export async function removeFromTeam(ctx: Ctx, actor: Actor, idOrSlug: string, userId: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const isLeaving = userId === actor.id
    // Left already: the same answer again.
    if (isLeaving && (await isOutside(tx, idOrSlug, actor.id))) return
    const business = await lockTeam(tx, actor, idOrSlug, isLeaving ? 'colleagues' : 'staff')
    const role = await roleOf(tx, business.id, userId)
    if (role === null) return
    if (isLeaving) {
      if (role === 'owner') throw new AppError('conflict', { message: ownerStays })
    } else if (!mayManage(business.role, role)) {
      throw new AppError('forbidden', { message: 'Managers can remove staff only. Ask the owner.' })
    }
    refuseDemo(business)
    await removeMember(tx, business.id, userId)
    await revokeInvitationsBy(tx, business.id, userId, now)
    if (!isLeaving)
      await ctx.jobs.enqueue('team.mail-change', { change: 'removed', businessId: business.id, userId, aboutId: null }, { tx })
    const action = isLeaving ? 'team.left' : 'team.removed'
    const entry = { actorId: actor.id, action, subjectType: 'user', subjectId: userId } as const
    await recordAudit(tx, { ...entry, at: now, businessId: business.id, details: { role } })
  })
}

/** @throws AppError not_found */
async function isOutside(tx: Tx, idOrSlug: string, userId: string): Promise<boolean> {
  const column = isUuid(idOrSlug) ? 'id' : 'slug'
  const business = await tx.selectFrom('businesses').select('id').where(column, '=', idOrSlug).executeTakeFirst()
  if (!business) throw notFound('Business not found.')
  return (await roleOf(tx, business.id, userId)) === null
}

/**
 * Hands the business over: the member becomes its owner, and the owner a manager, in one step.
 * @throws AppError not_found, forbidden, conflict when the member owns their 20 businesses already
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
    // In this order: a business has at most one owner at every moment.
    await setRole(tx, business.id, actor.id, 'manager')
    await setRole(tx, business.id, userId, 'owner')
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
