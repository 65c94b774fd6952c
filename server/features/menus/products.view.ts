import type { Media } from '#contracts/media.ts'
import type { Product } from '#contracts/menus.ts'
import { formatCents } from '#contracts/money.ts'
import { documentUrl, pictureUrl } from '#server/kernel/media-address.ts'
import { isTaxIncluded, type MenuTerms, shownCents } from './prices.ts'
import type { ShownRow } from './products.queries.ts'

type Around = { terms: MenuTerms; media: ReadonlyMap<string, Media>; hasMemberPrices: boolean }

export function toProduct(row: ShownRow, { terms, media, hasMemberPrices }: Around): Product {
  const cents = shownCents(row.price_cents, terms)
  const memberCents = row.member_price_cents === null ? null : shownCents(row.member_price_cents, terms)
  return {
    id: row.id,
    name: row.name,
    price: formatCents(cents),
    currency: terms.currency,
    isTaxIncluded: isTaxIncluded(terms),
    // A location's price may be lower than the subscriber price.
    memberPrice: hasMemberPrices && memberCents !== null && memberCents < cents ? formatCents(memberCents) : null,
    description: row.description,
    category: row.category,
    strain: row.strain,
    brand: row.brand,
    thc: row.thc,
    cbd: row.cbd,
    potencyUnit: row.potency_unit,
    weight: row.weight,
    weightUnit: row.weight_unit,
    batch: row.batch,
    certificateUrl: row.certificate_id && documentUrl(row.certificate_id),
    imageUrl: row.image_id && pictureUrl(row.image_id, 'medium', 'webp'),
    image: (row.image_id && media.get(row.image_id)) || null,
    isAvailable: row.is_available,
    confirmedAt: row.confirmed_at.toISOString(),
  }
}
