import type { ResponseOf } from '../../../contracts/endpoint.ts'
import type { getMenuSettings as contract, MenuSettings } from '../../../contracts/menus.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { invalidField } from '../../kernel/errors.ts'
import { changeMenu, itemLimit, requireKeeper } from './menu-lock.ts'
import { menuTerms } from './menu-terms.ts'
import { formatTaxRate, parseTaxRate } from './prices.ts'
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
