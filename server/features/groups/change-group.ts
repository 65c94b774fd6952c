import type { BusinessGroup, GroupMember } from '#contracts/groups.endpoints.ts'
import type { WeeklyHours } from '#contracts/locations.ts'
import { type HelperRole, maxTeamSize } from '#contracts/team.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { lockBusiness } from '#server/features/businesses/index.ts'
import { setMainHours } from '#server/features/locations/index.ts'
import {
  dropGroupRole,
  putIntoGroup,
  refuseDemo,
  requirePermission,
  setGroupRole as setRole,
  takeOutOfGroup,
} from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import type { Events } from '#server/kernel/events.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import { businessesOfGroup, groupFor, groupMembers, lockGroup } from './groups.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'cache' | 'events'>

/**
 * @throws AppError not_found, forbidden if the actor doesn't own all of the businesses, conflict if one is in another group,
 * idempotency_mismatch
 */
export function createGroup(
  { db, clock, events }: Ctx,
  actor: Actor,
  { name, businessIds }: { name: string; businessIds: readonly string[] },
  idempotency: IdempotencyKey | null,
): Promise<BusinessGroup> {
  const now = clock.now()
  return inTransaction(db, (tx) =>
    once(tx, actor.id, idempotency, now, async () => {
      const id = newId()
      await tx.insertInto('business_groups').values({ id, owner_id: actor.id, name, created_at: now }).execute()
      const added: string[] = []
      for (const businessId of [...new Set(businessIds)].sort())
        if (await addBusiness(tx, events, actor, id, businessId, now)) added.push(businessId)
      await auditAll(tx, actor, 'group.joined', id, added, now)
      return groupFor(tx, id, actor.id)
    }),
  )
}

export async function renameGroup({ db, clock }: Ctx, actor: Actor, id: string, name: string): Promise<BusinessGroup> {
  return inTransaction(db, async (tx) => {
    await lockGroup(tx, id, actor.id)
    await tx.updateTable('business_groups').set({ name }).where('id', '=', id).execute()
    await recordAudit(tx, { at: clock.now(), actorId: actor.id, action: 'group.renamed', subjectType: 'group', subjectId: id })
    return groupFor(tx, id, actor.id)
  })
}

/** @throws the same errors as `createGroup`, and conflict if the group's people don't fit on the team */
export async function joinGroup({ db, clock, events }: Ctx, actor: Actor, id: string, businessId: string): Promise<BusinessGroup> {
  const now = clock.now()
  return inTransaction(db, async (tx) => {
    await lockGroup(tx, id, actor.id)
    const isNew = await addBusiness(tx, events, actor, id, businessId, now)
    if (isNew) await refuseFullTeams(tx, [businessId])
    await auditAll(tx, actor, 'group.joined', id, isNew ? [businessId] : [], now)
    return groupFor(tx, id, actor.id)
  })
}

/** Returns false if the business was already in the group. */
async function addBusiness(tx: Tx, events: Events, actor: Actor, groupId: string, businessId: string, now: Date): Promise<boolean> {
  const business = await lockOwned(tx, actor, businessId)
  const { group_id: before } = await tx
    .selectFrom('business_members')
    .select('group_id')
    .where('business_id', '=', business.id)
    .where('user_id', '=', actor.id)
    .executeTakeFirstOrThrow()
  if (before === groupId) return false
  if (before !== null) {
    throw new AppError('conflict', { message: `${business.name} is in another group. Remove it there first.` })
  }
  await putIntoGroup(tx, groupId, business.id, now)
  await events.publish(tx, 'team.joined', { businessId: business.id })
  return true
}

async function lockOwned(tx: Tx, actor: Actor, businessId: string) {
  await requirePermission(tx, actor, businessId, 'team')
  await lockBusiness(tx, businessId)
  // The business may have been transferred before the lock was granted.
  const business = await requirePermission(tx, actor, businessId, 'team')
  refuseDemo(business)
  return business
}

export async function leaveGroup({ db, clock, events }: Ctx, actor: Actor, id: string, businessId: string): Promise<void> {
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    await lockGroup(tx, id, actor.id)
    if (!(await businessesOfGroup(tx, id)).includes(businessId)) return
    await lockOwned(tx, actor, businessId)
    await takeOutOfGroup(tx, businessId, now)
    await events.publish(tx, 'team.changed', { businessId })
    await auditAll(tx, actor, 'group.left', id, [businessId], now)
  })
}

