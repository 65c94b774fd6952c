import { sql } from 'kysely'
import { itemFieldKeys, type MenuField, variantFieldKeys } from '#contracts/menu-fields.ts'
import type { MenuItemChange, NewMenuItem } from '#contracts/menus.ts'
import { parseCents } from '#contracts/money.rules.ts'
import type { Tx } from '#server/db/connect.ts'
import { idsOf, pageIds } from '#server/db/page-ids.ts'
import { maySeeProducts } from '#server/features/jurisdictions/index.ts'
import { type MayReadMedia, requireReadyMedia } from '#server/features/media/index.ts'
import { ageOf } from '#server/kernel/actor.ts'
import { AppError } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { storedFields, toColumn } from './menu-fields.ts'
import { type ItemRow, itemColumns, type MenuRow } from './product-rows.queries.ts'
import { type VariantRow, variantColumns } from './variant-rows.queries.ts'

export type FieldErrors = Record<string, string>

type VariantChanges = NonNullable<MenuItemChange['variants']>

/** Drops variants with an ID that the item doesn't have: see `checkVariants`. */
export function withChange(row: MenuRow, change: MenuItemChange): MenuRow {
  const next = { ...row }
  for (const key of itemFieldKeys) if (change[key] !== undefined) Object.assign(next, toColumn(key, change[key]))
  if (change.certificateId !== undefined) next.certificate_id = change.certificateId
  if (change.imageId !== undefined) next.image_id = change.imageId
  if (change.variants !== undefined) next.variants = changedVariants(row.variants, change.variants)
  return next
}

function changedVariants(before: readonly VariantRow[], changes: VariantChanges): VariantRow[] {
  const byId = new Map(before.map((variant) => [variant.id, variant]))
  return changes.flatMap((change) => {
    const old = change.id === undefined ? emptyVariant(newId()) : byId.get(change.id)
    if (!old) return []
    const next = { ...old }
    for (const key of variantFieldKeys) if (change[key] !== undefined) Object.assign(next, toColumn(key, change[key]))
    // Ending a sale also clears its days.
    return [change.saleStarts || change.saleEnds ? next : withoutIdlePeriod(next)]
  })
}

export const withoutIdlePeriod = (variant: VariantRow): VariantRow =>
  variant.sale_price_cents === null ? { ...variant, sale_starts_on: null, sale_ends_on: null } : variant

/** If a point of sale doesn't send sale prices, its new price ends a sale entered here whose price isn't below it. */
export function withoutPassedSale(variant: VariantRow, stated: Partial<VariantRow>): VariantRow {
  const isPassed = variant.sale_price_cents !== null && variant.sale_price_cents >= variant.price_cents
  return isPassed && stated.sale_price_cents === undefined ? withoutIdlePeriod({ ...variant, sale_price_cents: null }) : variant
}

/** Errors in the list itself, by field. */
export function checkVariants(before: readonly VariantRow[], changes: VariantChanges): FieldErrors {
  const errors: FieldErrors = {}
  const known = new Set(idsOf(before))
  const named = new Set<string>()
  for (const [i, { id, price }] of changes.entries()) {
    if (id === undefined && price === undefined) errors[`variants.${i}.price`] = 'Price is required'
    if (id === undefined) continue
    if (!known.has(id)) errors[`variants.${i}.id`] = 'This size is no longer on the menu'
    else if (named.has(id)) errors[`variants.${i}.id`] = 'This size is listed twice'
    named.add(id)
  }
  return errors
}

export const newRow = (id: string, input: NewMenuItem): MenuRow => withChange({ ...emptyRow(id), variants: [] }, input)

const screened = <Key extends MenuField>(keys: readonly Key[]) => keys.filter((key) => storedFields[key].isScreened)
const screenedOfItem = screened(itemFieldKeys)
const screenedOfVariant = screened(variantFieldKeys)

type Words = Record<string, string | null>

export const itemWords = (row: ItemRow): Words =>
  Object.fromEntries(screenedOfItem.map((key) => [key, row[storedFields[key].column] as string | null]))
export const variantWords = (row: VariantRow): Words =>
  Object.fromEntries(screenedOfVariant.map((key) => [key, row[storedFields[key].column] as string | null]))

