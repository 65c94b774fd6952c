import { sql } from 'kysely'
import type { Agreement, Payment, ReceivedPayment } from '#contracts/billing.ts'
import { forOneBusiness } from '#contracts/entitlements.ts'
import type { Currency } from '#contracts/fields.ts'
import { formatCents } from '#contracts/money.rules.ts'
import { publicDisplayName } from '#contracts/people.rules.ts'
import { dayMs } from '#contracts/time.ts'
import type { Db } from '#server/db/connect.ts'
import { requirePermission, type TeamBusiness } from '#server/features/team/index.ts'
import { type Actor, requireAccess } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { decodeCursor, newestAfter, type Page, toPage } from '#server/kernel/keyset.ts'
import { type AgreementRow, isPayerSuspended, isResumable } from './agreements.queries.ts'
import { isUnreachable } from './payment-accounts.queries.ts'
import { changesFrom, findPlan } from './plans.ts'

type PageQuery = { limit: number; cursor?: string | undefined }
type Query = PageQuery & { business?: string | undefined }

/** @throws AppError not_found, forbidden, invalid_input about the cursor */
export async function listAgreements(ctx: Ctx, actor: Actor, query: Query): Promise<Page<Agreement>> {
  const { db } = ctx
  const after = decodeCursor(query.cursor, ['time', 'id'])
  const businessId = await billedBusiness(db, actor, query)
  const rows = await db
    .selectFrom('agreements')
    .select(['id', 'created_at'])
    .where(businessId ? 'business_id' : 'payer_id', '=', businessId ?? actor.id)
    .$call((rows) => newestAfter(rows, 'created_at', 'id', after))
    .limit(query.limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, query.limit, (row) => [row.created_at.toISOString(), row.id])
  const ids = items.map((row) => row.id)
  return { items: await loadAgreements(ctx, ids, { id: actor.id, mayBill: businessId !== null }), nextCursor }
}

/** @throws AppError not_found, forbidden, invalid_input about the cursor */
export async function listPayments(db: Db, actor: Actor, query: Query): Promise<Page<Payment>> {
  const after = decodeCursor(query.cursor, ['time', 'id'])
  const businessId = await billedBusiness(db, actor, query)
  const rows = await paymentRows(db)
    .where(businessId ? 'agreements.business_id' : 'agreements.payer_id', '=', businessId ?? actor.id)
    .$call((rows) => newestAfter(rows, 'payments.paid_at', 'payments.id', after))
    .limit(query.limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, query.limit, (row) => [row.paid_at.toISOString(), row.id])
  return { items: items.map((row) => toPayment(row, actor.id)), nextCursor }
}

/** @throws AppError not_found, forbidden, invalid_input about the cursor */
export async function listOwnInvoicePayments(db: Db, actor: Actor, idOrSlug: string, query: PageQuery): Promise<Page<ReceivedPayment>> {
  const { id } = await requirePermission(db, actor, idOrSlug, 'billing')
  const after = decodeCursor(query.cursor, ['time', 'id'])
  const rows = await paymentRows(db)
    .leftJoin('users', 'users.id', 'agreements.payer_id')
    .select(['payments.provider_payment_id', 'users.display_name', 'users.first_name', 'users.last_name'])
    .select('agreements.amount_cents as monthly_cents')
    .where('payments.provider', '=', 'invoice')
    .where('payments.account_id', 'in', ({ selectFrom }) =>
      selectFrom('business_payment_accounts').select('id').where('business_id', '=', id),
    )
    .$call((rows) => newestAfter(rows, 'payments.paid_at', 'payments.id', after))
    .limit(query.limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, query.limit, (row) => [row.paid_at.toISOString(), row.id])
  return {
    items: items.map((row) => ({
      ...toPayment(row, actor.id),
      price: { amount: formatCents(row.monthly_cents), currency: row.currency as Currency },
      reference: row.provider_payment_id,
      payer: row.payer_id && publicDisplayName({ displayName: row.display_name, firstName: row.first_name, lastName: row.last_name }),
    })),
    nextCursor,
  }
}

async function billedBusiness(db: Db, actor: Actor, { business }: Query): Promise<string | null> {
  return business === undefined ? null : (await requireBilling(db, actor, business)).id
}

