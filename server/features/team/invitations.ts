import type { ResponseOf } from '#contracts/endpoint.ts'
import type {
  acceptInvitation as acceptCall,
  getInvitation as getCall,
  listOwnTeamInvitations as listCall,
} from '#contracts/team.endpoints.ts'
import { type HelperRole, type InvitationState, maxTeamSize, type Team } from '#contracts/team.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { bylineColumns, toPerson } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { bylinePicture } from '#server/kernel/media-address.ts'
import { limitByRecipient } from '#server/kernel/rate-limit.ts'
import { getTeam, lockBusiness, lockTeam, refuseDemo } from './change-team.ts'
import { canManage, requirePermission, type TeamRole } from './roles.ts'
import {
  addHelper,
  type Invitation,
  invitationByToken,
  invitationEnd,
  invitationOf,
  lockInvitation,
  openInvitationsFor,
  openInvitationTo,
  roleOf,
} from './team.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'jobs' | 'rateLimiter'>

/** Sends an invitation. Repeating an open one sends nothing, unless the role differs or the invitation has expired. */
export async function invite(
  ctx: Ctx,
  actor: Actor,
  idOrSlug: string,
  { email, role }: { email: string; role: HelperRole },
): Promise<Team> {
  // Check permission first, so that strangers can't exhaust the recipient's limit.
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

/** @throws AppError not_found, forbidden, conflict if the invitation was accepted or sent too often, too_many_requests */
export async function resendInvitation(ctx: Ctx, actor: Actor, idOrSlug: string, invitationId: string): Promise<Team> {
  const now = ctx.clock.now()
  const { id: businessId } = await requirePermission(ctx.db, actor, idOrSlug, 'staff')
  const found = await invitationOf(ctx.db, businessId, invitationId)
  if (found) await limitByRecipient(ctx.rateLimiter, 'invitation', found.email)
  return inTransaction(ctx.db, async (tx) => {
    const business = await lockTeam(tx, actor, idOrSlug, 'staff')
    refuseDemo(business)
    const invitation = await lockInvitation(tx, business.id, invitationId)
    if (!invitation || invitation.revoked_at) throw notFound('This invitation was canceled.')
    if (invitation.accepted_at) throw new AppError('conflict', { message: 'This invitation was already accepted.' })
    refuseBeyond(business.role, invitation.role)
    if (invitation.sent_count >= maxMails) {
      throw new AppError('conflict', { message: 'This invitation was emailed too many times. Cancel it and check the address.' })
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

const maxMails = 5

/** @throws AppError not_found, forbidden, conflict if the invitation was accepted */
export async function revokeInvitation(ctx: Pick<Ctx, 'db' | 'clock'>, actor: Actor, idOrSlug: string, id: string): Promise<Team> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const business = await lockTeam(tx, actor, idOrSlug, 'staff')
    const invitation = await lockInvitation(tx, business.id, id)
    if (!invitation) throw notFound('Invitation not found.')
    refuseBeyond(business.role, invitation.role)
    if (invitation.accepted_at)
      throw new AppError('conflict', { message: 'This invitation was already accepted. Remove the member instead.' })
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
  if (!canManage(own, other)) throw new AppError('forbidden', { message: 'Managers can only invite staff. Ask the owner.' })
}

async function refuseMember(tx: Tx, businessId: string, email: string): Promise<void> {
  const member = await tx
    .selectFrom('business_members')
    .innerJoin('users', 'users.id', 'business_members.user_id')
    .select('users.id')
    .where('business_id', '=', businessId)
    .where('users.email', '=', email)
    .executeTakeFirst()
  if (member) throw new AppError('conflict', { message: 'Someone with this address is already on the team.' })
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
      )
        .$notNull()
        .as('team'),
    )
    .executeTakeFirstOrThrow()
  if (team < maxTeamSize) return
  throw new AppError('conflict', {
    message: `A team has room for ${maxTeamSize} members and invitations. Remove a member or cancel an invitation first.`,
  })
}

const unknown = 'We don’t recognize this invitation. Open the link in the latest email; a new link replaces the previous one.'

export async function listOwnInvitations(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Pick<Actor, 'id'>,
): Promise<ResponseOf<typeof listCall>> {
  const recipient = await confirmedEmailOf(db, actor.id)
  if (recipient === null) return []
  const invitations = await openInvitationsFor(db, recipient, clock.now())
  return invitations.map((invitation) => ({ id: invitation.id, business: toByline(invitation), role: invitation.role }))
}

/** Anyone with the link may see who invites them to which team, but not the full address it was sent to. */
export async function getInvitation(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Pick<Actor, 'id'> | null,
  token: string,
): Promise<ResponseOf<typeof getCall>> {
  const invitation = await invitationByToken(ctx.db, token, actor && (await confirmedEmailOf(ctx.db, actor.id)))
  if (!invitation) throw notFound(unknown)
  return {
    state: stateOf(invitation, actor === null ? invitation.email : await emailOf(ctx.db, actor.id), ctx.clock.now()),
    business: toByline(invitation),
    role: invitation.role,
    invitedBy: await nameOf(ctx.db, invitation.invited_by),
    sentTo: shortened(invitation.email),
    expiresAt: invitation.expires_at.toISOString(),
  }
}

const refusals: Record<Exclude<InvitationState, 'open' | 'other_address'>, string> = {
  accepted: 'This invitation was already used. Ask for a new one.',
  expired: 'This invitation has expired. Ask for a new one.',
  revoked: 'This invitation was canceled.',
}

/**
 * Joins the team. Idempotent for the same person.
 * @throws AppError not_found, forbidden if the invitation was sent to another address, conflict if it has ended
 */
export async function acceptInvitation(
  ctx: Pick<Context, 'db' | 'clock' | 'jobs' | 'events'>,
  actor: Pick<Actor, 'id'>,
  token: string,
): Promise<ResponseOf<typeof acceptCall>> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const recipient = await confirmedEmailOf(tx, actor.id)
    const found = await invitationByToken(tx, token, recipient)
    if (!found) throw notFound(unknown)
    await lockBusiness(tx, found.business_id)
    await lockInvitation(tx, found.business_id, found.id)
    // A newer email may have replaced this link, or someone may have used it.
    const invitation = await invitationByToken(tx, token, recipient)
    if (!invitation) throw notFound(unknown)
    const business = toByline(invitation)
    if (invitation.accepted_by === actor.id) {
      const role = await roleOf(tx, business.id, actor.id)
      if (role) return { business, role }
    }
    const state = stateOf(invitation, await emailOf(tx, actor.id), now)
    if (state === 'other_address') {
      const message = `This invitation was emailed to ${shortened(invitation.email)}. Sign in with that address to accept it.`
      throw new AppError('forbidden', { message })
    }
    if (state !== 'open') throw new AppError('conflict', { message: refusals[state] })
    const isNew = await addHelper(tx, { businessId: business.id, userId: actor.id, role: invitation.role, now })
    await tx.updateTable('team_invitations').set({ accepted_at: now, accepted_by: actor.id }).where('id', '=', invitation.id).execute()
    if (isNew) await ctx.events.publish(tx, 'team.joined', { businessId: business.id })
    if (isNew && invitation.invited_by) {
      const news = { change: 'joined', businessId: business.id, userId: invitation.invited_by, aboutId: actor.id } as const
      await ctx.jobs.enqueue('team.mail-change', news, { tx })
    }
    // Existing team members keep their role.
    const role = isNew ? invitation.role : ((await roleOf(tx, business.id, actor.id)) ?? invitation.role)
    const entry = { actorId: actor.id, action: 'team.joined', subjectType: 'user', subjectId: actor.id } as const
    await recordAudit(tx, { ...entry, at: now, businessId: business.id, details: { role, invitation: invitation.id } })
    return { business, role }
  })
}

