import type { ResponseOf } from '#contracts/endpoint.ts'
import type { getMenuSettings as contract } from '#contracts/menus.endpoints.ts'
import type { MenuSettings } from '#contracts/menus.ts'
import type { Db } from '#server/db/connect.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { invalidField } from '#server/kernel/errors.ts'
import { changeMenu, itemLimit, requireKeeper } from './menu-lock.ts'
import { formatTaxRate, type MenuTerms, parseTaxRate, unsaidTerms } from './prices.ts'
import { itemCount } from './products.queries.ts'

type Settings = ResponseOf<typeof contract>

/** @throws AppError not_found, forbidden, age_restricted */
export async function getMenuSettings({ db, clock }: Pick<Context, 'db' | 'clock'>, actor: Actor, idOrSlug: string): Promise<Settings> {
  const now = clock.now()
  const { id } = await requireKeeper(db, actor, idOrSlug, now)
  return settingsOf(db, id, now)
}

/** @throws AppError not_found, forbidden, age_restricted, invalid_input */
export async function saveMenuSettings(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  idOrSlug: string,
  { currency, taxRate, pricesIncludeTax }: MenuSettings,
): Promise<Settings> {
  const now = ctx.clock.now()
  const rate = taxRate === null ? null : parseTaxRate(taxRate)
  if (taxRate !== null && rate === null) throw invalidField('taxRate', 'At most three decimals')
  return changeMenu(ctx, actor, idOrSlug, async (tx, business) => {
    await tx
      .updateTable('menu_settings')
      .set({ currency, tax_rate: rate, prices_include_tax: pricesIncludeTax, updated_at: now })
      .where('business_id', '=', business.id)
      .execute()
    return settingsOf(tx, business.id, now)
  })
}

async function settingsOf(db: Db, businessId: string, now: Date): Promise<Settings> {
  const { currency, taxRate, pricesIncludeTax } = await menuTerms(db, businessId)
  return {
    currency,
    taxRate: taxRate === null ? null : formatTaxRate(taxRate),
    pricesIncludeTax,
    itemCount: await itemCount(db, businessId),
    itemLimit: await itemLimit(db, businessId, now),
  }
}

export async function menuTerms(db: Db, businessId: string): Promise<MenuTerms> {
  const row = await db
    .selectFrom('menu_settings')
    .select(['currency', 'tax_rate', 'prices_include_tax'])
    .where('business_id', '=', businessId)
    .executeTakeFirst()
  return row ? { currency: row.currency, taxRate: row.tax_rate, pricesIncludeTax: row.prices_include_tax } : unsaidTerms
}
