import { bylineColumns, toPerson } from '#server/features/people/index.ts'
import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobName } from '#server/kernel/jobs.ts'
import { composeMail, type Mail, oneLine } from '#server/kernel/mail.ts'
import type { TeamRole } from './roles.ts'
import { invitationToMail, issueInvitationToken, roleOf } from './team.queries.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'team.mail-invitation': { invitationId: string }
    /** Emails a person about a change to their membership. `aboutId`: the other person involved. */
    'team.mail-change': { change: TeamChange; businessId: string; userId: string; aboutId: string | null }
  }
}

type TeamJob = Extract<JobName, `team.${string}`>

export function teamJobs(ctx: Pick<Context, 'db' | 'clock' | 'mail' | 'brand' | 'config'>): Pick<JobHandlers, TeamJob> {
  return {
    async 'team.mail-invitation'({ invitationId }) {
      const invitation = await invitationToMail(ctx.db, invitationId)
      if (!invitation || invitation.is_demo) return
      const token = await issueInvitationToken(ctx.db, invitationId, ctx.clock.now())
      if (!token) return
      const { email, role, name: businessName, invited_by } = invitation
      await ctx.mail.send(invitationMail(ctx, { email, role, businessName, invitedBy: (await person(invited_by))?.name ?? null, token }))
    },
    async 'team.mail-change'({ change, businessId, userId, aboutId }) {
      const business = await ctx.db.selectFrom('businesses').select(['name', 'slug']).where('id', '=', businessId).executeTakeFirst()
      const concerned = await person(userId)
      // Demo accounts have no mailbox.
      if (!business || !concerned || concerned.isDemo) return
      const role = await roleOf(ctx.db, businessId, userId)
      await ctx.mail.send(changeMail(ctx, { change, to: concerned.email, business, role, about: (await person(aboutId))?.name ?? null }))
    },
  }

  async function person(id: string | null) {
    if (id === null) return null
    const row = await ctx.db.selectFrom('users').select(bylineColumns).select(['email', 'is_demo']).where('id', '=', id).executeTakeFirst()
    return row ? { name: toPerson(row).name, email: row.email, isDemo: row.is_demo } : null
  }
}

// Subjects say what an email is about without naming the business: they show on lock screens and in shared mailboxes.

type Ctx = Pick<Context, 'brand' | 'config'>

const roleWords: Record<TeamRole, string> = { owner: 'the owner', manager: 'a manager', staff: 'staff' }

type Invitation = { email: string; role: 'manager' | 'staff'; businessName: string; invitedBy: string | null; token: string }

function invitationMail(ctx: Ctx, { email, role, businessName, invitedBy, token }: Invitation): Mail {
  return composeMail(ctx.brand, email, 'your invitation to join a team', [
    `${oneLine(invitedBy ?? 'Someone')} invited you to help run “${oneLine(businessName)}” as ${roleWords[role]}. Open this link to accept:`,
    // The email address prefills the sign-up form. It comes after #, so that no server logs it.
    `${ctx.config.publicUrl}/invitations/${token}#${encodeURIComponent(email)}`,
    'The link works once and expires in 7 days. It requires an account with this address. If you don’t have one yet, you can create it there.',
    'If you don’t know what this is about, ignore this email.',
  ])
}

type TeamChange = 'joined' | 'role' | 'removed' | 'transferred'
type Change = {
  change: TeamChange
  to: string
  business: { name: string; slug: string }
  role: TeamRole | null
  about: string | null
}

function changeMail(ctx: Ctx, { change, to, business, role, about }: Change): Mail {
  const name = `“${oneLine(business.name)}”`
  const other = oneLine(about ?? 'Someone')
  const search = new URLSearchParams({ business: business.slug })
  const page = `${ctx.config.publicUrl}/business-dashboard/team?${search}`
  switch (change) {
    case 'joined':
      return composeMail(ctx.brand, to, 'your invitation was accepted', [
        `${other} accepted your invitation and is now on the team at ${name}:`,
        page,
      ])
    case 'role':
      return composeMail(ctx.brand, to, 'your role was changed', [`You’re now ${roleWords[role ?? 'staff']} at ${name}:`, page])
    case 'removed':
      return composeMail(ctx.brand, to, 'you were removed from a team', [
        `You were removed from the team at ${name}. Your own account isn’t affected.`,
      ])
    case 'transferred':
      return role === 'owner'
        ? composeMail(ctx.brand, to, 'a business was transferred to you', [
            `${other} transferred ${name} to you. You’re now its owner.`,
            page,
            `If ${other} pays for its plans, they stay billed to ${other} until one of you cancels them under Billing: ${ctx.config.publicUrl}/billing?${search}`,
          ])
        : composeMail(ctx.brand, to, 'you transferred a business', [
            `${other} is now the owner of ${name}, and you’re a manager.`,
            `If you pay for its plans, they stay billed to you until one of you cancels them under Billing: ${ctx.config.publicUrl}/billing`,
            `If this wasn’t you, write to ${ctx.brand.supportEmail} right away.`,
          ])
  }
}
