import type { Agreement, Payment } from '#contracts/billing.ts'
import type { Currency } from '#contracts/fields.ts'
import { formatCents } from '#contracts/money.rules.ts'
import type { Db } from '#server/db/connect.ts'
import { requirePermission } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { loadAgreements } from './agreements.view.ts'

type Query = { limit: number; cursor?: string | undefined; business?: string | undefined }

/** The actor's own purchases, or those of plans for a business. @throws AppError not_found, forbidden */
export async function listAgreements(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, query: Query): Promise<Page<Agreement>> {
  const { db } = ctx
  const after = decodeCursor(query.cursor, ['time', 'id'])
  const businessId = await billedBusiness(db, actor, query)
  let rows = db
    .selectFrom('agreements')
    .select(['id', 'created_at'])
    .where(businessId ? 'business_id' : 'payer_id', '=', businessId ?? actor.id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit + 1)
  if (after) rows = rows.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(new Date(after[0]), after[1])))
  const { items, nextCursor } = toPage(await rows.execute(), query.limit, (row) => [row.created_at.toISOString(), row.id])
  const ids = items.map((row) => row.id)
  return { items: await loadAgreements(ctx, ids, { id: actor.id, mayBill: businessId !== null }), nextCursor }
}

/** @throws AppError not_found, forbidden */
export async function listPayments(db: Db, actor: Actor, query: Query): Promise<Page<Payment>> {
  const after = decodeCursor(query.cursor, ['time', 'id'])
  const businessId = await billedBusiness(db, actor, query)
  let rows = paymentRows(db)
    .where(businessId ? 'agreements.business_id' : 'agreements.payer_id', '=', businessId ?? actor.id)
    .orderBy('payments.paid_at', 'desc')
    .orderBy('payments.id', 'desc')
    .limit(query.limit + 1)
  if (after) rows = rows.where((eb) => eb(eb.refTuple('payments.paid_at', 'payments.id'), '<', eb.tuple(new Date(after[0]), after[1])))
  const { items, nextCursor } = toPage(await rows.execute(), query.limit, (row) => [row.paid_at.toISOString(), row.id])
  return { items: items.map((row) => toPayment(row, actor.id)), nextCursor }
}

async function billedBusiness(db: Db, actor: Actor, { business }: Query): Promise<string | null> {
  return business === undefined ? null : (await requirePermission(db, actor, business, 'billing')).id
}

export const paymentRows = (db: Db) =>
  db
    .selectFrom('payments')
    .innerJoin('agreements', 'agreements.id', 'payments.agreement_id')
    .select([
      'payments.id',
      'payments.agreement_id',
      'payments.provider',
      'payments.amount_cents',
      'payments.currency',
      'payments.status',
      'payments.refunded_cents',
      'payments.receipt_number',
      'payments.paid_at',
      'agreements.title',
      'agreements.plan_id',
      'agreements.payer_id',
      'agreements.subscribe_to',
      'payments.account_id',
    ])

export type PaymentRow = Awaited<ReturnType<ReturnType<typeof paymentRows>['execute']>>[number]

/** Only the payer gets the receipt, because it shows their name. */
export function toPayment(row: PaymentRow, viewerId: string): Payment {
  const currency = row.currency as Currency
  return {
    id: row.id,
    agreementId: row.agreement_id,
    title: row.title,
    money: { amount: formatCents(row.amount_cents), currency },
    status: row.status,
    refunded: row.refunded_cents > 0 ? { amount: formatCents(row.refunded_cents), currency } : null,
    provider: row.provider as Payment['provider'],
    paidAt: row.paid_at.toISOString(),
    receiptNumber: row.receipt_number,
    receiptUrl: row.receipt_number && row.payer_id === viewerId ? `/api/billing/payments/${row.id}/receipt.pdf` : null,
  }
}
