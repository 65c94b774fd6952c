import type { ResponseOf } from '../../../contracts/endpoint.ts'
import type { acceptInvitation as acceptCall, getInvitation as getCall, InvitationState } from '../../../contracts/team.ts'
import type { Db } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { bylinePicture } from '../../kernel/media-address.ts'
import { recordAudit } from '../audit/index.ts'
import { bylineColumns, toPerson } from '../people/index.ts'
import { type Invitation, invitationByToken, lockInvitation } from './invitations.queries.ts'
import { lockBusiness } from './lock-team.ts'
import { addHelper, roleOf } from './members.queries.ts'

const unknown = 'This invitation is not known. Open the link of the latest mail; an older one ends when another is sent.'

/** @throws AppError not_found */
export async function getInvitation(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Pick<Actor, 'id'>,
  token: string,
): Promise<ResponseOf<typeof getCall>> {
  const invitation = await invitationByToken(ctx.db, token)
  if (!invitation) throw notFound(unknown)
  return {
    state: stateOf(invitation, await emailOf(ctx.db, actor.id), ctx.clock.now()),
    business: toByline(invitation),
    role: invitation.role,
    invitedBy: await nameOf(ctx.db, invitation.invited_by),
    sentTo: shortened(invitation.email),
    expiresAt: invitation.expires_at.toISOString(),
  }
}

const refusals: Record<Exclude<InvitationState, 'open' | 'other_address'>, string> = {
  accepted: 'This invitation was used already. Ask for another one.',
  expired: 'This invitation has expired. Ask for another one.',
  revoked: 'This invitation was taken back.',
}

/**
 * Joins the team, once. The same person may open the link again, and is in the team as before.
 * @throws AppError not_found, forbidden when it was mailed to another address, conflict when it is over
 */
export async function acceptInvitation(
  ctx: Pick<Context, 'db' | 'clock' | 'jobs'>,
  actor: Pick<Actor, 'id'>,
  token: string,
): Promise<ResponseOf<typeof acceptCall>> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const found = await invitationByToken(tx, token)
    if (!found) throw notFound(unknown)
    await lockBusiness(tx, found.business_id)
    await lockInvitation(tx, found.business_id, found.id)
    // Another mail may have ended this link since, and somebody may have used it.
    const invitation = await invitationByToken(tx, token)
    if (!invitation) throw notFound(unknown)
    const business = toByline(invitation)
    if (invitation.accepted_by === actor.id) {
      const role = await roleOf(tx, business.id, actor.id)
      if (role) return { business, role }
    }
    const state = stateOf(invitation, await emailOf(tx, actor.id), now)
    if (state === 'other_address') {
      const message = `This invitation was mailed to ${shortened(invitation.email)}. Sign in with the account of that address to accept it.`
      throw new AppError('forbidden', { message })
    }
    if (state !== 'open') throw new AppError('conflict', { message: refusals[state] })
    const isNew = await addHelper(tx, { businessId: business.id, userId: actor.id, role: invitation.role, now })
    await tx.updateTable('team_invitations').set({ accepted_at: now, accepted_by: actor.id }).where('id', '=', invitation.id).execute()
    if (isNew && invitation.invited_by) {
      const news = { change: 'joined', businessId: business.id, userId: invitation.invited_by, aboutId: actor.id } as const
      await ctx.jobs.enqueue('team.mail-change', news, { tx })
    }
    // Somebody who has been in the team since before keeps the role they have.
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

async function nameOf(db: Db, userId: string | null): Promise<string | null> {
  if (userId === null) return null
  const row = await db.selectFrom('users').select(bylineColumns).where('id', '=', userId).executeTakeFirst()
  return row ? toPerson(row).name : null
}

/** "wren@example.com" → "w…@example.com": enough for whose it is, of no use to anybody else. */
function shortened(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}…${email.slice(at)}`
}
