import { composeMail } from '../../kernel/compose-mail.ts'
import type { Context } from '../../kernel/context.ts'
import type { Mail } from '../../kernel/mail.ts'
import { type DunningStep, dunningDays } from './apply-state.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'mail' | 'config' | 'brand'>

/**
 * Mails the payer about a failed payment, once a step for a row of failures, and only while it is still failed. Written down after
 * the mail was handed over: a crash in between sends it twice rather than never.
 */
export async function sendDunning(ctx: Ctx, data: { agreementId: string; since: string; step: DunningStep }): Promise<void> {
  const since = new Date(data.since)
  const row = await ctx.db
    .selectFrom('agreements')
    .innerJoin('users', 'users.id', 'agreements.payer_id')
    .select(['users.email', 'agreements.grace_until'])
    .where('agreements.id', '=', data.agreementId)
    // The accounts of the demo have no mailbox.
    .where('users.is_demo', '=', false)
    .where('agreements.status', '=', 'past_due')
    .where('agreements.past_due_since', '=', since)
    .executeTakeFirst()
  if (!row?.grace_until) return
  const key = { agreement_id: data.agreementId, since, step: data.step }
  const sent = await ctx.db
    .selectFrom('billing_mails')
    .select('step')
    .where('agreement_id', '=', key.agreement_id)
    .where('since', '=', since)
    .where('step', '=', data.step)
    .executeTakeFirst()
  if (sent) return
  await ctx.mail.send(failedPaymentMail(ctx, row.email, row.grace_until, data.step))
  await ctx.db
    .insertInto('billing_mails')
    .values({ ...key, sent_at: ctx.clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Subject and text say nothing of what was bought, nor where: they show on locked phones and in shared mailboxes. */
function failedPaymentMail({ config, brand }: Ctx, to: string, graceUntil: Date, step: DunningStep): Mail {
  return composeMail({ name: config.billingName, supportEmail: brand.supportEmail }, to, 'a payment did not go through', [
    step === 'day-0' ? 'Your last payment did not go through.' : `Your payment still has not gone through (${dunningDays[step]} days).`,
    `Nothing changes until ${graceUntil.toISOString().slice(0, 10)}. Until then you can see to it here:`,
    `${config.publicUrl}/billing`,
    'If you have paid in the meantime, there is nothing to do.',
  ])
}
