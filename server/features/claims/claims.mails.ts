import { mailedCodeMinutes } from '../../../contracts/claims.ts'
import { composeMail, oneLine } from '../../kernel/compose-mail.ts'
import type { Context } from '../../kernel/context.ts'
import type { Mail } from '../../kernel/mail.ts'
import type { ClaimRow } from './claims.queries.ts'

/** What we mail about claims. Discreet: the subject says nothing of what it is about. */

type Ctx = Pick<Context, 'brand' | 'config'>
type Business = { name: string; slug: string }

export function codeMail(ctx: Ctx, to: string, code: string, business: Business): Mail {
  return composeMail(ctx.brand, to, 'your code', [
    `Your code is ${code}. It works for ${mailedCodeMinutes} minutes.`,
    `Somebody who has an account at ${ctx.brand.name} says that “${oneLine(business.name)}” is theirs. Whoever enters this code there can edit its page and answer in its name: give it to nobody whom you do not know.`,
    'If this was not you or one of your people, do nothing.',
  ])
}

/** What became of a claim. Null while that is open, or was the claimant's own doing. */
export function outcomeMail(
  ctx: Ctx,
  to: string,
  { status, closed_because, reason }: Pick<ClaimRow, 'status' | 'closed_because' | 'reason'>,
  business: Business,
): Mail | null {
  const name = `“${oneLine(business.name)}”`
  const again = `${ctx.config.publicUrl}/business/register?${new URLSearchParams({ claim: business.slug })}`
  if (status === 'approved') {
    return composeMail(ctx.brand, to, 'your request was approved', [
      `${name} is yours: you can edit its page, invite your people and see what it brings here:`,
      `${ctx.config.publicUrl}/business-dashboard?${new URLSearchParams({ business: business.slug })}`,
    ])
  }
  if (status === 'rejected') {
    return composeMail(ctx.brand, to, 'about your request', [
      `We could not confirm that ${name} is yours. The reason:`,
      `“${oneLine(reason ?? '')}”`,
      `You can ask again with more to show for it: ${again}`,
    ])
  }
  if (closed_because !== 'claimed') return null
  return composeMail(ctx.brand, to, 'about your request', [
    `Somebody else has proven that ${name} is theirs. If that is wrong, ask us to look into it:`,
    again,
  ])
}

/** To whoever was in the team of a business that turned out to be somebody else's. */
export function lostMail(ctx: Ctx, to: string, business: Business): Mail {
  return composeMail(ctx.brand, to, 'about something you managed', [
    `We looked into whose “${oneLine(business.name)}” is, and gave it to somebody else. You are not in its team any more; your own account stays as it is.`,
    `If that is wrong, write to ${ctx.brand.supportEmail}.`,
  ])
}
