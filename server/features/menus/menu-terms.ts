import type { Db } from '../../db/connect.ts'
import { type MenuTerms, unsaidTerms } from './prices.ts'

export async function menuTerms(db: Db, businessId: string): Promise<MenuTerms> {
  const row = await db
    .selectFrom('menu_settings')
    .select(['currency', 'tax_rate', 'prices_include_tax'])
    .where('business_id', '=', businessId)
    .executeTakeFirst()
  return row ? { currency: row.currency, taxRate: row.tax_rate, pricesIncludeTax: row.prices_include_tax } : unsaidTerms
}