const ofVariant = <Value>(index: number, found: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(found).map(([field, value]) => [`variants.${index}.${field}`, value]))

/** The screened text of an item and all its variants, by the field names of the call. */
export const wordsOf = (row: MenuRow): Words =>
  Object.assign(itemWords(row), ...row.variants.map((variant, i) => ofVariant(i, variantWords(variant))))

const noItem = Object.fromEntries(itemColumns.map((column) => [column, null]))
export const emptyRow = (id: string): ItemRow => ({ ...noItem, id, name: '' }) as ItemRow

const noVariant = Object.fromEntries(variantColumns.map((column) => [column, null]))
export const emptyVariant = (id: string): VariantRow => ({ ...noVariant, id, price_cents: 0, is_available: true }) as unknown as VariantRow

const potencies = ['thc', 'cbd'] as const

/** A stored potency without a unit doesn't prevent other changes. */
export function checkItem(row: ItemRow, before: ItemRow | null = null): FieldErrors {
  const errors: FieldErrors = {}
  for (const field of potencies) {
    const [low, high] = [row[field], row[`${field}_max`]]
    const isStored = (['', '_max', '_unit'] as const).every((part) => before?.[`${field}${part}`] === row[`${field}${part}`])
    if (low !== null && row[`${field}_unit`] === null && !isStored) errors[`${field}Unit`] = 'Choose % or mg'
    if (high !== null && low === null) errors[field] = 'Enter the lowest value, too'
    else if (high !== null && low !== null && high < low) errors[`${field}Max`] = 'Can’t be below the lowest value'
    if (row[`${field}_unit`] !== 'percent') continue
    if ((low ?? 0) > 100) errors[field] = 'At most 100 percent'
    else if ((high ?? 0) > 100) errors[`${field}Max`] = 'At most 100 percent'
  }
  return errors
}

/** Accepts a subscriber price that saves nothing if the change leaves both prices as in `before`, because shoppers don't see it. */
export function checkVariant(variant: VariantRow, before: VariantRow | null = null): FieldErrors {
  const { price_cents, member_price_cents } = variant
  const isStored = before?.price_cents === price_cents && before.member_price_cents === member_price_cents
  const isTooHigh = member_price_cents !== null && member_price_cents >= price_cents && !isStored
  return { ...checkSale(variant), ...(isTooHigh && { memberPrice: 'Must be below the price' }) }
}

function checkSale({ price_cents, sale_price_cents, sale_starts_on: first, sale_ends_on: last }: VariantRow): FieldErrors {
  if (sale_price_cents !== null && sale_price_cents >= price_cents) return { salePrice: 'Must be below the price' }
  if (sale_price_cents === null && (first ?? last) !== null) return { salePrice: 'Enter the price during the sale' }
  return first !== null && last !== null && last < first ? { saleEnds: 'Can’t be before the first day' } : {}
}

/** Two variants of an item can't have the same weight. */
export const weightOf = ({ weight, weight_unit }: Pick<VariantRow, 'weight' | 'weight_unit'>): string => `${weight} ${weight_unit}`

/** Accepts some errors in values that `before` already has: see `checkItem` and `checkVariant`. */
export function checkTogether(row: MenuRow, before: MenuRow | null): FieldErrors {
  const errors = checkItem(row, before)
  const stored = new Map(before?.variants.map((variant) => [variant.id, variant]))
  const weights = new Set<string>()
  for (const [i, variant] of row.variants.entries()) {
    Object.assign(errors, ofVariant(i, checkVariant(variant, stored.get(variant.id))))
    const weight = weightOf(variant)
    if (weights.has(weight)) errors[`variants.${i}.weight`] = 'Another size of this item has this weight'
    weights.add(weight)
  }
  return errors
}

type Attachment = { before: ItemRow | null; after: ItemRow }

const kinds = [
  { column: 'image_id', field: 'imageId', kind: 'image' },
  { column: 'certificate_id', field: 'certificateId', kind: 'document' },
] as const

