import { sql } from 'kysely'
import { menuFieldKeys } from '#contracts/menu-fields.ts'
import type { MenuItemChange, NewMenuItem } from '#contracts/menus.ts'
import { parseCents } from '#contracts/money.rules.ts'
import type { Tx } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { maySeeProducts } from '#server/features/jurisdictions/index.ts'
import { type MayReadMedia, requireReadyMedia } from '#server/features/media/index.ts'
import { ageOf } from '#server/kernel/actor.ts'
import { AppError } from '#server/kernel/errors.ts'
import { storedFields, toColumn } from './menu-fields.ts'
import { type ItemRow, itemColumns } from './product-rows.queries.ts'

export type FieldErrors = Record<string, string>

export function withChange(row: ItemRow, change: MenuItemChange): ItemRow {
  const next = { ...row }
  for (const key of menuFieldKeys) if (change[key] !== undefined) Object.assign(next, toColumn(key, change[key]))
  if (change.certificateId !== undefined) next.certificate_id = change.certificateId
  if (change.imageId !== undefined) next.image_id = change.imageId
  return next
}

export const newRow = (id: string, input: NewMenuItem): ItemRow => withChange(emptyRow(id), input)

const screenedFields = menuFieldKeys.filter((key) => storedFields[key].isScreened)

/** The text that the content filter reads, by field. */
export const itemWords = (row: ItemRow): Record<string, string | null> =>
  Object.fromEntries(screenedFields.map((key) => [key, row[storedFields[key].column] as string | null]))

export const emptyRow = (id: string): ItemRow =>
  ({ ...Object.fromEntries(itemColumns.map((column) => [column, null])), id, name: '', price_cents: 0, is_available: true }) as ItemRow

const percentFields = ['thc', 'cbd'] as const

export function checkTogether(row: ItemRow): FieldErrors {
  const errors: FieldErrors = {}
  if (row.potency_unit === 'percent') {
    for (const field of percentFields) if ((row[field] ?? 0) > 100) errors[field] = 'At most 100 percent'
  }
  return errors
}

type Attachment = { before: ItemRow | null; after: ItemRow }

const kinds = [
  { column: 'image_id', field: 'imageId', kind: 'image' },
  { column: 'certificate_id', field: 'certificateId', kind: 'document' },
] as const

/** Checks and locks an item's new uploads, which must be ready, of the right kind, the editor's own and unattached. */
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

export type Offers = NonNullable<MenuItemChange['offers']>

/** @returns errors by field; `known` is from `locationsForOffers` */
export function checkOffers(offers: Offers, known: ReadonlySet<string>): FieldErrors {
  const errors: FieldErrors = {}
  const named = new Set<string>()
  for (const [i, { locationId }] of offers.entries()) {
    if (!known.has(locationId)) errors[`offers.${i}.locationId`] = 'This location no longer exists'
    else if (named.has(locationId)) errors[`offers.${i}.locationId`] = 'This location is listed twice'
    named.add(locationId)
  }
  return errors
}

/** Replaces the items' offers. Skips those that don't differ from the item itself. */
export async function replaceOffers(tx: Tx, items: readonly { id: string; offers: Offers }[]): Promise<void> {
  if (items.length === 0) return
  const ids = items.map((item) => item.id)
  await tx.deleteFrom('product_offers').where(sql<boolean>`product_id = any(${ids}::uuid[])`).execute()
  const rows = items.flatMap(({ id, offers }) =>
    offers
      .filter((offer) => !offer.isOffered || offer.price !== null || offer.isAvailable !== null)
      .map((offer) => ({
        product_id: id,
        location_id: offer.locationId,
        is_offered: offer.isOffered,
        price_cents: offer.price === null ? null : parseCents(offer.price),
        is_available: offer.isAvailable,
      })),
  )
  if (rows.length === 0) return
  await sql`
    insert into product_offers (product_id, location_id, is_offered, price_cents, is_available)
    select product_id, location_id, is_offered, price_cents, is_available
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as row (product_id uuid, location_id uuid, is_offered boolean, price_cents integer, is_available boolean)`.execute(tx)
}

/**
 * A product's picture or certificate is visible to those who may see the product, including its team. Never public, because
 * viewers of unknown age see no products anywhere.
 */
export const mayReadProductMedia: MayReadMedia = async (db, actor, productIds, now) => {
  const shops = await db
    .selectFrom('products')
    .innerJoin('businesses', 'businesses.id', 'products.business_id')
    .select(['businesses.country', 'businesses.state'])
    .where(sql<boolean>`products.id = ${pageIds(productIds)}`)
    // A business that moderators hid is visible only to its team.
    .where(
      sql<boolean>`(businesses.moderation is null or exists (select from business_members
        where business_members.business_id = businesses.id and business_members.user_id = ${actor.id}::uuid))`,
    )
    .execute()
  return shops.some((shop) => maySeeProducts(ageOf(actor, now), shop))
}
