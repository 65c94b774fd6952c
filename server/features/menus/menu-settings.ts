import { isDeepStrictEqual } from 'node:util'
import { type RawBuilder, sql } from 'kysely'
import type { ResponseOf } from '#contracts/endpoint.ts'
import type { Currency } from '#contracts/fields.ts'
import type { getMenuSettings as contract } from '#contracts/menus.endpoints.ts'
import type { MenuSettings, MenuSettingsEdit } from '#contracts/menus.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'
import { changeMenu, itemLimit, requireMenuEditor } from './menu-lock.ts'
import { menuTotals } from './products.queries.ts'

/** How a menu states its prices; `taxRate` is in thousandths of a percent, null if the business has not set it. */
export type MenuTerms = { currency: Currency; taxRate: number | null; pricesIncludeTax: boolean }

/** Terms of a menu without settings; they don't claim that prices include tax. */
export const defaultTerms: MenuTerms = { currency: 'USD', taxRate: null, pricesIncludeTax: false }

const whole = 100_000

/** What a shopper pays for an entered price: includes tax if the rate is known, and rounds half a cent up. */
export function shownCents(typedCents: number, { taxRate, pricesIncludeTax }: MenuTerms): number {
  if (pricesIncludeTax || taxRate === null) return typedCents
  // All values are integers below 2 ** 53 for every price and rate that the database accepts.
  const scaled = typedCents * (whole + taxRate) + whole / 2
  return (scaled - (scaled % whole)) / whole
}

/** `shownCents` in SQL, as `bigint`. `taxRate` is null if entered prices are what a shopper pays. */
export const shownCentsInSql = (typed: RawBuilder<unknown>, taxRate: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`coalesce((${typed}::bigint * (${sql.lit(whole)} + ${taxRate}) + ${sql.lit(whole / 2)}) / ${sql.lit(whole)}, ${typed})`

/** The highest entered price that shoppers see as this price or less: the inverse of `shownCents`. */
export function typedCents(shown: number, terms: MenuTerms): number {
  const { taxRate, pricesIncludeTax } = terms
  if (pricesIncludeTax || taxRate === null) return shown
  const near = Math.floor((shown * whole) / (whole + taxRate))
  return shownCents(near + 1, terms) <= shown ? near + 1 : near
}

/** Whether `shownCents` includes all taxes. */
export const isTaxIncluded = ({ taxRate, pricesIncludeTax }: MenuTerms): boolean => pricesIncludeTax || taxRate !== null

/** 8.875 → 8875; null for a rate with more than three decimals. */
export function parseTaxRate(percent: number): number | null {
  const rate = Math.round(percent * 1000)
  return Math.abs(percent * 1000 - rate) < 1e-6 ? rate : null
}

export const formatTaxRate = (rate: number): number => rate / 1000

type Settings = ResponseOf<typeof contract>

export async function getMenuSettings({ db, clock }: Pick<Context, 'db' | 'clock'>, actor: Actor, idOrSlug: string): Promise<Settings> {
  const now = clock.now()
  const { id } = await requireMenuEditor(db, actor, idOrSlug, now)
  return settingsOf(db, id, now)
}

/** @throws the same errors as `requireMenuEditor`, invalid_input, conflict if someone changed the settings after the editor read them */
export async function saveMenuSettings(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  idOrSlug: string,
  { before, ...settings }: MenuSettingsEdit,
): Promise<Settings> {
  const now = ctx.clock.now()
  const { currency, taxRate, pricesIncludeTax } = settings
  const rate = taxRate === null ? null : parseTaxRate(taxRate)
  if (taxRate !== null && rate === null) throw invalidField('taxRate', 'At most three decimals')
  return changeMenu(ctx, actor, idOrSlug, async (tx, business) => {
    const current = toSettings(await menuTerms(tx, business.id))
    // A retry finds its own change, which isn't a conflict.
    if (before && ![before, settings].some((each) => isDeepStrictEqual(each, current))) {
      throw new AppError('conflict', {
        message: 'Someone else changed these settings in the meantime. Load the latest version to see what’s new.',
      })
    }
    await tx
      .updateTable('menu_settings')
      .set({ currency, tax_rate: rate, prices_include_tax: pricesIncludeTax, updated_at: now })
      .where('business_id', '=', business.id)
      .execute()
    return settingsOf(tx, business.id, now)
  })
}

/** Sets whether the menu's prices include tax; the menu must be locked. Returns the previous setting if it changed, otherwise null. */
export async function stateTax(tx: Tx, businessId: string, pricesIncludeTax: boolean, now: Date): Promise<boolean | null> {
  const { numUpdatedRows } = await tx
    .updateTable('menu_settings')
    .set({ prices_include_tax: pricesIncludeTax, updated_at: now })
    .where('business_id', '=', businessId)
    .where('prices_include_tax', '<>', pricesIncludeTax)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n ? !pricesIncludeTax : null
}

async function settingsOf(db: Db, businessId: string, now: Date): Promise<Settings> {
  const totals = await menuTotals(db, businessId)
  return {
    ...toSettings(await menuTerms(db, businessId)),
    itemCount: totals.item_count,
    itemLimit: await itemLimit(db, businessId, now),
    // Null if the menu has no items, although the type says otherwise.
    confirmedAt: (totals.confirmed_at as Date | null)?.toISOString() ?? null,
  }
}

const toSettings = ({ taxRate, ...terms }: MenuTerms): MenuSettings => ({
  ...terms,
  taxRate: taxRate === null ? null : formatTaxRate(taxRate),
})

export const menuTerms = async (db: Db, businessId: string): Promise<MenuTerms> =>
  (await menuTermsOf(db, [businessId])).get(businessId) ?? defaultTerms

/** Omits menus without settings. */
export async function menuTermsOf(db: Db, businessIds: readonly string[]): Promise<Map<string, MenuTerms>> {
  const rows = await db
    .selectFrom('menu_settings')
    .select(['business_id', 'currency', 'tax_rate', 'prices_include_tax'])
    .where(sql<boolean>`business_id = ${pageIds(businessIds)}`)
    .execute()
  return new Map(
    rows.map((row) => [row.business_id, { currency: row.currency, taxRate: row.tax_rate, pricesIncludeTax: row.prices_include_tax }]),
  )
}
