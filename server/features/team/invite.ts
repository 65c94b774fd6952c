import { type HelperRole, mostOfTeam, type Team } from '../../../contracts/team.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { limitByRecipient } from '../../kernel/limit-by-recipient.ts'
import { recordAudit } from '../audit/index.ts'
import { getTeam } from './get-team.ts'
import { invitationEnd, invitationOf, lockInvitation, openInvitationTo } from './invitations.queries.ts'
import { lockTeam, refuseDemo } from './lock-team.ts'
import { requirePermission } from './require-permission.ts'
import { mayManage, type TeamRole } from './roles.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'jobs' | 'rateLimiter'>

/**
 * Has an invitation mailed. Asking the same again while it is open mails nothing more; another role, or an expired one, is mailed anew.
 * @throws AppError not_found, forbidden, conflict, too_many_requests
 */
export async function invite(
  ctx: Ctx,
  actor: Actor,
  idOrSlug: string,
  { email, role }: { email: string; role: HelperRole },
): Promise<Team> {
  // Strangers do not use up what somebody may be mailed.
  refuseBeyond((await requirePermission(ctx.db, actor, idOrSlug, 'staff')).role, role)
  await limitByRecipient(ctx.rateLimiter, 'invitation', email)
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const business = await lockTeam(tx, actor, idOrSlug, 'staff')
    refuseDemo(business)
    refuseBeyond(business.role, role)
    await refuseMember(tx, business.id, email)
    const open = await openInvitationTo(tx, business.id, email)
    if (open) refuseBeyond(business.role, open.role)
    if (open?.role === role && open.expires_at > now) return getTeam(tx, actor, business.id, now)
    if (!open) await requireRoom(tx, business.id)
    const id = open?.id ?? newId()
    const values = { role, invited_by: actor.id, token_hash: null, expires_at: invitationEnd(now) }
    await (open
      ? tx.updateTable('team_invitations').set(values).where('id', '=', id)
      : tx.insertInto('team_invitations').values({ ...values, id, business_id: business.id, email, created_at: now })
    ).execute()
    await ctx.jobs.enqueue('team.mail-invitation', { invitationId: id }, { tx })
    const team = await getTeam(tx, actor, business.id, now)
    await audit(tx, actor, 'team.invited', { id, businessId: business.id, role, now })
    return team
  })
}

/** @throws AppError not_found, forbidden, conflict when it is answered or sent too often, too_many_requests */
export async function resendInvitation(ctx: Ctx, actor: Actor, idOrSlug: string, invitationId: string): Promise<Team> {
  const now = ctx.clock.now()
  const { id: businessId } = await requirePermission(ctx.db, actor, idOrSlug, 'staff')
  const found = await invitationOf(ctx.db, businessId, invitationId)
  if (found) await limitByRecipient(ctx.rateLimiter, 'invitation', found.email)
  return inTransaction(ctx.db, async (tx) => {
    const business = await lockTeam(tx, actor, idOrSlug, 'staff')
    refuseDemo(business)
    const invitation = await lockInvitation(tx, business.id, invitationId)
    if (!invitation || invitation.revoked_at) throw notFound('This invitation was taken back.')
    if (invitation.accepted_at) throw new AppError('conflict', { message: 'This invitation was accepted already.' })
    refuseBeyond(business.role, invitation.role)
    if (invitation.sent_count >= mostMails) {
      throw new AppError('conflict', { message: 'This invitation was mailed often enough. Take it back and ask for the right address.' })
    }
    await tx
      .updateTable('team_invitations')
      .set({ expires_at: invitationEnd(now), token_hash: null, sent_count: invitation.sent_count + 1 })
      .where('id', '=', invitationId)
      .execute()
    await ctx.jobs.enqueue('team.mail-invitation', { invitationId }, { tx })
    const team = await getTeam(tx, actor, business.id, now)
    await audit(tx, actor, 'team.invitation_resent', { id: invitationId, businessId: business.id, role: invitation.role, now })
    return team
  })
}

const mostMails = 5

/** @throws AppError not_found, forbidden, conflict when it was accepted */
export async function revokeInvitation(ctx: Pick<Ctx, 'db' | 'clock'>, actor: Actor, idOrSlug: string, id: string): Promise<Team> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const business = await lockTeam(tx, actor, idOrSlug, 'staff')
    const invitation = await lockInvitation(tx, business.id, id)
    if (!invitation) throw notFound('There is no such invitation.')
    refuseBeyond(business.role, invitation.role)
    if (invitation.accepted_at)
      throw new AppError('conflict', { message: 'This invitation was accepted already: remove the member instead.' })
    if (invitation.revoked_at) return getTeam(tx, actor, business.id, now)
    await tx.updateTable('team_invitations').set({ revoked_at: now }).where('id', '=', id).execute()
    const team = await getTeam(tx, actor, business.id, now)
    await audit(tx, actor, 'team.invitation_revoked', { id, businessId: business.id, role: invitation.role, now })
    return team
  })
}

type Step = { id: string; businessId: string; role: HelperRole; now: Date }
const audit = (tx: Tx, actor: Actor, action: `team.${string}`, { id, businessId, role, now }: Step) =>
  recordAudit(tx, { at: now, actorId: actor.id, action, subjectType: 'invitation', subjectId: id, businessId, details: { role } })

function refuseBeyond(own: TeamRole, other: HelperRole): void {
  if (!mayManage(own, other)) throw new AppError('forbidden', { message: 'Managers can invite staff only. Ask the owner.' })
}

async function refuseMember(tx: Tx, businessId: string, email: string): Promise<void> {
  const member = await tx
    .selectFrom('business_members')
    .innerJoin('users', 'users.id', 'business_members.user_id')
    .select('users.id')
    .where('business_id', '=', businessId)
    .where('users.email', '=', email)
    .executeTakeFirst()
  if (member) throw new AppError('conflict', { message: 'Somebody with this address is in the team already.' })
}

async function requireRoom(tx: Tx, businessId: string): Promise<void> {
  const { team } = await tx
    .selectNoFrom((eb) =>
      eb(
        eb.selectFrom('business_members').select(eb.fn.countAll<number>().as('n')).where('business_id', '=', businessId),
        '+',
        eb
          .selectFrom('team_invitations')
          .select(eb.fn.countAll<number>().as('n'))
          .where('business_id', '=', businessId)
          .where('accepted_at', 'is', null)
          .where('revoked_at', 'is', null),
      ).as('team'),
    )
    .executeTakeFirstOrThrow()
  if (Number(team) < mostOfTeam) return
  throw new AppError('conflict', { message: `A team has room for ${mostOfTeam} members and invitations. Take some back first.` })
}
