import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobName } from '#server/kernel/jobs.ts'
import { codeMail, lostMail, outcomeMail } from './claims.mails.ts'
import { claimRow, licensesToProve } from './claims.queries.ts'
import { isCodeExpired } from './claims.view.ts'
import { codeOf } from './enter-code.ts'

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