/** @throws AppError forbidden, not_found if the person is on none of the teams, conflict for the owner and if a team is full */
export async function setGroupRole(
  { db, clock, events }: Ctx,
  actor: Actor,
  id: string,
  userId: string,
  role: HelperRole,
): Promise<GroupMember> {
  const now = clock.now()
  return inTransaction(db, async (tx) => {
    await lockGroup(tx, id, actor.id)
    if (userId === actor.id) throw new AppError('conflict', { message: 'You own these businesses, so your role can’t be changed.' })
    const before = await oneMember(tx, id, userId)
    const businessIds = await businessesOfGroup(tx, id)
    for (const businessId of businessIds) await lockOwned(tx, actor, businessId)
    await setRole(tx, { groupId: id, userId, role, now }, businessIds)
    await refuseFullTeams(tx, businessIds)
    for (const businessId of businessIds) await events.publish(tx, 'team.joined', { businessId })
    const entry = { at: now, actorId: actor.id, action: 'group.role_set', subjectType: 'user', subjectId: userId } as const
    await recordAudit(tx, { ...entry, details: { group: id, before: before.role, role } })
    return oneMember(tx, id, userId)
  })
}

async function oneMember(tx: Tx, id: string, userId: string): Promise<GroupMember> {
  const [member] = await groupMembers(tx, id, { only: userId, after: null, limit: 1 })
  if (!member) throw notFound('This person isn’t on any team in this group. Invite them to one of its businesses first.')
  return member
}

async function refuseFullTeams(tx: Tx, businessIds: readonly string[]): Promise<void> {
  const full = await tx
    .selectFrom('business_members')
    .innerJoin('businesses', 'businesses.id', 'business_id')
    .select('name')
    .where('business_id', 'in', businessIds)
    .groupBy(['business_id', 'name'])
    .having((eb) => eb(eb.fn.countAll<number>(), '>', maxTeamSize))
    .executeTakeFirst()
  if (full) throw new AppError('conflict', { message: `The team at ${full.name} is full.` })
}

export async function removeGroupRole({ db, clock, events }: Ctx, actor: Actor, id: string, userId: string): Promise<void> {
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    await lockGroup(tx, id, actor.id)
    const businessIds = await businessesOfGroup(tx, id)
    for (const businessId of businessIds) await lockOwned(tx, actor, businessId)
    if (!(await dropGroupRole(tx, id, userId, now))) return
    for (const businessId of businessIds) await events.publish(tx, 'team.changed', { businessId })
    const entry = { at: now, actorId: actor.id, action: 'group.role_removed', subjectType: 'user', subjectId: userId } as const
    await recordAudit(tx, { ...entry, details: { group: id } })
  })
}

type HoursOf = { businessId: string; hours: WeeklyHours | null }

/** Special days don't change. @returns the previous hours */
export async function setGroupHours(ctx: Ctx, actor: Actor, id: string, businesses: readonly HoursOf[]): Promise<{ before: HoursOf[] }> {
  const now = ctx.clock.now()
  const before = await inTransaction(ctx.db, async (tx) => {
    await lockGroup(tx, id, actor.id)
    const known = new Set(await businessesOfGroup(tx, id))
    const changes = new Map(businesses.map((each) => [each.businessId, each.hours]))
    if (businesses.some(({ businessId }) => !known.has(businessId))) {
      throw new AppError('conflict', { message: 'One of these businesses is no longer in this group. Nothing was changed.' })
    }
    const former: HoursOf[] = []
    for (const [businessId, hours] of [...changes].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const locked = await lockBusiness(tx, businessId)
      if (!locked) throw notFound('Business not found.')
      await requirePermission(tx, actor, businessId, 'profile', { lock: true })
      former.push({ businessId, hours: await setMainHours(tx, locked.id, hours, now) })
    }
    await auditAll(tx, actor, 'group.hours_set', id, [...changes.keys()], now)
    return former
  })
  ctx.cache.invalidate('businesses')
  return { before }
}

/** Call last in a transaction, because it locks the end of the audit log. */
async function auditAll(tx: Tx, actor: Actor, action: `group.${string}`, groupId: string, businessIds: readonly string[], at: Date) {
  for (const businessId of businessIds) {
    const entry = { at, actorId: actor.id, action, subjectType: 'business', subjectId: businessId, businessId } as const
    await recordAudit(tx, { ...entry, details: { group: groupId } })
  }
}
