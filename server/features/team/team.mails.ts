import { composeMail, oneLine } from '../../kernel/compose-mail.ts'
import type { Context } from '../../kernel/context.ts'
import type { Mail } from '../../kernel/mail.ts'
import type { TeamRole } from './roles.ts'

/** What we mail about a team. Discreet: the subject says nothing of what it is about. */

type Ctx = Pick<Context, 'brand' | 'config'>

const roleWords: Record<TeamRole, string> = { owner: 'the owner', manager: 'a manager', staff: 'staff' }

type Invitation = { email: string; role: 'manager' | 'staff'; businessName: string; invitedBy: string | null; token: string }

export function invitationMail(ctx: Ctx, { email, role, businessName, invitedBy, token }: Invitation): Mail {
  return composeMail(ctx.brand, email, 'an invitation', [
    `${oneLine(invitedBy ?? 'Somebody')} invites you to help run “${oneLine(businessName)}” as ${roleWords[role]}. Open this link to accept:`,
    `${ctx.config.publicUrl}/invitations/${token}`,
    'The link works once, for 7 days, with an account that has this address. If you have none yet, make one first and open the link again.',
    'If you do not know what this is about, do nothing.',
  ])
}

export type TeamChange = 'joined' | 'role' | 'removed' | 'transferred'
type Change = {
  change: TeamChange
  to: string
  business: { name: string; slug: string }
  /** Theirs, now. */
  role: TeamRole | null
  /** The other one it is about. */
  about: string | null
}

export function changeMail(ctx: Ctx, { change, to, business, role, about }: Change): Mail {
  const name = `“${oneLine(business.name)}”`
  const other = oneLine(about ?? 'Somebody')
  const page = `${ctx.config.publicUrl}/business-dashboard/team?${new URLSearchParams({ business: business.slug })}`
  switch (change) {
    case 'joined':
      return composeMail(ctx.brand, to, 'your invitation was accepted', [
        `${other} accepted your invitation and is in the team of ${name} now:`,
        page,
      ])
    case 'role':
      return composeMail(ctx.brand, to, 'your role was changed', [`You are ${roleWords[role ?? 'staff']} of ${name} now:`, page])
    case 'removed':
      return composeMail(ctx.brand, to, 'you are not in a team any more', [
        `You were removed from the team of ${name}. Your own account stays as it is.`,
      ])
    case 'transferred':
      return role === 'owner'
        ? composeMail(ctx.brand, to, 'something was handed over to you', [
            `${other} handed ${name} over to you: you are its owner now.`,
            page,
          ])
        : composeMail(ctx.brand, to, 'you handed something over', [
            `${other} is the owner of ${name} now, and you are a manager.`,
            `If this was not you, write to ${ctx.brand.supportEmail} at once.`,
          ])
  }
}
