import { sql } from 'kysely'
import type { MenuItemChange } from '../../../contracts/menus.ts'
import { parseCents } from '../../../contracts/money.ts'
import type { Tx } from '../../db/connect.ts'
import { AppError } from '../../kernel/errors.ts'
import { requireReadyMedia } from '../media/index.ts'
import type { FieldErrors } from './item-input.ts'
import type { ItemRow } from './product-rows.queries.ts'

type Attachment = { before: ItemRow | null; after: ItemRow }

const kinds = [
  { column: 'image_id', field: 'imageId', kind: 'image' },
  { column: 'certificate_id', field: 'certificateId', kind: 'document' },
] as const

/** Holds the uploads that an item shows from now on: ready, of the right kind, the writer's own, and shown nowhere yet. */
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

/** @returns what is wrong in them; `known` from `locationsForOffers` */
export function checkOffers(offers: Offers, known: ReadonlySet<string>): FieldErrors {
  const errors: FieldErrors = {}
  const named = new Set<string>()
  for (const [i, { locationId }] of offers.entries()) {
    if (!known.has(locationId)) errors[`offers.${i}.locationId`] = 'This location is gone'
    else if (named.has(locationId)) errors[`offers.${i}.locationId`] = 'This location is named twice'
    named.add(locationId)
  }
  return errors
}

/** Puts these in the place of all that the items had. What does not differ from the item itself is not kept. */
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
