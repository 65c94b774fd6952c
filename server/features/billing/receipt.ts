import type { FastifyRequest } from 'fastify'
import { isUuid } from '../../../contracts/ids.ts'
import { type Currency, formatCents } from '../../../contracts/money.ts'
import type { Db } from '../../db/connect.ts'
import { requireAccess } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Attachment } from '../../kernel/mail.ts'
import type { Api } from '../../kernel/route.ts'
import { type PaymentRow, paymentRows } from './lists.ts'
import { planName } from './plans.ts'

const path = '/api/billing/payments/:id/receipt.pdf'

/** Routes under /api that are no declared calls. */
export const receiptRoutes: readonly string[] = [`GET ${path}`]

/** The receipt of a payment, for whoever paid and nobody else. */
export function addReceipts({ app, ctx }: Api): void {
  app.get(path, async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
    const session = await ctx.sessions.read(request.headers.cookie, { evenOwing: true })
    const actor = session?.actor ?? null
    requireAccess({ access: 'member' }, actor)
    await ctx.rateLimiter.consume('read', `account:${actor?.id}`)
    const row = isUuid(request.params.id)
      ? await paymentRows(ctx.db).where('payments.id', '=', request.params.id).executeTakeFirst()
      : undefined
    if (!actor || !row?.receipt_number || row.payer_id !== actor.id) throw notFound('This receipt is not here.')
    const { filename, contentType, content } = await receiptOf(ctx, row)
    return reply
      .type(contentType)
      .headers({ 'content-disposition': `attachment; filename="${filename}"`, 'cache-control': 'private, no-store' })
      .send(content)
  })
}

/** The file, as it's downloaded and mailed. */
export async function receiptOf(ctx: Pick<Context, 'db' | 'config'>, row: PaymentRow): Promise<Attachment> {
  const payer = await ctx.db.selectFrom('users').select(['first_name', 'last_name']).where('id', '=', row.payer_id).executeTakeFirst()
  const names = { payer: [payer?.first_name, payer?.last_name].filter(Boolean).join(' '), paidTo: await paidTo(ctx.db, row) }
  const bytes = await makeReceipt(ctx, row, names)
  return { filename: `receipt-${row.receipt_number}.pdf`, contentType: 'application/pdf', content: Buffer.from(bytes) }
}

/** The business whose own account it went to; null where the site was paid. */
async function paidTo(db: Db, { account_id, subscribe_to }: PaymentRow): Promise<string | null> {
  if (account_id === null) return null
  const business = await db.selectFrom('businesses').select('name').where('id', '=', subscribe_to).executeTakeFirst()
  return business?.name ?? 'A business that is not here any more'
}

type Names = { payer: string; paidTo: string | null }

/** One page, with neutral words: it is filed, mailed to bookkeepers and seen by others. */
export async function makeReceipt({ config }: Pick<Context, 'config'>, row: PaymentRow, names: Names): Promise<Uint8Array> {
  // Loaded when somebody wants a receipt: it is large, and the server starts without it.
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
  const money = (cents: number) => `${formatCents(cents)} ${row.currency as Currency}`
  line(config.billingName, { size: 20, isBold: true, gap: 40 })
  line(name, { size: 14, isBold: true, gap: 30 })
  for (const [label, value] of receiptLines(row, names, money)) {
    page.drawText(printable(label), { x: left, y, size: 11, font: bold })
    line(value, { x: left + 140 })
  }
  y -= 20
  if (row.provider === 'test') line('Test mode - no money moved. This is not a proof of payment.', { isBold: true })
  return pdf.save()
}

function receiptLines(row: PaymentRow, { payer, paidTo }: Names, money: (cents: number) => string): [string, string][] {
  const ways: Record<string, string> = { paypal: 'PayPal', invoice: 'Invoice', test: 'Test provider' }
  return [
    ['Date', row.paid_at.toISOString().slice(0, 10)],
    ['Received from', payer || 'Member'],
    ...(paidTo === null ? [] : [['Paid to', paidTo] as [string, string]]),
    ['For', row.plan_id === null ? 'Monthly subscription' : `Monthly plan: ${planName(row.plan_id)}`],
    ['Paid by', ways[row.provider] ?? row.provider],
    ['Amount', money(row.amount_cents)],
    ...(row.refunded_cents > 0 ? [['Refunded', money(row.refunded_cents)] as [string, string]] : []),
  ]
}

/** The built-in fonts of PDF know Western letters alone; a name in others is not left out, but spelled with question marks. */
const printable = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[‐-―]/g, '-')
    .replace(/[^\x20-\x7e\xa1-\xff]/g, '?')
