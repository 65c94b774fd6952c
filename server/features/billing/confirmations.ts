import type { FastifyRequest } from 'fastify'
import { isUuid } from '#contracts/addresses.ts'
import type { Currency } from '#contracts/fields.ts'
import { formatCents } from '#contracts/money.rules.ts'
import { cancelThereToo, chargesItself, isTest, type PaymentProviderName, paymentProviders } from '#contracts/payment-providers.ts'
import { hourMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { recordDone } from '#server/db/transaction.ts'
import { requireAccess } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { type Attachment, composeMail, type Mail, oneLine } from '#server/kernel/mail.ts'
import type { Api } from '#server/kernel/route.ts'
import { isResumable } from './agreements.queries.ts'
import { isUnreachable } from './payment-accounts.queries.ts'
import { planName } from './plans.ts'
import { type PaymentRow, paymentRows } from './read-agreements.ts'

type Confirmed = {
  agreementId: string
  at: Date
} & ({ event: 'canceled' | 'resumed' } | { event: 'paid'; paymentId: string } | { event: 'refunded'; paymentId: string; cents: number })

type ConfirmationJob = { agreementId: string; at: string; event: Confirmed['event']; paymentId?: string; cents?: number }

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    /** Emails the payer a confirmation and receipt of a purchase, renewal, cancellation, resumption or refund. */
    'billing.confirm': ConfirmationJob
  }
}

/** Queued in the transaction of the change, so each change is confirmed once, however often the provider reports it. */
export const confirmByMail = ({ jobs }: Pick<Context, 'jobs'>, tx: Tx, { at, ...confirmed }: Confirmed): Promise<void> =>
  jobs.enqueue('billing.confirm', { ...confirmed, at: at.toISOString() }, { tx })

type Ctx = Pick<Context, 'db' | 'clock' | 'mail' | 'config' | 'brand' | 'payments'>

/**
 * Sends one confirmation regardless of notification preferences, because renewal laws require it. Recorded after the email is
 * sent, so a crash in between sends it twice rather than never.
 */
