import type { OpenInvoice } from '../../../contracts/billing.ts'
import { publicDisplayName } from '../../../contracts/display-name.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { requirePermission } from '../team/index.ts'
import { accountsOf, toCheckout } from './checkouts.view.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'payments'>
type Query = { limit: number; cursor?: string | undefined }

/** Purchases that wait for money by the site's invoice, newest first. */
export const listInvoiceCheckouts = (ctx: Ctx, page: Query): Promise<Page<OpenInvoice>> => openInvoices(ctx, null, page)

/** Subscriptions to a business that wait for money by its own invoice. @throws AppError not_found, forbidden */
export async function listOwnInvoices(ctx: Ctx, actor: Actor, idOrSlug: string, page: Query): Promise<Page<OpenInvoice>> {
  const { id } = await requirePermission(ctx.db, actor, idOrSlug, 'billing')
  return openInvoices(ctx, id, page)
}

async function openInvoices(ctx: Ctx, businessId: string | null, page: Query): Promise<Page<OpenInvoice>> {
  const after = decodeCursor(page.cursor, ['time', 'id'])
  let query = ctx.db
    .selectFrom('checkouts')
    .innerJoin('users', 'users.id', 'checkouts.user_id')
    .selectAll('checkouts')
    .select(['users.display_name', 'users.first_name', 'users.last_name'])
    .where('checkouts.provider', '=', 'invoice')
    .where('checkouts.status', '=', 'open')
    .where('checkouts.expires_at', '>', ctx.clock.now())
    .orderBy('checkouts.created_at', 'desc')
    .orderBy('checkouts.id', 'desc')
    .limit(page.limit + 1)
  query =
    businessId === null
      ? query.where('checkouts.account_id', 'is', null)
      : query.where('checkouts.account_id', 'in', (eb) =>
          eb.selectFrom('business_payment_accounts').select('id').where('business_id', '=', businessId),
        )
  if (after) {
    query = query.where((eb) => eb(eb.refTuple('checkouts.created_at', 'checkouts.id'), '<', eb.tuple(new Date(after[0]), after[1])))
  }
  const { items, nextCursor } = toPage(await query.execute(), page.limit, (row) => [row.created_at.toISOString(), row.id])
  const accounts = await accountsOf(ctx.db, items)
  return {
    items: items.map((row) => ({
      ...toCheckout(ctx, row, accounts),
      payer: publicDisplayName({ displayName: row.display_name, firstName: row.first_name, lastName: row.last_name }),
    })),
    nextCursor,
  }
}