function stateOf(invitation: Invitation, email: string, now: Date): InvitationState {
  if (invitation.accepted_at) return 'accepted'
  if (invitation.revoked_at) return 'revoked'
  if (invitation.expires_at <= now) return 'expired'
  return invitation.email === email ? 'open' : 'other_address'
}

const toByline = ({ business_id, slug, name, type, image_id }: Invitation) => ({
  id: business_id,
  slug,
  name,
  type,
  imageUrl: bylinePicture(image_id),
})

async function emailOf(db: Db, userId: string): Promise<string> {
  const { email } = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
  return email
}

/** Null if it isn't confirmed: anyone can sign up with an address that isn't theirs. */
async function confirmedEmailOf(db: Db, userId: string): Promise<string | null> {
  const person = await db.selectFrom('users').select('email').where('id', '=', userId).where('email_verified', '=', true).executeTakeFirst()
  return person?.email ?? null
}

async function nameOf(db: Db, userId: string | null): Promise<string | null> {
  if (userId === null) return null
  const row = await db.selectFrom('users').select(bylineColumns).where('id', '=', userId).executeTakeFirst()
  return row ? toPerson(row).name : null
}

/** "wren@example.com" → "w…@example.com": enough to recognize, useless to others. */
function shortened(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}…${email.slice(at)}`
}
