import { type Currency, formatCents } from '../../../contracts/money.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { composeMail, oneLine } from '../../kernel/compose-mail.ts'
import type { Context } from '../../kernel/context.ts'
import type { Mail } from '../../kernel/mail.ts'
import { longDay } from './agreement-words.ts'
import { type PaymentRow, paymentRows } from './lists.ts'
import { receiptOf } from './receipt.ts'

type Confirmed = {
  agreementId: string
  at: Date
} & ({ event: 'canceled' | 'resumed' } | { event: 'paid'; paymentId: string } | { event: 'refunded'; paymentId: string; cents: number })

type ConfirmationJob = { agreementId: string; at: string; event: Confirmed['event']; paymentId?: string; cents?: number }

declare module '../../kernel/jobs.ts' {
  interface JobData {
    /** Mails the payer what was bought, renewed, canceled, resumed or refunded, with the receipt. */
    'billing.confirm': ConfirmationJob
  }
}

/** Queued with the change itself, so that each change is confirmed once, however often a provider tells of it. */
export const confirmByMail = ({ jobs }: Pick<Context, 'jobs'>, tx: Tx, { at, ...confirmed }: Confirmed): Promise<void> =>
  jobs.enqueue('billing.confirm', { ...confirmed, at: at.toISOString() }, { tx })

type Ctx = Pick<Context, 'db' | 'clock' | 'mail' | 'config' | 'brand'>

/**
 * Sends one confirmation, whatever the person chose for notifications: renewal laws ask for it. Written down after the mail was handed
 * over, so a crash in between sends it twice rather than never.
 */
export async function sendConfirmation(ctx: Ctx, job: ConfirmationJob): Promise<void> {
  const agreement = await ctx.db
    .selectFrom('agreements')
    .innerJoin('users', 'users.id', 'agreements.payer_id')
    .select(['users.email', 'agreements.id', 'title', 'status', 'amount_cents', 'currency', 'paid_until', 'provider'])
    .where('agreements.id', '=', job.agreementId)
    // The accounts of the demo have no mailbox.
    .where('users.is_demo', '=', false)
    .executeTakeFirst()
  if (!agreement) return
  const sent = {
    agreement_id: agreement.id,
    since: new Date(job.at),
    step: [job.event, job.paymentId, job.cents].filter(Boolean).join(' '),
  }
  const before = await ctx.db
    .selectFrom('billing_mails')
    .select('step')
    .where('agreement_id', '=', sent.agreement_id)
    .where('since', '=', sent.since)
    .where('step', '=', sent.step)
    .executeTakeFirst()
  if (before) return
  const receipt = await receiptFor(ctx.db, job)
  const { subject, paragraphs } = await words(ctx, agreement, job, receipt)
  const sender = { name: ctx.config.billingName, supportEmail: ctx.brand.supportEmail }
  const mail: Mail = composeMail(sender, agreement.email, subject, paragraphs)
  if (receipt) mail.attachments = [await receiptOf(ctx, receipt)]
  await ctx.mail.send(mail)
  await ctx.db
    .insertInto('billing_mails')
    .values({ ...sent, sent_at: ctx.clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Of the payment that it is about, or else of the last one. */
const receiptFor = (db: Db, { agreementId, paymentId }: ConfirmationJob): Promise<PaymentRow | undefined> =>
  paymentRows(db)
    .where('payments.agreement_id', '=', agreementId)
    .where('payments.receipt_number', 'is not', null)
    .$if(paymentId !== undefined, (query) => query.where('payments.id', '=', paymentId ?? ''))
    .orderBy('payments.paid_at', 'desc')
    .orderBy('payments.id', 'desc')
    .limit(1)
    .executeTakeFirst()

type Agreement = {
  title: string
  status: string
  amount_cents: number
  currency: Currency
  paid_until: Date | null
  provider: string
}

/** The subject says nothing of what was bought: it shows on locked phones and in shared mailboxes. */
async function words(ctx: Ctx, agreement: Agreement, job: ConfirmationJob, receipt: PaymentRow | undefined) {
  const title = oneLine(agreement.title)
  const money = (cents: number) =>
    new Intl.NumberFormat('en-US', { style: 'currency', currency: agreement.currency }).format(formatCents(cents) as `${number}`)
  const until = agreement.paid_until && longDay(agreement.paid_until)
  const billing = `${ctx.config.publicUrl}/billing`
  const howToCancel = `You can cancel at any time under Billing, and keep it to the end of the paid period: ${billing}`
  const isInvoice = agreement.provider === 'invoice'
  const test = agreement.provider === 'test' ? ['Test mode – no money moved.'] : []
  const terms = isInvoice
    ? [`Price: ${money(agreement.amount_cents)} per month, by invoice. ${until ? `Paid until ${until}. ` : ''}It doesn't renew by itself.`]
    : [
        `Price: ${money(agreement.amount_cents)} per month. ${until ? `It renews on ${until}, and every month after that` : 'It renews every month'}, until you cancel.`,
        howToCancel,
      ]
  const isOn = agreement.status === 'active' || agreement.status === 'past_due'
  switch (job.event) {
    case 'paid': {
      const isFirst = receipt === undefined || (await isFirstPayment(ctx.db, receipt))
      return {
        subject: isFirst ? 'your receipt' : 'your renewal receipt',
        paragraphs: [
          `${isFirst ? 'Thank you for your purchase' : 'Renewed'}: ${title}. We received ${money(receipt?.amount_cents ?? agreement.amount_cents)}. Your receipt is attached.`,
          ...(isOn ? terms : [`See how it stands under Billing: ${billing}`]),
          ...test,
        ],
      }
    }
    case 'refunded':
      return {
        subject: 'your refund',
        paragraphs: [
          `We refunded ${money(job.cents ?? 0)} for ${title}. Your updated receipt is attached.`,
          `It can take a few days to reach you. Everything you pay for is listed under Billing: ${billing}`,
          ...test,
        ],
      }
    case 'canceled':
      return {
        subject: 'your cancellation',
        paragraphs: [
          `${title} is canceled. You won't be charged again.`,
          ...(agreement.paid_until && agreement.paid_until > new Date(job.at)
            ? [`It stays active until ${until}. If you change your mind, you can resume it until then under Billing: ${billing}`]
            : []),
          ...(receipt ? ['Your last receipt is attached.'] : []),
          ...test,
        ],
      }
    case 'resumed':
      return {
        subject: 'your plan is resumed',
        paragraphs: [
          `${title} is resumed and goes on as before.`,
          ...terms,
          ...(receipt ? ['Your last receipt is attached.'] : []),
          ...test,
        ],
      }
  }
}

async function isFirstPayment(db: Db, { id, agreement_id, paid_at }: PaymentRow): Promise<boolean> {
  const earlier = await db
    .selectFrom('payments')
    .select('id')
    .where('agreement_id', '=', agreement_id)
    .where('receipt_number', 'is not', null)
    .where('paid_at', '<=', paid_at)
    .where('id', '<>', id)
    .limit(1)
    .executeTakeFirst()
  return earlier === undefined
}
