import type { Business } from '../../../contracts/businesses.ts'
import type { Product, ProductCategory } from '../../../contracts/menus.ts'
import { counted } from '../../lib/counted.ts'
import { groupProducts } from './group-products.ts'
import { ProductCard } from './product-card.tsx'

type GroupsProps = {
  products: Product[]
  business: Pick<Business, 'id' | 'type'>
  counts: { category: ProductCategory; itemCount: number }[]
  isSearched: boolean
}

/** The items of a menu under their categories. */
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