/** Locks an item's new uploads and checks that they are ready, unattached, of the right kind and the editor's own. */
export async function checkUploads(tx: Tx, writerId: string, { before, after }: Attachment): Promise<FieldErrors> {
  const errors: FieldErrors = {}
  for (const { column, field, kind } of kinds) {
    const id = after[column]
    if (id === null || id === before?.[column]) continue
    try {
      await requireReadyMedia(tx, writerId, [id], { kinds: [kind] })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      errors[field] = error.message
    }
  }
  return errors
}

export type Offers = NonNullable<VariantChanges[number]['offers']>

type Offering = { variants: readonly { offers?: Offers | undefined }[] }

export const namedLocations = ({ variants }: Offering): string[] =>
  variants.flatMap(({ offers = [] }) => offers.map(({ locationId }) => locationId))

/** Returns errors by field. `row` is the item as it will be stored; `known` comes from `locationsForOffers`. */
export function checkOffers({ variants }: Offering, row: MenuRow, known: ReadonlySet<string>): FieldErrors {
  const errors: FieldErrors = {}
  for (const [at, { offers = [] }] of variants.entries()) {
    const named = new Set<string>()
    for (const [i, { locationId, price, salePrice }] of offers.entries()) {
      const field = `variants.${at}.offers.${i}`
      if (!known.has(locationId)) errors[`${field}.locationId`] = 'This location no longer exists'
      else if (named.has(locationId)) errors[`${field}.locationId`] = 'This location is listed twice'
      named.add(locationId)
      const regular = price === null ? (row.variants[at]?.price_cents ?? 0) : parseCents(price)
      if (salePrice !== null && parseCents(salePrice) >= regular) errors[`${field}.salePrice`] = 'Must be below the price'
    }
  }
  return errors
}

export const offersOf = ({ variants }: Offering, row: MenuRow): { id: string; offers: Offers }[] =>
  variants.flatMap(({ offers }, i) => (offers === undefined ? [] : [{ id: (row.variants[i] as VariantRow).id, offers }]))

/** Doesn't store offers that set nothing and leave the variant on the location's menu. */
export async function replaceOffers(tx: Tx, variants: readonly { id: string; offers: Offers }[]): Promise<void> {
  if (variants.length === 0) return
  await tx
    .deleteFrom('product_offers')
    .where(sql<boolean>`variant_id = any(${idsOf(variants)}::uuid[])`)
    .execute()
  const cents = (price: string | null) => (price === null ? null : parseCents(price))
  const rows = variants.flatMap(({ id, offers }) =>
    offers
      .filter((offer) => !offer.isOffered || offer.price !== null || offer.salePrice !== null || offer.isAvailable !== null)
      .map((offer) => ({
        variant_id: id,
        location_id: offer.locationId,
        is_offered: offer.isOffered,
        price_cents: cents(offer.price),
        sale_price_cents: cents(offer.salePrice),
        is_available: offer.isAvailable,
      })),
  )
  if (rows.length === 0) return
  await sql`
    insert into product_offers (variant_id, location_id, is_offered, price_cents, sale_price_cents, is_available)
    select variant_id, location_id, is_offered, price_cents, sale_price_cents, is_available
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as row (variant_id uuid, location_id uuid, is_offered boolean, price_cents integer, sale_price_cents integer, is_available boolean)`.execute(
    tx,
  )
}

/**
 * Anyone who may see a product, including its team, may see its picture and certificate. Neither is public, because viewers of unknown age
 * can't see products.
 */
export const mayReadProductMedia: MayReadMedia = async (db, actor, productIds, now) => {
  const shops = await db
    .selectFrom('products')
    .innerJoin('businesses', 'businesses.id', 'products.business_id')
    .select(['businesses.country', 'businesses.state'])
    .where(sql<boolean>`products.id = ${pageIds(productIds)}`)
    // Items that moderators hid, alone or with their business, are visible only to the business's team.
    .where(
      sql<boolean>`((businesses.moderation is null and products.moderation is null) or exists (select from business_members
        where business_members.business_id = businesses.id and business_members.user_id = ${actor.id}::uuid))`,
    )
    .execute()
  return shops.some((shop) => maySeeProducts(ageOf(actor, now), shop))
}
