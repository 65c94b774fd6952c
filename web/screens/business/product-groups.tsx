import { FileCheck2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Business } from '#contracts/businesses.ts'
import type { MenuSort } from '#contracts/menu-fields.rules.ts'
import type { ProductCategory } from '#contracts/menu-fields.ts'
import type { Product } from '#contracts/menus.ts'
import { Confirmed, useIsStale } from '#web/entities/menus/confirmed.tsx'
import { ProductPicture } from '#web/entities/menus/product-picture.tsx'
import { groupProducts, kindWords, makerWords, perGramWords } from '#web/entities/menus/product-words.ts'
import { SizeList } from '#web/entities/menus/size-list.tsx'
import { useCountedWhenSeen } from '#web/lib/count-visit.ts'
import { counted } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { cx } from '#web/ui/cx.ts'
import { textLink } from '#web/ui/link-styles.ts'

type GroupsProps = {
  products: Product[]
  business: Pick<Business, 'id'>
  /** Null if only part of the menu is shown, because the counts would be wrong. */
  counts: { category: ProductCategory; itemCount: number }[] | null
  sort: MenuSort
  nameOf: (product: Product) => ReactNode
}

export default function ProductGroups({ products, business, counts, sort, nameOf }: GroupsProps) {
  const list = (members: Product[]) => (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-x-8 md:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2">
      {members.map((product) => (
        <li key={product.id} className="border-line border-b py-4">
          <ProductCard product={product} businessId={business.id} sort={sort} nameOf={nameOf} />
        </li>
      ))}
    </ul>
  )
  if (sort !== 'category') return list(products)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      {groupProducts(products).map(({ category, products: members }) => {
        const count = counts?.find((each) => each.category === category)?.itemCount
        return (
          <section key={category} aria-label={category}>
            <h3 className="flex items-baseline gap-2.5 border-line border-b pb-2 text-lg">
              {category}
              {count !== undefined && (
                <span className="font-normal font-text text-muted text-sm tabular-nums">{counted(count, 'item')}</span>
              )}
            </h3>
            {list(members)}
          </section>
        )
      })}
    </div>
  )
}

const sizesOnCard = 6

type CardProps = Pick<GroupsProps, 'sort' | 'nameOf'> & { product: Product; businessId: string }

function ProductCard({ product, businessId, sort, nameOf }: CardProps) {
  const seen = useCountedWhenSeen<HTMLElement>(businessId, 'product', product.id)
  const { name, description, certificateUrl, isAvailable } = product
  // Without categories, the items come directly below the list's heading, so their headings are one level higher.
  const Name = sort === 'category' ? 'h4' : 'h3'
  const maker = makerWords(product)
  const facts = [...kindWords(product), ...(sort === 'price_per_gram' ? [perGramWords(product)] : [])].filter((words) => words !== null)
  return (
    <article ref={seen} className="relative flex gap-4">
      <ProductPicture product={product} className={cx('size-20 sm:size-24', !isAvailable && 'opacity-60 grayscale')} />
      <div className="grid min-w-0 flex-1 content-start gap-1">
        <div className="flex items-start justify-between gap-3">
          <Name className="min-w-0 pt-px font-semibold font-text text-base wrap-anywhere">{nameOf(product)}</Name>
          {isAvailable ? product.isOnSale && <Badge variant="leaf">On sale</Badge> : <Badge variant="clay">Out of Stock</Badge>}
        </div>
        {maker && <p className="text-muted text-sm wrap-anywhere">{maker}</p>}
        {facts.length > 0 && <p className="text-sm tabular-nums">{facts.join(' · ')}</p>}
        <div className="mt-0.5">
          <SizeList product={product} atMost={sizesOnCard} />
        </div>
        {description && <p className="line-clamp-2 text-muted text-sm wrap-anywhere">{description}</p>}
        {certificateUrl && (
          <p className="mt-1 text-xs">
            <a
              href={certificateUrl}
              target="_blank"
              rel="noopener"
              className={`${textLink} touch-target relative z-1 inline-flex items-center gap-1.5`}
            >
              <FileCheck2 aria-hidden="true" className="size-3.5" />
              Lab certificate
              <span className="sr-only"> for {name} (PDF, opens in a new tab)</span>
            </a>
          </p>
        )}
      </div>
    </article>
  )
}

type MenuAgeProps = { at: string; isTaxIncluded: boolean | undefined }

export function MenuAge({ at, isTaxIncluded }: MenuAgeProps) {
  const isStale = useIsStale(at)
  return (
    <>
      <Confirmed at={at} className="text-sm!" />
      {isStale && <span>Prices and stock may have changed. Check before you go.</span>}
      {isTaxIncluded !== undefined && <span>{isTaxIncluded ? 'Prices include tax.' : 'Prices don’t include tax.'}</span>}
    </>
  )
}
