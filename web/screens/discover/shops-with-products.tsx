import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight, Package } from 'lucide-react'
import type { ReactNode } from 'react'
import { maxProductMiles } from '#contracts/limits.ts'
import type { DiscoverSearch } from '#web/entities/directory/discover-params.ts'
import { isPoint, radiusOf } from '#web/entities/directory/discover-search.ts'
import type { ProductSearch } from '#web/entities/product-search/product-params.ts'
import { productCountsOptions } from '#web/entities/product-search/product-search.api.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { counted } from '#web/lib/format.ts'
import { nearHome, whereWords } from '#web/lib/near-home.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

type ShopsWithProductsProps = {
  search: DiscoverSearch
  /** Set if the list is empty. Replaced by a sentence about shops that have the product, so the two don't contradict each other. */
  emptyList?: ReactNode
}

/** Shows "3 shops near Denver have “chocolate”", because the list below finds only businesses. */
export function ShopsWithProducts({ search, emptyList }: ShopsWithProductsProps) {
  const user = useCurrentUser()
  const near = search.near ?? nearHome(user).near
  const { search: words, area, state } = search
  const isAsked = words !== undefined && words.length > 2 && near !== undefined && !area && !state
  const products = productSearch(search, near)
  const { data, isPlaceholderData } = useQuery({ ...productCountsOptions(products), enabled: isAsked })
  if (!isAsked || !data || isPlaceholderData || data.shopCount === 0) return emptyList
  if (emptyList) {
    return (
      <EmptyState title="No businesses found" description={menusSentence(data.shopCount, words, near)}>
        <Button asChild>
          <Link to="/products" search={products}>
            See products
          </Link>
        </Button>
        <Button asChild variant="secondary">
          <Link to="/search" search={{ q: words }}>
            Search everything
          </Link>
        </Button>
      </EmptyState>
    )
  }
  return (
    <p className="mt-4">
      <Link
        to="/products"
        search={products}
        className="flex items-center gap-3 rounded-card border border-line bg-surface px-4 py-3 font-medium text-[0.9375rem] transition-colors hover:border-edge hover:bg-sunk"
      >
        <Package aria-hidden="true" className="size-5 shrink-0 text-leaf" />
        <span className="min-w-0 flex-1 wrap-anywhere">{shopsSentence(data.shopCount, words, near)}</span>
        <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-muted" />
      </Link>
    </p>
  )
}

/** Items in stock within the list's radius, up to the maximum for product searches. */
export const productSearch = (search: DiscoverSearch, near: string | undefined): ProductSearch => ({
  q: search.search,
  near,
  radius: Math.min(radiusOf(search), maxProductMiles),
  inStock: true,
})

export const shopsSentence = (count: number, words: string, near: string): string =>
  `${counted(count, 'shop')} ${isPoint(near) ? 'near you' : whereWords(near)} ${count === 1 ? 'has' : 'have'} “${words}”`

export const menusSentence = (count: number, words: string, near: string): string =>
  `${shopsSentence(count, words, near)} on ${count === 1 ? 'its menu' : 'their menus'}.`
