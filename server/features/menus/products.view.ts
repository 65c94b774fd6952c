import type { Media } from '#contracts/media.ts'
import { shopperFields } from '#contracts/menu-fields.ts'
import type { Product } from '#contracts/menus.ts'
import { formatCents } from '#contracts/money.ts'
import { documentUrl, pictureUrl } from '#server/kernel/media-address.ts'
import { valuesOf } from './menu-fields.ts'
import { isTaxIncluded, type MenuTerms, shownCents } from './prices.ts'
import type { ShownRow } from './products.queries.ts'

type Around = { terms: MenuTerms; media: ReadonlyMap<string, Media>; hasMemberPrices: boolean }

export function toProduct(row: ShownRow, { terms, media, hasMemberPrices }: Around): Product {
  const cents = shownCents(row.price_cents, terms)
  const memberCents = row.member_price_cents === null ? null : shownCents(row.member_price_cents, terms)
  return {
    id: row.id,
    ...valuesOf(row, shopperFields),
    price: formatCents(cents),
    // A location's price may be lower than the subscriber price.
    memberPrice: hasMemberPrices && memberCents !== null && memberCents < cents ? formatCents(memberCents) : null,
    currency: terms.currency,
    isTaxIncluded: isTaxIncluded(terms),
    certificateUrl: row.certificate_id && documentUrl(row.certificate_id),
    imageUrl: row.image_id && pictureUrl(row.image_id, 'medium', 'webp'),
    image: (row.image_id && media.get(row.image_id)) || null,
    confirmedAt: row.confirmed_at.toISOString(),
  }
}