export async function sendConfirmation(ctx: Ctx, job: ConfirmationJob): Promise<void> {
  const agreement = await ctx.db
    .selectFrom('agreements')
    .innerJoin('users', 'users.id', 'agreements.payer_id')
    .leftJoin('business_payment_accounts as accounts', 'accounts.id', 'agreements.account_id')
    .select(['users.email', 'agreements.id', 'title', 'status', 'amount_cents', 'currency', 'paid_until', 'agreements.provider'])
    .select(['account_id', 'accounts.failure as account_failure', 'closed_at', 'paused_at'])
    .select(isResumable(ctx.clock.now()).as('is_resumable'))
    .where('agreements.id', '=', job.agreementId)
    // Demo accounts have no mailbox.
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
  const mayStillCharge = isUnreachable(ctx, agreement) && agreement.closed_at === null && agreement.paused_at === null
  const { subject, paragraphs } = await words(ctx, { ...agreement, mayStillCharge }, job, receipt)
  const sender = { name: ctx.config.billingName, supportEmail: ctx.brand.supportEmail }
  const mail: Mail = composeMail(sender, agreement.email, subject, paragraphs)
  if (receipt) mail.attachments = [await receiptOf(ctx, receipt)]
  await ctx.mail.send(mail)
  await recordDone(() =>
    ctx.db
      .insertInto('billing_mails')
      .values({ ...sent, sent_at: ctx.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
}

/** Defaults to the latest payment. */
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
  provider: PaymentProviderName
  is_resumable: boolean
  mayStillCharge: boolean
}

/** The subject doesn't name the product: it shows on lock screens and in shared mailboxes. */
async function words(ctx: Ctx, agreement: Agreement, job: ConfirmationJob, receipt: PaymentRow | undefined) {
  const title = oneLine(agreement.title)
  const money = moneyIn(agreement.currency)
  const until = agreement.paid_until && longDay(agreement.paid_until)
  const billing = `${ctx.config.publicUrl}/billing`
  const howToCancel = `You can cancel at any time under Billing. You’ll keep it until the end of the paid period: ${billing}`
  const test = isTest(agreement.provider) ? ['Test mode: no money moved.'] : []
  const terms = !chargesItself(agreement.provider)
    ? [
        `Price: ${money(agreement.amount_cents)} per month, by invoice. ${until ? `Paid until ${until}. ` : ''}It doesn’t renew automatically.`,
      ]
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
          `${isFirst ? 'Thank you for your purchase' : 'Renewed'}: ${title}. You paid ${money(receipt?.amount_cents ?? agreement.amount_cents)}. Your receipt is attached.`,
          ...(isOn ? terms : [`See it under Billing: ${billing}`]),
          ...test,
        ],
      }
    }
    case 'refunded':
      return {
        subject: 'your refund',
        paragraphs: [
          `${money(job.cents ?? 0)} was refunded for ${title}. Your updated receipt is attached.`,
          `It can take a few days to reach you. Everything you pay for is listed under Billing: ${billing}`,
          ...test,
        ],
      }
    case 'canceled':
      return {
        subject: 'your cancellation',
        paragraphs: [
          agreement.mayStillCharge
            ? `${title} is canceled. ${cancelThereToo(agreement.provider)} Otherwise you may be charged again.`
            : `${title} is canceled. You won’t be charged again.`,
          ...(agreement.paid_until && agreement.paid_until > new Date(job.at)
            ? [
                agreement.is_resumable && !agreement.mayStillCharge
                  ? `It stays active until ${lastDay(agreement.paid_until)}. If you change your mind, you can resume it until then under Billing: ${billing}`
                  : `It stays active until ${lastDay(agreement.paid_until)}. See it under Billing: ${billing}`,
              ]
            : []),
          ...(receipt ? ['Your last receipt is attached.'] : []),
          ...test,
        ],
      }
    case 'resumed':
      return {
        subject: 'your plan is resumed',
        paragraphs: [
          `${title} is resumed and continues as before.`,
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

const path = '/api/billing/payments/:id/receipt.pdf'

/** Routes under /api without a contract. */
export const receiptRoutes: readonly string[] = [`GET ${path}`]

export function addReceipts({ app, ctx }: Api): void {
  app.get(path, async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
    const session = await ctx.sessions.read(request.headers.cookie, { evenOwing: true })
    const actor = session?.actor ?? null
    requireAccess({ access: 'member', whileSuspended: true }, actor)
    await ctx.rateLimiter.consume('read', `account:${actor?.id}`)
    const row = isUuid(request.params.id)
      ? await paymentRows(ctx.db).where('payments.id', '=', request.params.id).executeTakeFirst()
      : undefined
    if (!actor || !row?.receipt_number || row.payer_id !== actor.id) throw notFound('Receipt not found.')
    const { filename, contentType, content } = await receiptOf(ctx, row)
    return reply
      .type(contentType)
      .headers({ 'content-disposition': `attachment; filename="${filename}"`, 'cache-control': 'private, no-store' })
      .send(content)
  })
}

async function receiptOf(ctx: Pick<Context, 'db' | 'config'>, row: PaymentRow): Promise<Attachment> {
  const payer = await ctx.db.selectFrom('users').select(['first_name', 'last_name']).where('id', '=', row.payer_id).executeTakeFirst()
  const names = { payer: [payer?.first_name, payer?.last_name].filter(Boolean).join(' '), paidTo: await paidTo(ctx.db, row) }
  const bytes = await makeReceipt(ctx, row, names)
  return { filename: `receipt-${row.receipt_number}.pdf`, contentType: 'application/pdf', content: Buffer.from(bytes) }
}

/** The business whose own account was paid; null if the site was paid. */
async function paidTo(db: Db, { account_id, subscribe_to }: PaymentRow): Promise<string | null> {
  if (account_id === null) return null
  const business = await db.selectFrom('businesses').select('name').where('id', '=', subscribe_to).executeTakeFirst()
  return business?.name ?? 'A business that no longer exists'
}

type Names = { payer: string; paidTo: string | null }

/** One page with neutral wording, because it is filed, emailed to bookkeepers and seen by others. */
export async function makeReceipt({ config }: Pick<Context, 'config'>, row: PaymentRow, names: Names): Promise<Uint8Array> {
  // Loaded on demand, because it is large.
  const { PDFDocument, StandardFonts, rgb } = await import('@cantoo/pdf-lib')
  const pdf = await PDFDocument.create()
  const name = `Receipt ${row.receipt_number}`
  pdf.setTitle(name)
  pdf.setAuthor(config.billingName)
  pdf.setCreationDate(row.paid_at)
  pdf.setModificationDate(row.paid_at)
  const regular = await pdf.embedFont(StandardFonts.Helvetica)
  const bold = await pdf.embedFont(StandardFonts.HelveticaBold)
  const page = pdf.addPage([595.28, 841.89])
  const left = 64
  let y = 760
  const line = (text: string, { size = 11, isBold = false, gap = 20, x = left } = {}) => {
    page.drawText(printable(text), { x, y, size, font: isBold ? bold : regular, color: rgb(0.1, 0.13, 0.1) })
    y -= gap
  }
  line(config.billingName, { size: 20, isBold: true, gap: 40 })
  line(name, { size: 14, isBold: true, gap: 30 })
  for (const [label, value] of receiptLines(row, names)) {
    page.drawText(printable(label), { x: left, y, size: 11, font: bold })
    line(value, { x: left + 140 })
  }
  y -= 20
  if (isTest(row.provider as PaymentProviderName)) line('Test mode: no money moved. This isn’t proof of payment.', { isBold: true })
  return pdf.save()
}

export function receiptLines(row: PaymentRow, { payer, paidTo }: Names): [string, string][] {
  const money = moneyIn(row.currency as Currency)
  return [
    ['Date', longDay(row.paid_at)],
    ['Received from', payer || 'Member'],
    ...(paidTo === null ? [] : [['Paid to', paidTo] as [string, string]]),
    ['For', row.plan_id === null ? 'Monthly subscription' : `Monthly plan: ${planName(row.plan_id)}`],
    ['Paid by', paymentProviders[row.provider as PaymentProviderName].receiptName],
    ['Amount', money(row.amount_cents)],
    ...(row.refunded_cents > 0 ? [['Refunded', money(row.refunded_cents)] as [string, string]] : []),
  ]
}

/** PDF's built-in fonts cover only Western letters and the euro sign; others are printed as question marks. */
export const printable = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[‐-―]/g, '-')
    .replace(/[^\x20-\x7e\xa1-\xff€]/g, '?')

/** 7500 → "$75.00". */
const moneyIn = (currency: Currency) => (cents: number) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(formatCents(cents) as `${number}`)

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** "November 21, 2026", in UTC. */
export const longDay = (at: Date): string => day.format(at)

/** For deadlines in emails: the latest day that has begun before this time in every American time zone. */
export const lastDay = (at: Date): string => longDay(new Date(at.getTime() - 12 * hourMs))