/** For calls that are open to suspended people, who can only use their own account. @throws AppError suspended, not_found, forbidden */
export async function requireBilling(db: Db, actor: Actor, business: string): Promise<TeamBusiness> {
  requireAccess({ access: 'member' }, actor)
  return requirePermission(db, actor, business, 'billing')
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

const columns = [
  'agreements.id',
  'agreements.payer_id',
  'agreements.provider',
  'agreements.account_id',
  'agreements.title',
  'agreements.plan_id',
  'agreements.business_id',
  'agreements.subscribe_to',
  'agreements.menu_business_id',
  'agreements.menu_chosen_at',
  'agreements.paused_at',
  'agreements.amount_cents',
  'agreements.currency',
  'agreements.status',
  'agreements.paid_until',
  'agreements.grace_until',
  'agreements.canceled_at',
  'agreements.created_at',
  'agreements.closed_at',
  'accounts.failure as account_failure',
  'businesses.id as at_id',
  'businesses.slug as at_slug',
  'businesses.name as at_name',
] as const

type Ctx = Pick<Context, 'db' | 'clock' | 'payments'>
type Viewer = { id: string; mayBill: boolean }

/** The viewer must be allowed to see all of these purchases. With `mayBill`, they may also end the business's plans that others pay for. */
async function loadAgreements(ctx: Ctx, ids: readonly string[], viewer: Viewer): Promise<Agreement[]> {
  if (ids.length === 0) return []
  const now = ctx.clock.now()
  const rows = await ctx.db
    .selectFrom('agreements')
    .leftJoin('businesses', (join) =>
      join.on(sql<boolean>`businesses.id = coalesce(agreements.business_id, agreements.subscribe_to, agreements.menu_business_id)`),
    )
    .leftJoin('business_members', (join) =>
      join
        .on(sql<boolean>`business_members.business_id = coalesce(agreements.business_id, agreements.menu_business_id)`)
        .on('business_members.user_id', '=', viewer.id)
        .on('business_members.role', '=', 'owner'),
    )
    .leftJoin('business_payment_accounts as accounts', 'accounts.id', 'agreements.account_id')
    .select(columns)
    .select([sql<boolean>`business_members.user_id is not null`.as('is_owner'), isResumable(now).as('is_resumable')])
    .select(isPayerSuspended(now).as('is_payer_suspended'))
    .where(sql<boolean>`agreements.id = any(${ids}::uuid[])`)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    const isPayer = row.payer_id === viewer.id
    const mayBuy = isPayer && !row.is_payer_suspended
    const isRunning = row.canceled_at === null && row.status !== 'ended'
    const isLocked = isUnreachable(ctx, row)
    // A payer who handed the business over may only end its plan.
    const mayReplace = row.business_id === null || row.is_owner
    const canChange = mayBuy && isRunning && row.status !== 'pending' && row.plan_id !== null && mayReplace
    const canResume = isPayer && row.is_resumable && !isLocked
    const liftsMenu = mayBuy && row.status !== 'ended' && forOneBusiness(row.plan_id).length > 0
    const movesOn = liftsMenu ? movableFrom(row, row.is_owner, now) : null
    return [
      {
        id,
        provider: row.provider,
        title: row.title,
        planId: row.plan_id,
        business: row.at_id && row.at_slug && row.at_name ? { id: row.at_id, slug: row.at_slug, name: row.at_name } : null,
        // Decided by the plan, because the business may have been deleted.
        isSubscription: row.plan_id === null,
        price: { amount: formatCents(row.amount_cents), currency: row.currency },
        status: row.status,
        paidUntil: row.paid_until?.toISOString() ?? null,
        graceUntil: row.grace_until?.toISOString() ?? null,
        mayStillCharge: isLocked && row.closed_at === null && row.paused_at === null,
        createdAt: row.created_at.toISOString(),
        movesOn: movesOn?.toISOString() ?? null,
        changesTo: canChange && row.plan_id ? changesFrom(row.plan_id) : [],
        abilities: {
          cancel: isRunning && (isPayer || viewer.mayBill),
          change: canChange,
          resume: canResume,
          assign: liftsMenu ? movesOn === null : mayBuy && isRunning && isBusinessPlan(row.plan_id) && row.business_id === null,
        },
      },
    ]
  })
}

/** Menu items remain when a limit returns, so moving a plan daily would lift the limits of many menus. */
const daysBetweenMoves = 30

/**
 * When the plan may next be moved to lift another menu's limit; null means now. If the payer no longer owns the business, it may be moved
 * immediately.
 */
export function movableFrom(row: Pick<AgreementRow, 'menu_business_id' | 'menu_chosen_at'>, isOwner: boolean, now: Date): Date | null {
  if (row.menu_business_id === null || row.menu_chosen_at === null || !isOwner) return null
  const from = new Date(row.menu_chosen_at.getTime() + daysBetweenMoves * dayMs)
  return from > now ? from : null
}

const isBusinessPlan = (planId: string | null): boolean => planId !== null && findPlan(planId)?.audience === 'business'

export async function loadAgreement(ctx: Ctx, id: string, viewer: Viewer): Promise<Agreement> {
  const [agreement] = await loadAgreements(ctx, [id], viewer)
  if (!agreement) throw notFound()
  return agreement
}
