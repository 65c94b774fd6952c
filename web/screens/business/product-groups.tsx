import { FileCheck2 } from 'lucide-react'
import type { BusinessType } from '#contracts/business-types.ts'
import type { Business } from '#contracts/businesses.ts'
import type { ProductCategory } from '#contracts/menu-fields.ts'
import type { Product } from '#contracts/menus.ts'
import { Confirmed, useIsStale } from '#web/entities/menus/confirmed.tsx'
import { ProductPicture } from '#web/entities/menus/product-picture.tsx'
import { useCountedWhenSeen } from '#web/lib/count-visit.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { counted, formatPrice } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { cx } from '#web/ui/cx.ts'
import { textLink } from '#web/ui/link-styles.ts'
import { groupProducts, potencyWords, priceWords, weightWords } from './product-words.ts'

type GroupsProps = {
  products: Product[]
  business: Pick<Business, 'id' | 'type'>
  counts: { category: ProductCategory; itemCount: number }[]
  isSearched: boolean
}

export default function ProductGroups({ products, business, counts, isSearched }: GroupsProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      {groupProducts(products).map(({ category, products: members }) => {
        const count = counts.find((each) => each.category === category)?.itemCount
        return (
          <section key={category} aria-label={category}>
            <h3 className="flex items-baseline gap-2.5 border-line border-b pb-2 text-lg">
              {category}
              {!isSearched && count !== undefined && (
                <span className="font-normal font-text text-muted text-sm tabular-nums">{counted(count, 'item')}</span>
              )}
            </h3>
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-x-8 md:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2">
              {members.map((product) => (
                <li key={product.id} className="border-line border-b py-4">
                  <ProductCard product={product} business={business} />
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

function ProductCard({ product, business: { id: businessId, type } }: { product: Product; business: { id: string; type: BusinessType } }) {
  const seen = useCountedWhenSeen<HTMLElement>(businessId, 'product', product.id)
  const { name, brand, strain, currency, memberPrice, description, certificateUrl, batch, isAvailable, confirmedAt } = product
  const maker = [brand, strain === name ? null : strain].filter(Boolean).join(' · ')
  const measures = [weightWords(product, useCurrentUser()?.preferences.mass), ...potencyWords(product)].filter((words) => words !== null)
  const { amount, tax } = priceWords(product)
  return (
    <article ref={seen} className="flex gap-4">
      <ProductPicture product={product} type={type} className={cx('size-20 sm:size-24', !isAvailable && 'opacity-60 grayscale')} />
      <div className="grid min-w-0 flex-1 content-start gap-1">
        <div className="flex items-start justify-between gap-3">
          <h4 className="min-w-0 pt-px font-semibold wrap-anywhere">{name}</h4>
          {!isAvailable && <Badge variant="clay">Out of Stock</Badge>}
        </div>
        {maker && <p className="text-muted text-sm wrap-anywhere">{maker}</p>}
        {measures.length > 0 && <p className="text-sm tabular-nums">{measures.join(' · ')}</p>}
        <p className={cx('mt-0.5 flex flex-wrap items-baseline gap-x-2.5 gap-y-1 tabular-nums', !isAvailable && 'text-muted')}>
          <span className="whitespace-nowrap">
            <span className="font-semibold text-lg">{amount}</span> <span className="text-muted text-sm">{tax}</span>
          </span>
          {memberPrice && (
            <span className="rounded-tag bg-leaf-soft px-1.5 py-0.5 text-leaf text-sm">
              <span className="font-semibold">{formatPrice(memberPrice, currency)}</span> subscriber price
            </span>
          )}
        </p>
        {description && <p className="line-clamp-3 text-muted text-sm wrap-anywhere">{description}</p>}
        <p className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-xs">
          <Confirmed at={confirmedAt} />
          {certificateUrl && (
            <a href={certificateUrl} target="_blank" rel="noopener" className={`${textLink} touch-target inline-flex items-center gap-1.5`}>
              <FileCheck2 aria-hidden="true" className="size-3.5" />
              Lab certificate
              <span className="sr-only"> of {name} (PDF, opens in a new tab)</span>
            </a>
          )}
          {batch && <span className="text-muted">Batch {batch}</span>}
        </p>
      </div>
    </article>
  )
}

/** When the menu was last confirmed, with a warning if that is long ago. */
export function MenuAge({ at }: { at: string }) {
  const isStale = useIsStale(at)
  return (
    <>
      <Confirmed at={at} className="text-sm!" />
      {isStale && <span>Prices and stock may have changed. Ask before you go.</span>}
    </>
  )
}
