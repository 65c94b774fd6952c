import { bylineColumns, toPerson } from '#server/features/people/index.ts'
import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobName } from '#server/kernel/jobs.ts'
import { invitationToMail, issueInvitationToken } from './invitations.queries.ts'
import { roleOf } from './members.queries.ts'
import { changeMail, invitationMail, type TeamChange } from './team.mails.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'team.mail-invitation': { invitationId: string }
    /** Emails a person about a change of their membership. `aboutId`: the other person involved. */
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
