import { sql } from 'kysely'
import type { Product } from '../../../contracts/menus.ts'
import { formatCents } from '../../../contracts/money.ts'
import type { Db } from '../../db/connect.ts'
import { type Actor, ageOf } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { requireBusiness } from '../businesses/index.ts'
import { maySeeProducts, productAgeOf } from '../jurisdictions/index.ts'

type PageQuery = { limit: number; cursor?: string | undefined }

/** @throws AppError not_found; age_restricted for viewers below the jurisdiction's age or of unknown age */
export async function listProducts(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor | null,
  idOrSlug: string,
  page: PageQuery,
): Promise<Page<Product>> {
  const business = await requireBusiness(ctx.db, idOrSlug)
  if (!maySeeProducts(ageOf(actor, ctx.clock.now()), business)) {
    const { minimumAge } = productAgeOf(business)
    const advice = actor ? '' : ' Sign in to confirm your age.'
    throw new AppError('age_restricted', {
      message: `The products of this business are shown to people of ${minimumAge} or over; its profile is open to everybody.${advice}`,
    })
  }
  const rows = await productRows(ctx.db, business.id, decodeCursor(page.cursor, ['time', 'id']), page.limit + 1)
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.id])
  return { items: items.map(toProduct), nextCursor }
}

type Row = Awaited<ReturnType<typeof productRows>>[number]

const productRows = (db: Db, businessId: string, after: readonly [createdAt: string, id: string] | null, limit: number) =>
  db
    .selectFrom('products')
    .select(['id', 'name', 'price_cents', 'currency', 'description', 'category', 'image_url', 'is_available', 'created_at'])
    .where('business_id', '=', businessId)
    .$if(after !== null, (query) => query.where(sql<boolean>`(created_at, id) < (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

const toProduct = (row: Row): Product => ({
  id: row.id,
  name: row.name,
  price: formatCents(row.price_cents),
  currency: row.currency,
  description: row.description,
  category: row.category,
  imageUrl: row.image_url,
  isAvailable: row.is_available,
})
