import type { Product, ProductVariant } from '#contracts/menus.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { cx } from '#web/ui/cx.ts'
import { formatDay, pricesOf, shortPrice, taxWords, weightWords } from './product-words.ts'

type SizeListProps = {
  product: Pick<Product, 'category' | 'variants' | 'hasMemberPrices' | 'currency' | 'isTaxIncluded'>
  atMost?: number
  isLarge?: boolean
}

/** If `isLarge`, also shows whether prices include tax. Otherwise, the menu shows that once. */
export function SizeList({ product, atMost = product.variants.length, isLarge = false }: SizeListProps) {
  const { variants } = product
  // Show a single extra size, because it takes up no more space than a note about it.
  const shown = variants.length > atMost + 1 ? variants.slice(0, atMost) : variants
  const isAlone = variants.length === 1 && !isLarge
  return (
    <div className="flex flex-wrap gap-x-2 gap-y-1.5 tabular-nums">
      <ul aria-label="Sizes" className="contents">
        {shown.map((variant) => (
          <li
            key={variant.id}
            className={cx(
              'grid content-center',
              !isAlone && 'rounded-input border px-2.5 py-1.5',
              isLarge && 'min-w-28 px-4 py-3',
              !isAlone && (variant.isAvailable ? 'border-line bg-surface' : 'border-line border-dashed'),
              !variant.isAvailable && 'text-muted',
            )}
          >
            <Size product={product} variant={variant} isLarge={isLarge} />
          </li>
        ))}
      </ul>
      {shown.length < variants.length && (
        <span className="self-center text-muted text-sm">and {variants.length - shown.length} more sizes</span>
      )}
      {isLarge && <span className="self-center text-muted text-sm">{taxWords(product)}</span>}
    </div>
  )
}

type SizeProps = { product: SizeListProps['product']; variant: ProductVariant; isLarge: boolean }

function Size({ product: { category, hasMemberPrices, currency, variants }, variant, isLarge }: SizeProps) {
  const weight = weightWords(variant, useCurrentUser()?.preferences.mass, category)
  const { paid, regular, isSale, forSubscribers } = pricesOf(variant, hasMemberPrices)
  return (
    <>
      <span className="flex flex-wrap items-baseline gap-x-1.5">
        {weight && <span className="text-muted text-sm">{weight}</span>}
        <span className={cx('font-semibold', isLarge ? 'text-lg' : variants.length === 1 && 'text-lg')}>
          {isSale && <span className="sr-only">Sale price </span>}
          {shortPrice(paid, currency)}
        </span>
        {regular && (
          <s className="text-muted text-sm">
            <span className="sr-only">Regular price </span>
            {shortPrice(regular, currency)}
          </s>
        )}
      </span>
      {isSale && variant.saleEnds && <span className="text-muted text-xs">Sale ends {formatDay(variant.saleEnds)}</span>}
      {regular && !isSale && <span className="text-leaf text-xs">Your subscriber price</span>}
      {forSubscribers && <span className="text-leaf text-xs">{shortPrice(forSubscribers, currency)} for subscribers</span>}
      {!variant.isAvailable && variants.length > 1 && <span className="text-clay text-xs">Out of Stock</span>}
      {variant.isLow && <span className="text-xs">Only a few left</span>}
    </>
  )
}
