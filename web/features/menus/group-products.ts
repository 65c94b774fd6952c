import { type Product, productCategories } from '../../../contracts/menus.ts'

/** The name of the group of those that say no category. */
export const noCategory = 'Other'

/** By category, in the menu's order; within one as they came. */
export function groupProducts<P extends Pick<Product, 'category'>>(products: readonly P[]): { category: string; products: P[] }[] {
  const groups = Map.groupBy(products, ({ category }) => category ?? noCategory)
  const order = (category: string) => {
    const place = (productCategories as readonly string[]).indexOf(category)
    return place === -1 ? productCategories.length : place
  }
  return [...groups]
    .map(([category, members]) => ({ category, products: members }))
    .sort((a, b) => order(a.category) - order(b.category) || a.category.localeCompare(b.category))
}
