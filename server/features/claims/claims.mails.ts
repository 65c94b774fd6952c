import { mailedCodeMinutes } from '#contracts/limits.ts'
import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobName } from '#server/kernel/jobs.ts'
import { composeMail, type Mail, oneLine } from '#server/kernel/mail.ts'
import { type ClaimRow, claimRow, licensesToProve } from './claims.queries.ts'
import { codeOf } from './enter-code.ts'
import { isCodeExpired } from './open-claim.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'claims.mail-code': { claimId: string }
    'claims.mail-outcome': { claimId: string }
    'claims.mail-lost': { businessId: string; userId: string }
  }
}

type ClaimJob = Extract<JobName, `claims.${string}`>

export function claimJobs(ctx: Pick<Context, 'db' | 'clock' | 'mail' | 'brand' | 'config'>): Pick<JobHandlers, ClaimJob> {
  const businessOf = (id: string) => ctx.db.selectFrom('businesses').select(['name', 'slug']).where('id', '=', id).executeTakeFirstOrThrow()
  const mailboxOf = (userId: string) => ctx.db.selectFrom('users').select(['email', 'is_demo']).where('id', '=', userId).executeTakeFirst()

  return {
    async 'claims.mail-code'({ claimId }) {
      const claim = await claimRow(ctx.db, claimId)
      if (claim?.status !== 'open' || claim.email === null || isCodeExpired(claim, ctx.clock.now())) return
      const code = codeOf(ctx.config.sessionSecret, claim)
      const license =
        claim.verification_id === null ? null : (await licensesToProve(ctx.db, [claim.verification_id])).get(claim.verification_id)
      await ctx.mail.send(codeMail(ctx, claim.email, code, await businessOf(claim.business_id), license?.licenseNumber ?? null))
    },
    async 'claims.mail-outcome'({ claimId }) {
      const claim = await claimRow(ctx.db, claimId)
      const claimant = claim && (await mailboxOf(claim.user_id))
      const mail = claimant && outcomeMail(ctx, claimant.email, claim, await businessOf(claim.business_id))
      if (mail) await ctx.mail.send(mail)
    },
    async 'claims.mail-lost'({ businessId, userId }) {
      const former = await mailboxOf(userId)
      if (former && !former.is_demo) await ctx.mail.send(lostMail(ctx, former.email, await businessOf(businessId)))
    },
  }
}

type Ctx = Pick<Context, 'brand' | 'config'>
type Business = { name: string; slug: string }

/** With `licenseNumber`, the code verifies that license instead of a claim. */
function codeMail(ctx: Ctx, to: string, code: string, business: Business, licenseNumber: string | null): Mail {
  const name = `“${oneLine(business.name)}”`
  return composeMail(ctx.brand, to, licenseNumber === null ? 'your code to claim a business' : 'your code to verify a license', [
    `Your code is ${code}. It works for ${mailedCodeMinutes} minutes.`,
    licenseNumber === null
      ? `Someone with an account at ${ctx.brand.name} says that ${name} is theirs. If they enter this code, they can edit its page and are responsible for it. Don’t share it with anyone you don’t know.`
      : `The team of ${name} at ${ctx.brand.name} says that license ${oneLine(licenseNumber)} is theirs. Entering this code there proves it, and the page will show your license as verified. Don’t share it with anyone you don’t know.`,
    'If you or your team didn’t ask for this, ignore this email.',
  ])
}

/** Null if the outcome isn't emailed, as for a claim that is open or was withdrawn. */
function outcomeMail(
  ctx: Ctx,
  to: string,
  { status, closed_because, reason, verification_id }: Pick<ClaimRow, 'status' | 'closed_because' | 'reason' | 'verification_id'>,
  business: Business,
): Mail | null {
  const name = `“${oneLine(business.name)}”`
  const again = `${ctx.config.publicUrl}/business/register?${new URLSearchParams({ claim: business.slug })}`
  if (verification_id !== null) {
    // The whole team gets a separate email when a license is verified.
    if (status !== 'rejected') return null
    const page = `${ctx.config.publicUrl}/business-dashboard/license?${new URLSearchParams({ business: business.slug })}`
    return composeMail(ctx.brand, to, 'your license wasn’t verified', [
      `We couldn’t verify the license for ${name} by phone. The reason:`,
      `“${oneLine(reason ?? '')}”`,
      `Choose a different way here: ${page}`,
    ])
  }
  if (status === 'approved') {
    return composeMail(ctx.brand, to, 'your claim was approved', [
      `${name} is yours. You can edit its page, invite your team and see how it’s doing here:`,
      `${ctx.config.publicUrl}/business-dashboard?${new URLSearchParams({ business: business.slug })}`,
    ])
  }
  if (status === 'rejected') {
    return composeMail(ctx.brand, to, 'your claim wasn’t approved', [
      `We couldn’t confirm that ${name} is yours. The reason:`,
      `“${oneLine(reason ?? '')}”`,
      `You can try again with more evidence: ${again}`,
    ])
  }
  if (closed_because !== 'claimed') return null
  return composeMail(ctx.brand, to, 'someone else claimed the business', [
    `Someone else has proven that ${name} is theirs. If that’s wrong, ask us to look into it:`,
    again,
  ])
}

function lostMail(ctx: Ctx, to: string, business: Business): Mail {
  return composeMail(ctx.brand, to, 'your business was transferred to someone else', [
    `We reviewed who owns “${oneLine(business.name)}” and transferred it to someone else. You’re no longer on its team; your own account isn’t affected.`,
    'If you paid for its plans, they’re canceled. You’ll get a separate email about each one.',
    `If that’s wrong, write to ${ctx.brand.supportEmail}.`,
  ])
}
