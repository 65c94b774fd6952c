import { mailedCodeMinutes } from '../../../contracts/claims.ts'
import { composeMail, oneLine } from '../../kernel/compose-mail.ts'
import type { Context } from '../../kernel/context.ts'
import type { Mail } from '../../kernel/mail.ts'
import type { ClaimRow } from './claims.queries.ts'

/** What we mail about claims. */

type Ctx = Pick<Context, 'brand' | 'config'>
type Business = { name: string; slug: string }

/** `licenseNumber`: the code proves that license instead of a claim. */
export function codeMail(ctx: Ctx, to: string, code: string, business: Business, licenseNumber: string | null): Mail {
  const name = `“${oneLine(business.name)}”`
  return composeMail(ctx.brand, to, 'your code', [
    `Your code is ${code}. It works for ${mailedCodeMinutes} minutes.`,
    licenseNumber === null
      ? `Someone with an account at ${ctx.brand.name} says that ${name} is theirs. Anyone who enters this code there can edit its page and answer for it. Don't share it with anyone you don't know.`
      : `The team of ${name} at ${ctx.brand.name} says that license ${oneLine(licenseNumber)} is theirs. Anyone who enters this code there proves it, and the page shows your license as verified. Don't share it with anyone you don't know.`,
    "If you or your team didn't ask for this, you don't have to do anything.",
  ])
}

/** What became of a claim. Null while that is open, or was the claimant's own doing. */
export function outcomeMail(
  ctx: Ctx,
  to: string,
  { status, closed_because, reason, verification_id }: Pick<ClaimRow, 'status' | 'closed_because' | 'reason' | 'verification_id'>,
  business: Business,
): Mail | null {
  const name = `“${oneLine(business.name)}”`
  const again = `${ctx.config.publicUrl}/business/register?${new URLSearchParams({ claim: business.slug })}`
  if (verification_id !== null) {
    // That a license is verified is mailed to the whole team.
    if (status !== 'rejected') return null
    const page = `${ctx.config.publicUrl}/business-dashboard/license?${new URLSearchParams({ business: business.slug })}`
    return composeMail(ctx.brand, to, 'about your request', [
      `We could not prove the license of ${name} by phone. The reason:`,
      `“${oneLine(reason ?? '')}”`,
      `Choose another way here: ${page}`,
    ])
  }
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
